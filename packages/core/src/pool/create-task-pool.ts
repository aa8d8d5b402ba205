import { platform } from '#pool-platform';
import { checkTimeout, poolOptionsError } from './pool-errors.js';
import type { TaskPool, TaskPoolOptions } from './task-pool.js';
import { WorkerTaskPool } from './worker-task-pool.js';

/** MiB. With less no worker comes up; with next to nothing Node 24 aborts the whole process. */
const MIN_MEMORY_LIMIT = 8;

/**
 * Makes a pool of workers for work that takes long (milliseconds and up) and can be cut off:
 * decoding, importing, baking. Not for the systems of a frame, which share memory and a cheaper
 * barrier: see `@ecliptic/scheduler`. A task costs some tens of microseconds beyond the cloning of
 * its data; a worker some tens of milliseconds to start.
 *
 * An idle pool doesn't keep a Node process alive.
 *
 * @throws EclipticError `core/pool-options`
 *
 * @example
 * ```ts
 * await using pool = createTaskPool({
 *   name: 'import',
 *   worker: new URL('./tasks.worker.js', import.meta.url),
 *   size: 3,
 * });
 * const doubled = await pool.run<Float32Array>('double', new Float32Array([1, 2]), {
 *   priority: 'immediate',
 *   signal: AbortSignal.timeout(1_000),
 * });
 * ```
 */
export function createTaskPool(options: TaskPoolOptions): TaskPool {
  const { name, size, memoryLimit } = options;
  if (!Number.isSafeInteger(size) || size < 1) {
    throw poolOptionsError(name, 'size', size, 'Use a whole number of workers, 1 or more.');
  }
  if (memoryLimit !== undefined && !(memoryLimit >= MIN_MEMORY_LIMIT)) {
    const fix = `Use MiB, ${MIN_MEMORY_LIMIT} or more.`;
    throw poolOptionsError(name, 'memoryLimit', memoryLimit, fix);
  }
  checkTimeout(name, 'timeout', options.timeout);
  checkTimeout(name, 'startTimeout', options.startTimeout);
  platform.checkSource(options.worker);
  return new WorkerTaskPool(options);
}
