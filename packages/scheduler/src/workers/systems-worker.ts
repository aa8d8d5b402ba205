import { EclipticError, messageOf, unpackError } from '@ecliptic/core';
import type { WorkerAnswer, WorkerStart } from './worker-protocol.js';

/** A worker of `node:worker_threads`, as far as it is used. */
export interface NodeSystemsWorker {
  postMessage(message: unknown): void;
  terminate(): Promise<unknown>;
  unref(): void;
  on(event: string, listener: (value: unknown) => void): unknown;
}

/** A worker of a browser, as far as it is used. */
export interface WebSystemsWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  addEventListener(type: string, listener: (event: Event) => void): void;
}

/** Milliseconds after which a worker of a browser that was terminated does not run any more. */
const GRACE = 100;
/** Milliseconds that a worker has to end by itself. */
const PATIENCE = 5_000;

/** A worker, of Node or of a browser, whose module calls `serveSystems`. */
export type SystemsWorker = NodeSystemsWorker | WebSystemsWorker;

/** One place in a team of workers: the worker that is in it, and how it is. */
export class WorkerSeat {
  readonly index: number;
  /** `starting` until it has answered; `gone` when it will never run a job again, for sure. */
  state: 'starting' | 'ready' | 'gone' = 'starting';
  /** Why it is gone. */
  cause: unknown = undefined;
  /** Settles when the worker is ready, or rejects when it goes before. */
  readonly started: Promise<void>;
  readonly #worker: SystemsWorker | undefined;
  #resolve: () => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  readonly #gone: Promise<void>;
  #leaveNow: () => void = () => undefined;
  readonly #timer: ReturnType<typeof setTimeout>;

  /** @param patience - milliseconds that the worker has to start */
  constructor(index: number, create: () => SystemsWorker, start: WorkerStart, patience: number) {
    this.index = index;
    this.started = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.started.catch(() => undefined);
    this.#gone = new Promise((resolve) => (this.#leaveNow = resolve));
    this.#timer = setTimeout(() => void this.#endUnanswering(patience), patience);
    try {
      const worker: unknown = create();
      requireWorker(worker);
      this.#worker = worker;
      this.#listen(worker);
      this.#worker.postMessage(start);
    } catch (error) {
      this.#leave(error);
    }
  }

  /**
   * Waits until the worker, whose board was stopped, has ended; ends it if that takes long, or can't be heard. One that
   * starts is let finish that.
   */
  async stop(): Promise<void> {
    if (this.state !== 'gone' && this.#worker !== undefined && 'on' in this.#worker) {
      await this.started.catch(() => undefined);
      let cancel: (() => void) | undefined;
      const patience = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, PATIENCE);
        cancel = () => clearTimeout(timer);
      });
      await Promise.race([this.#gone, patience]);
      cancel?.();
    }
    await this.terminate();
  }

  /**
   * Ends the worker, whatever it is doing; when the promise settles it has stopped. A browser does not tell when
   * that is: there it is given some time.
   */
  async terminate(): Promise<void> {
    if (this.state === 'gone') return;
    const end: unknown = this.#worker?.terminate();
    if (end instanceof Promise) await end;
    else await new Promise((resolve) => setTimeout(resolve, GRACE));
    this.#leave(new Error('The worker was terminated'));
  }

  async #endUnanswering(patience: number): Promise<void> {
    this.cause = new Error(`It did not answer within ${patience} ms`);
    await this.terminate();
  }

  #listen(worker: SystemsWorker): void {
    if ('on' in worker) {
      worker.on('message', (message) => this.#hear(message as WorkerAnswer));
      worker.on('error', (error) => (this.cause ??= error));
      worker.on('exit', (code) =>
        this.#leave(new Error(`The worker ended with code ${String(code)}`)),
      );
      return;
    }
    worker.addEventListener('message', (event) => {
      this.#hear((event as MessageEvent<WorkerAnswer>).data);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      // A module that can't be loaded is an event without error and message.
      const { error, message } = event as Partial<ErrorEvent>;
      const fallback = new Error(message || 'The worker module could not be loaded');
      this.#leave(error instanceof Error ? error : fallback);
      worker.terminate();
    });
  }

  #hear(message: WorkerAnswer): void {
    if (message.kind === 'ecliptic:ready') {
      this.state = 'ready';
      clearTimeout(this.#timer);
      // A worker that waits for work does not keep a Node process alive; one that starts does.
      if (this.#worker !== undefined && 'unref' in this.#worker) this.#worker.unref();
      this.#resolve();
    } else if (message.kind === 'ecliptic:failed') {
      this.#leave(unpackError(message.error));
    }
  }

  #leave(cause: unknown): void {
    if (this.state === 'gone') return;
    this.cause ??= cause;
    this.state = 'gone';
    clearTimeout(this.#timer);
    this.#leaveNow();
    if (this.cause instanceof EclipticError) {
      this.#reject(this.cause);
      return;
    }
    const reason = messageOf(this.cause);
    this.#reject(
      new EclipticError('scheduler/worker-start', `Worker ${this.index} did not start: ${reason}`, {
        subjects: { worker: this.index },
        cause: this.cause,
        fix: 'Check that its module can be loaded, calls serveSystems(), throws nothing and does not loop.',
      }),
    );
  }
}

function requireWorker(worker: unknown): asserts worker is SystemsWorker {
  if (worker instanceof Promise) throw new TypeError('create() gave a promise, not a worker');
  const { postMessage } = (worker ?? {}) as Partial<SystemsWorker>;
  if (typeof postMessage === 'function') return;
  throw new TypeError(`create() gave ${String(worker)}, not a worker`);
}
