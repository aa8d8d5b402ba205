import { EclipticError } from '../errors/ecliptic-error.js';
import type { PoolPlatform, PostToPool } from './pool-platform.js';
import type { PoolWorker, TaskOutcome, WebWorkerFactory, WebWorkerLike } from './pool-worker.js';
import { packError } from '../errors/remote-error.js';
import { readMessage, type PostedMessage, type TaskCall } from './task-protocol.js';
import type { TransferList } from './transfer.js';

/**
 * A module worker. A browser tells neither when a worker closed itself (its task runs into the
 * time-out) nor when a terminated one has really stopped.
 */
class WebWorker implements PoolWorker {
  readonly ready: Promise<void>;
  readonly died: Promise<unknown>;
  readonly #worker: WebWorkerLike;
  #dead = false;
  #end: (cause: unknown) => void = () => {};
  #onReady: () => void = () => {};
  #onOutcome: (outcome: TaskOutcome) => void = () => {};
  #onProgress: (value: unknown) => void = () => {};

  constructor(worker: WebWorkerLike) {
    this.#worker = worker;
    this.died = new Promise((resolve) => {
      this.#end = (cause): void => {
        this.#dead = true;
        resolve(cause);
        this.#onOutcome({ kind: 'died', cause });
      };
    });
    this.ready = new Promise((resolve, reject) => {
      this.#onReady = resolve;
      void this.died.then(reject);
    });
    this.ready.catch(() => {});
    worker.addEventListener('message', (event) => this.#receive((event as MessageEvent).data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#end(causeOf(event));
    });
    worker.addEventListener('messageerror', () => {
      const error = packError(new Error('It can not be read on this thread'));
      this.#onOutcome({ kind: 'output-not-cloneable', error });
    });
  }

  execute(
    call: TaskCall,
    transfer: TransferList,
    onProgress: (value: unknown) => void,
  ): Promise<TaskOutcome> {
    return new Promise((resolve) => {
      this.#onOutcome = resolve;
      this.#onProgress = onProgress;
      try {
        this.#worker.postMessage(call, [...transfer]);
      } catch (cause) {
        resolve({ kind: 'input-not-cloneable', cause });
      }
    });
  }

  get dead(): boolean {
    return this.#dead;
  }

  stop(): Promise<void> {
    this.#worker.terminate();
    this.#end(new Error('The worker was terminated'));
    return Promise.resolve();
  }

  #receive(data: unknown): void {
    const message = readMessage(data);
    if (message?.kind === 'ready') this.#onReady();
    else if (message?.kind === 'progress') this.#onProgress(message.value);
    else if (message?.kind === 'reply') this.#onOutcome(message.reply);
  }
}

/** A worker that could not even be made. */
class StillbornWorker implements PoolWorker {
  readonly dead = true;
  readonly ready: Promise<void>;
  readonly died: Promise<unknown>;

  constructor(cause: unknown) {
    this.ready = Promise.reject(cause as Error);
    this.ready.catch(() => {});
    this.died = Promise.resolve(cause);
  }

  async execute(): Promise<TaskOutcome> {
    return { kind: 'died', cause: await this.died };
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

function causeOf(event: Event): unknown {
  const { error, message } = event as Partial<ErrorEvent>;
  if (error instanceof Error) return error;
  return new Error(message || 'The worker module could not be loaded');
}

function makeWorker(source: URL | WebWorkerFactory, name: string): WebWorkerLike {
  return source instanceof URL ? new Worker(source, { type: 'module', name }) : source();
}

/** What is used of a dedicated worker's global scope. */
interface WorkerScope {
  readonly DedicatedWorkerGlobalScope?: unknown;
  postMessage(message: PostedMessage, transfer: TransferList): void;
  addEventListener(type: string, listener: (event: MessageEvent) => void): void;
}

export const platform: PoolPlatform = {
  checkSource() {
    if (typeof Worker === 'function') return;
    throw new EclipticError('core/pool-options', 'There are no Web Workers here', {
      fix: 'Run the tasks on this thread.',
    });
  },
  startWorker(source, { name }) {
    try {
      return new WebWorker(makeWorker(source, name));
    } catch (cause) {
      return new StillbornWorker(cause);
    }
  },
  serve(perform) {
    const scope = globalThis as unknown as WorkerScope;
    const post: PostToPool = (message, transfer = []) =>
      scope.postMessage({ eclipticPool: message }, transfer);
    // On a page the module may be imported too, to test or reuse its handlers.
    if (scope.DedicatedWorkerGlobalScope !== undefined) {
      scope.addEventListener('message', ({ data }) => void perform(data as TaskCall, post));
      post({ kind: 'ready' });
    }
    return (call) => perform(call, post);
  },
};
