import type { PoolWorker, PoolWorkerOptions, WebWorkerFactory } from './pool-worker.js';
import type { TaskCall, WorkerMessage } from './task-protocol.js';
import type { TransferList } from './transfer.js';

/** Says something to the thread that owns the pool; throws what can't be cloned or transferred. */
export type PostToPool = (message: WorkerMessage, transfer?: TransferList) => void;

/** Does one call in a worker, says what is to be said about it, and never rejects. */
type PerformCall = (call: TaskCall, post: PostToPool) => Promise<void>;

/** What differs between Node and browsers: `#pool-platform` is one of these. */
export interface PoolPlatform {
  /**
   * @throws EclipticError `core/pool-options` for a kind of source that this platform can't start
   */
  checkSource(source: URL | WebWorkerFactory): void;
  /** Never throws: a worker that could not be made is one that died. */
  startWorker(source: URL | WebWorkerFactory, options: PoolWorkerOptions): PoolWorker;
  /**
   * In a worker: gets ready to perform calls; elsewhere nothing happens.
   *
   * @returns what the worker's module must export
   */
  serve(perform: PerformCall): TaskServer;
}

/** What a worker's module exports by default: for the pool alone to call. */
export type TaskServer = (call: TaskCall) => Promise<unknown>;
