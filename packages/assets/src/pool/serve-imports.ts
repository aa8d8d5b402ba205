import { serveTasks, transfer, type TaskServer } from '@ecliptic/core/pool';
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
      return transfer(answer, answer.kind === 'done' ? buffersOf(answer.assets) : []);
    },
  });
}

/** The buffers under all typed arrays of some assets, each once. */
function buffersOf(assets: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const pending: unknown[] = [assets];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else for (const item of Object.values(value)) pending.push(item);
  }
  return [...found];
}
