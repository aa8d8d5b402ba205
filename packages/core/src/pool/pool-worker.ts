import type { TaskCall, TaskReply } from './task-protocol.js';
import type { TransferList } from './transfer.js';

/** What became of a call: an answer, or why there is none. */
export type TaskOutcome =
  | TaskReply
  /** The input could not be sent; the worker is well. */
  | { readonly kind: 'input-not-cloneable'; readonly cause: unknown }
  /** The worker ended, or broke, before it answered. */
  | { readonly kind: 'died'; readonly cause: unknown };

/** One worker of a pool, from its start to its end. It does one call at a time. */
export interface PoolWorker {
  /**
   * Resolves when its module is there and serves tasks; rejects with the reason if that never
   * comes.
   */
  readonly ready: Promise<void>;
  /**
   * Resolves with the cause when it has ended, by itself or by {@link PoolWorker.stop}; never
   * rejects.
   */
  readonly died: Promise<unknown>;
  /** Whether it has ended; known a little before the cause is. */
  readonly dead: boolean;
  /** Sends one call; never rejects. Only when ready and idle. */
  execute(
    call: TaskCall,
    transfer: TransferList,
    onProgress: (value: unknown) => void,
  ): Promise<TaskOutcome>;
  /**
   * Ends it, whatever it is doing; resolves when it no longer runs, as far as the platform tells;
   * never rejects.
   */
  stop(): Promise<void>;
}

/** How to start a {@link PoolWorker}. */
export interface PoolWorkerOptions {
  readonly name: string;
  /** MiB of JavaScript heap, where the platform can limit it. */
  readonly memoryLimit: number | undefined;
}

/** Makes a web worker. */
export type WebWorkerFactory = () => WebWorkerLike;

/** What a pool uses of a browser's `Worker`. */
export interface WebWorkerLike {
  /** As a browser's. */
  postMessage(message: unknown, transfer: object[]): void;
  /** As a browser's. */
  terminate(): void;
  /** As a browser's; for `message`, `messageerror` and `error`. */
  addEventListener(type: string, listener: (event: Event) => void): void;
}
