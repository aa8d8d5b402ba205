import type { Clock } from '../clock/clock.js';
import type { EventLog } from '../logging/event-log.js';
import type { WebWorkerFactory } from './pool-worker.js';
import type { TaskPriority } from './task-queue.js';
import type { TransferList } from './transfer.js';

/** How to make a pool with {@link createTaskPool}. */
export interface TaskPoolOptions {
  /**
   * The module that does `export default serveTasks({…})`. In Node, its file URL. In browsers a
   * function, so that bundlers see the worker: `() => new Worker(new URL('./tasks.worker.js',
   * import.meta.url), { type: 'module' })`; or the URL of a script that is served as it is.
   */
  readonly worker: URL | WebWorkerFactory;
  /**
   * The most workers at once, 1 or more; they start when first needed, and stay. Commonly cores −
   * 1.
   */
  readonly size: number;
  /** Start all workers at once, as where it is known that there is work for them. Default `false`. */
  readonly eager?: boolean;
  /** Named in errors, logs and developer tools. */
  readonly name: string;
  /** Nanoseconds a task may run; 30 s by default, `Infinity` for no limit. */
  readonly timeout?: number;
  /** Nanoseconds a worker may take to load its module; 30 s by default. */
  readonly startTimeout?: number;
  /**
   * MiB of JavaScript heap for each worker, 8 or more, beyond which it dies. Node only; browsers
   * have limits of their own.
   */
  readonly memoryLimit?: number;
  /** The system clock by default. */
  readonly clock?: Clock;
  /** Told of workers that were replaced, and why. */
  readonly log?: EventLog;
}

/** How to run one task. */
export interface TaskOptions {
  /** `normal` by default. */
  readonly priority?: TaskPriority;
  /** Cancels the task: takes it from the queue, or stops the worker that runs it. */
  readonly signal?: AbortSignal;
  /**
   * What of the input is moved instead of copied; the caller can't use it any more once the task
   * has started.
   */
  readonly transfer?: TransferList;
  /** Nanoseconds this task may run, in place of the pool's. */
  readonly timeout?: number;
  /**
   * Gets what the handler reports, in order, before the task's promise resolves. What it throws
   * rejects the promise, in the end.
   */
  readonly onProgress?: (value: unknown) => void;
}

/** What a pool is doing and has done. */
export interface TaskPoolStats {
  /** Workers that are started or starting. */
  readonly workers: number;
  /** Tasks that were given to a worker. */
  readonly running: number;
  /** Tasks that wait for one. */
  readonly queued: Readonly<Record<TaskPriority, number>>;
  /** Tasks that resolved. */
  readonly completed: number;
  /** Tasks that rejected for another reason than the next two. */
  readonly failed: number;
  /** By signal, or by `close`. */
  readonly cancelled: number;
  /** By running for longer than they may. */
  readonly timedOut: number;
  /** Workers that died or were stopped before `close`. */
  readonly replaced: number;
}

/** Runs named tasks on worker threads. */
export interface TaskPool {
  /** For errors, logs and developer tools. */
  readonly name: string;
  /** The most workers at once. */
  readonly size: number;
  /**
   * Runs a task when a worker is free: by priority, then first come, first served. The input is
   * cloned when it starts, so leave it alone until then.
   *
   * Each task's failure is its own: whatever happens to its worker, others go on, and a new worker
   * takes the place. A worker that crashes late, from a timer that an earlier task left behind,
   * fails whatever it is running then.
   *
   * In Node a rejection comes when the worker no longer runs; a browser doesn't tell, so memory
   * shared with a stopped task must not be used again at once.
   *
   * @throws The signal's reason when cancelled; else EclipticError (all by rejection)
   *   `core/pool-task-failed` (the handler threw: see `cause`), `core/pool-task-unknown`,
   *   `core/pool-task-timeout`, `core/pool-worker-died`, `core/pool-worker-start`,
   *   `core/pool-input-not-cloneable`, `core/pool-output-not-cloneable`, `core/pool-closed`,
   *   `core/pool-options`
   */
  run<R>(task: string, input: unknown, options?: TaskOptions): Promise<R>;
  /** A snapshot; O(1). */
  stats(): TaskPoolStats;
  /**
   * Ends the pool: by default rejects what is queued and running with `core/pool-closed`; with
   * `drain` lets all of it finish first. Idempotent: later calls wait for the same end, and one
   * without `drain` cuts a draining pool short.
   */
  close(options?: { readonly drain?: boolean }): Promise<void>;
  /** `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
