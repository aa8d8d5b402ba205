import { createTaskPool, type TaskPool, type TaskPoolOptions } from '@ecliptic/core/pool';

/** Options of {@link createImportPool}. */
export interface ImportPoolOptions extends Partial<Omit<TaskPoolOptions, 'size'>> {
  /** The most workers at once, 1 or more. Commonly cores − 1. */
  readonly size: number;
}

/**
 * Workers that import glTF, FBX, OBJ and images; pass it to a coordinator as `pool`. An importer that throws, hangs, runs out of
 * memory or ends its thread fails its own asset only, and its worker is replaced. Close it after the coordinator.
 *
 * For other importers give a `worker` of your own, made with `serveImports`.
 *
 * @throws EclipticError `core/pool-options`
 *
 * @example
 * ```ts
 * await using pool = createImportPool({ size: 3, memoryLimit: 1_024 });
 * const coordinator = new ImportCoordinator({ …, pool });
 * ```
 */
export function createImportPool(options: ImportPoolOptions): TaskPool {
  return createTaskPool({
    name: 'import',
    // The coordinator has a time-out of its own.
    timeout: Infinity,
    worker: defaultWorker(),
    ...options,
  });
}

function defaultWorker(): TaskPoolOptions['worker'] {
  return typeof Worker === 'function'
    ? () => new Worker(new URL('./import.worker.js', import.meta.url), { type: 'module' })
    : new URL('./import.worker.js', import.meta.url);
}
