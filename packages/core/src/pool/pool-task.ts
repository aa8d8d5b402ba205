import type { TaskSubject } from './pool-errors.js';
import type { TaskOptions } from './task-pool.js';

/** One call of `run`, from queue to settlement. */
export class PoolTask {
  readonly subject: TaskSubject;
  readonly input: unknown;
  readonly options: TaskOptions;
  readonly timeout: number;
  readonly promise: Promise<unknown>;
  /** Why it was stopped; what its promise will reject with. */
  stopped: { readonly reason: unknown } | undefined = undefined;
  /** What its listener to progress threw first. */
  listenerFailure: { readonly error: unknown } | undefined = undefined;
  readonly #settle: { resolve: (value: unknown) => void; reject: (reason: unknown) => void };
  #onAbort: (() => void) | undefined = undefined;

  constructor(subject: TaskSubject, input: unknown, options: TaskOptions, timeout: number) {
    this.subject = subject;
    this.input = input;
    this.options = options;
    this.timeout = timeout;
    const settle = {
      resolve: (_value: unknown): void => {},
      reject: (_reason: unknown): void => {},
    };
    this.promise = new Promise((resolve, reject) => {
      settle.resolve = resolve;
      settle.reject = reject;
    });
    this.#settle = settle;
  }

  onAbort(listener: (reason: unknown) => void): void {
    const { signal } = this.options;
    if (signal === undefined) return;
    this.#onAbort = () => listener(signal.reason);
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Hands on what the worker reports, until it is stopped or the listener throws. */
  report(value: unknown): void {
    if (this.stopped || this.listenerFailure) return;
    try {
      this.options.onProgress?.(value);
    } catch (error) {
      this.listenerFailure = { error };
    }
  }

  resolve(value: unknown): void {
    this.#unlisten();
    this.#settle.resolve(value);
  }

  reject(reason: unknown): void {
    this.#unlisten();
    this.#settle.reject(reason);
  }

  #unlisten(): void {
    if (this.#onAbort) this.options.signal?.removeEventListener('abort', this.#onAbort);
  }
}
