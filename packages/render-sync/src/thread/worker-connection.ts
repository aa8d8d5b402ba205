/** A worker of `node:worker_threads`, as far as it is used. */
export interface NodeWorkerLike {
  /** Sends it a message. */
  postMessage(message: unknown, transfer?: readonly never[]): void;
  /** Ends it, whatever it does. */
  terminate(): Promise<unknown>;
  /** Lets it keep the process alive. */
  ref(): void;
  /** Lets the process end while it runs. */
  unref(): void;
  /** Hears its messages, its errors and its exit. */
  on(event: string, listener: (value: unknown) => void): unknown;
}

/** A worker of a browser, as far as it is used. */
export interface WebWorkerLike {
  /** Sends it a message. */
  postMessage(message: unknown, transfer: Transferable[]): void;
  /** Ends it, whatever it does. */
  terminate(): void;
  /** Hears its messages and errors. */
  addEventListener(type: 'message' | 'error', listener: (event: Event) => void): void;
}

/** A worker, of Node or of a browser, whose module calls `serveRender`. */
export type RenderWorker = NodeWorkerLike | WebWorkerLike;

/** A worker with the differences between Node and browsers taken out. */
export interface WorkerConnection {
  post(message: unknown, transfer?: readonly unknown[]): void;
  /** Whether it keeps the process alive; nothing in a browser. */
  hold(alive: boolean): void;
  terminate(): Promise<void>;
}

/** Connects to a worker; `onEnd` is called once when it ends, with the cause if it wasn't its own wish. */
export function connectWorker(
  worker: RenderWorker,
  onMessage: (message: unknown) => void,
  onEnd: (cause: unknown) => void,
): WorkerConnection {
  if ('on' in worker) {
    let cause: unknown;
    worker.on('message', onMessage);
    worker.on('error', (error) => (cause ??= error));
    worker.on('exit', () => onEnd(cause));
    return {
      post: (message, transfer = []) => worker.postMessage(message, transfer as readonly never[]),
      hold: (alive) => (alive ? worker.ref() : worker.unref()),
      terminate: async () => void (await worker.terminate()),
    };
  }
  worker.addEventListener('message', (event) => onMessage((event as MessageEvent<unknown>).data));
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    const { error, message } = event as ErrorEvent;
    // A module that can't be loaded is an event without either.
    const fallback = new Error(message || 'The worker module could not be loaded');
    onEnd(error instanceof Error ? error : fallback);
  });
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer] as Transferable[]),
    hold: () => {},
    terminate: () => {
      worker.terminate();
      return Promise.resolve();
    },
  };
}
