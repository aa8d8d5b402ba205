import { serveTasks, transfer, type TaskServer } from '@ecliptic/core/pool';
import { dataBuffers } from '../data/data-arrays.js';
import type { Importer } from '../importer/importer.js';
import { IMPORT_TASK, type ImportRequest } from './import-task.js';
import { performImport } from './perform-import.js';

/**
 * Makes a module the worker of an import pool: it must be the module's default export. For importers of your own;
 * `createImportPool` comes with a worker for glTF and images.
 *
 * @example
 * ```ts
 * // imports.worker.ts
 * import { gltfImporter, imageImporter } from '@ecliptic/assets';
 * import { serveImports } from '@ecliptic/assets/pool';
 * import { colourImporter } from './colour-importer.js';
 *
 * export default serveImports([gltfImporter(), imageImporter(), colourImporter()]);
 * ```
 */
export function serveImports(importers: Iterable<Importer>): TaskServer {
  const byName = new Map<string, Importer>();
  for (const importer of importers) byName.set(importer.name, importer);
  return serveTasks({
    async [IMPORT_TASK](request: ImportRequest) {
      const answer = await performImport(byName.get(request.importer), request);
      const { source, files } = request;
      const returned = { source, files };
      const isUnused = answer.kind === 'needs' || answer.kind === 'unknown';
      // What is moved and not in the answer is freed: this thread would keep it until it has more to do.
      const moved = dataBuffers([answer, returned]).filter(({ byteLength }) => byteLength > 0);
      return transfer(isUnused ? { ...answer, returned } : answer, moved);
    },
  });
}
