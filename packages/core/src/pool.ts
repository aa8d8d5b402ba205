/**
 * Runs named tasks on worker threads, in Node and in browsers alike: priorities, cancellation,
 * time-outs, transferables, and replacement of workers that crash or hang.
 *
 * @packageDocumentation
 */
export { createTaskPool } from './pool/create-task-pool.js';
export type { TaskOptions, TaskPool, TaskPoolOptions, TaskPoolStats } from './pool/task-pool.js';
export type { TaskPriority } from './pool/task-queue.js';
export type { WebWorkerFactory, WebWorkerLike } from './pool/pool-worker.js';
export { serveTasks, type TaskContext, type TaskHandler } from './pool/serve-tasks.js';
export type { TaskServer } from './pool/pool-platform.js';
export type { TaskCall } from './pool/task-protocol.js';
export { transfer, type TransferList, type TransferredResult } from './pool/transfer.js';
