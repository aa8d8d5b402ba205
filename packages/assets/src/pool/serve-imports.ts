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
      const { source } = request;
      const isUnused = answer.kind === 'needs' || answer.kind === 'unknown';
      // What is moved and not in the answer is freed: this thread would keep the source until it has more to do.
      return transfer(isUnused ? { ...answer, source } : answer, buffersOf([answer, source]));
    },
  });
}

/** The buffers under all typed arrays in a value, each once. */
function buffersOf(root: unknown): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) found.add(value.buffer);
    } else for (const item of Object.values(value)) pending.push(item);
  }
  return [...found];
}
