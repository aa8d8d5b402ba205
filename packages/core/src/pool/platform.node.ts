import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { EclipticError } from '../errors/ecliptic-error.js';
import type { PoolPlatform, PostToPool } from './pool-platform.js';
import type { PoolWorker, PoolWorkerOptions, TaskOutcome } from './pool-worker.js';
import { readMessage, type PostedMessage, type TaskCall } from './task-protocol.js';
import type { TransferList } from './transfer.js';

/** The first call of every worker, which succeeds as soon as its module is there. */
const HELLO: TaskCall = { task: '', input: 'hello', reports: false };
const SERVING = 'serving';

/**
 * A worker thread, kept by a Piscina of one thread, which starts it, imports the module, carries
 * calls, and keeps an idle thread from holding up the process. Queue, priorities, time-outs and
 * replacement are the pool's own, so that they are the same in browsers, and because a bigger
 * Piscina leaves its queue waiting for ever when a replacement thread fails to start. Answers go
 * over the thread's own port: Piscina kills a worker whose result can't be cloned, and what it was
 * is lost then.
 */
class ThreadWorker implements PoolWorker {
  readonly ready: Promise<void>;
  readonly died: Promise<unknown>;
  readonly #piscina: Piscina;
  #dead = false;
  #stopped: Promise<void> | undefined = undefined;
  #onOutcome: (outcome: TaskOutcome) => void = () => {};
  #onProgress: (value: unknown) => void = () => {};

  constructor(file: string, { memoryLimit }: PoolWorkerOptions) {
    this.#piscina = new Piscina({
      filename: file,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Infinity,
      // Between tasks the worker's event loop runs on, as it does in browsers.
      atomics: 'disabled',
      recordTiming: false,
      ...(memoryLimit !== undefined && { resourceLimits: { maxOldGenerationSizeMb: memoryLimit } }),
    });
    this.#piscina.on('message', (data) => this.#receive(data));
    let cause: unknown = new Error('The worker thread ended');
    this.#piscina.on('error', (error) => (cause = error));
    this.died = new Promise((resolve) => {
      this.#piscina.on('workerDestroy', () => {
        this.#dead = true;
        // The cause comes right after it: by 'error', or by the rejection of the call under way.
        setImmediate(() => {
          resolve(cause);
          this.#onOutcome({ kind: 'died', cause });
        });
      });
    });
    this.ready = this.#start();
    this.ready.catch(() => {});
  }

  execute(
    call: TaskCall,
    transfer: TransferList,
    onProgress: (value: unknown) => void,
  ): Promise<TaskOutcome> {
    return new Promise((resolve) => {
      this.#onOutcome = resolve;
      this.#onProgress = onProgress;
      this.#piscina.run(call, { transferList: transfer as never }).catch((cause: unknown) => {
        resolve({ kind: this.#dead ? 'died' : 'input-not-cloneable', cause });
      });
    });
  }

  get dead(): boolean {
    return this.#dead;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#piscina.destroy();
    return this.#stopped;
  }

  async #start(): Promise<void> {
    // A thread that ends while it starts leaves the greeting in Piscina's queue.
    const died = this.died.then((cause) => ({ cause }));
    const greeted = this.#piscina.run(HELLO).then((reply: unknown) => ({ reply }));
    const first = await Promise.race([died, greeted]);
    if ('cause' in first) throw first.cause;
    if (first.reply !== SERVING) throw new Error('It does not export default serveTasks({…})');
  }

  #receive(data: unknown): void {
    const message = readMessage(data);
    if (message?.kind === 'progress') this.#onProgress(message.value);
    else if (message?.kind === 'reply') this.#onOutcome(message.reply);
  }
}

/** Whether it names a file of this machine: `file://host/…` and `%2F` in a name don't. */
function isFile(url: URL): boolean {
  try {
    return fileURLToPath(url) !== '';
  } catch {
    return false;
  }
}

export const platform: PoolPlatform = {
  checkSource(source) {
    if (source instanceof URL && isFile(source)) return;
    throw new EclipticError(
      'core/pool-options',
      'In Node a pool takes the file URL of its worker module',
      {
        subjects: { worker: source instanceof URL ? source.href : 'a function' },
        fix: "Pass worker: new URL('./tasks.worker.js', import.meta.url).",
      },
    );
  },
  startWorker: (source, options) => new ThreadWorker(fileURLToPath(source as URL), options),
  serve: (perform) => async (call) => {
    if (call.task === HELLO.task && call.input === HELLO.input) return SERVING;
    const post: PostToPool = (message, transfer = []) => {
      const posted: PostedMessage = { eclipticPool: message };
      parentPort?.postMessage(posted, transfer as never);
    };
    await perform(call, post);
    return undefined;
  },
};
