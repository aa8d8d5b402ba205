import { platform } from '#pool-platform';
import type { Clock } from '../clock/clock.js';
import { systemClock } from '../clock/system-clock.js';
import * as errors from './pool-errors.js';
import { PoolTask } from './pool-task.js';
import type { PoolWorker, TaskOutcome } from './pool-worker.js';
import { unpackError } from '../errors/remote-error.js';
import type { TaskOptions, TaskPool, TaskPoolOptions, TaskPoolStats } from './task-pool.js';
import { TASK_PRIORITIES, TaskQueue } from './task-queue.js';
import { TransferredResult } from './transfer.js';

const DEFAULT_TIMEOUT = 30_000_000_000;

/** What became of a task. */
type Ending = TaskOutcome | { readonly kind: 'not-started'; readonly cause: unknown };

/**
 * The pool behind {@link createTaskPool}: queue, time-outs and replacement, the same on every
 * platform.
 */
export class WorkerTaskPool implements TaskPool {
  readonly name: string;
  readonly size: number;
  readonly #options: TaskPoolOptions;
  readonly #clock: Clock;
  readonly #queue = new TaskQueue<PoolTask>();
  readonly #running = new Map<PoolTask, PoolWorker>();
  readonly #idle: PoolWorker[] = [];
  /** Idle and busy ones; not those that are being stopped. */
  readonly #workers = new Set<PoolWorker>();
  readonly #stopping = new Set<Promise<void>>();
  readonly #counts = { completed: 0, failed: 0, cancelled: 0, timedOut: 0, replaced: 0 };
  #closing: Promise<void> | undefined = undefined;
  #drained: () => void = () => {};

  constructor(options: TaskPoolOptions) {
    this.name = options.name;
    this.size = options.size;
    this.#options = options;
    this.#clock = options.clock ?? systemClock();
    if (options.eager) {
      for (let i = 0; i < this.size; i++) this.#idle.push(this.#startWorker());
    }
  }

  async run<R>(task: string, input: unknown, options: TaskOptions = {}): Promise<R> {
    const subject = { pool: this.name, task };
    const { priority = 'normal', signal } = options;
    const timeout = options.timeout ?? this.#options.timeout ?? DEFAULT_TIMEOUT;
    errors.checkTimeout(this.name, 'timeout', timeout);
    if (!TASK_PRIORITIES.includes(priority)) {
      const fix = `Use one of ${TASK_PRIORITIES.join(', ')}.`;
      throw errors.poolOptionsError(this.name, 'priority', priority, fix);
    }
    if (input instanceof TransferredResult) throw errors.transferredInputError(subject);
    signal?.throwIfAborted();
    if (this.#closing) throw errors.poolClosedError(subject);
    const job = new PoolTask(subject, input, options, timeout);
    job.onAbort((reason) => this.#stop(job, 'cancelled', reason));
    this.#queue.push(job, priority);
    this.#dispatch();
    return job.promise as Promise<R>;
  }

  stats(): TaskPoolStats {
    const queued = {
      immediate: this.#queue.count('immediate'),
      normal: this.#queue.count('normal'),
      background: this.#queue.count('background'),
    };
    const { size: running } = this.#running;
    return { workers: this.#workers.size, running, queued, ...this.#counts };
  }

  close(options: { readonly drain?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#end();
    if (!options.drain) {
      for (const job of [...this.#queue, ...this.#running.keys()]) {
        this.#stop(job, 'cancelled', errors.poolClosedError(job.subject));
      }
    }
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #end(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      this.#checkDrained();
    });
    const last = [...this.#workers];
    this.#workers.clear();
    this.#idle.length = 0;
    await Promise.all([...last.map((worker) => worker.stop()), ...this.#stopping]);
  }

  #checkDrained(): void {
    if (this.#queue.size === 0 && this.#running.size === 0) this.#drained();
  }

  /** Gives waiting tasks to workers while there are any of both. */
  #dispatch(): void {
    while (this.#idle.length > 0 || this.#workers.size < this.size) {
      const job = this.#queue.shift();
      if (job === undefined) break;
      void this.#perform(job, this.#takeIdle() ?? this.#startWorker());
    }
    this.#checkDrained();
  }

  /** One that lives: the pool hears of a death only when its cause is known. */
  #takeIdle(): PoolWorker | undefined {
    for (;;) {
      const worker = this.#idle.pop();
      if (worker === undefined || !worker.dead) return worker;
    }
  }

  #startWorker(): PoolWorker {
    const { worker: source, memoryLimit } = this.#options;
    const worker = platform.startWorker(source, { name: this.name, memoryLimit });
    this.#workers.add(worker);
    void worker.died.then((cause) => {
      const [job] = [...this.#running].find(([, runs]) => runs === worker) ?? [];
      this.#discard(worker, job, cause);
    });
    return worker;
  }

  /** Sees one task through; never rejects. */
  async #perform(job: PoolTask, worker: PoolWorker): Promise<void> {
    this.#running.set(job, worker);
    const ending = await this.#carry(job, worker);
    if (job.stopped) {
      await worker.stop();
    } else if (ending.kind === 'died' || ending.kind === 'not-started') {
      this.#discard(worker, job, ending.cause);
      await worker.stop();
    } else if (!worker.dead) {
      this.#idle.push(worker);
    }
    this.#running.delete(job);
    this.#settle(job, ending);
    this.#dispatch();
  }

  /**
   * Waits for the worker to be ready, and for the answer, each with its time-out; never rejects.
   */
  async #carry(job: PoolTask, worker: PoolWorker): Promise<Ending> {
    const { subject, input, timeout } = job;
    const { onProgress, transfer = [] } = job.options;
    const startTimeout = this.#options.startTimeout ?? DEFAULT_TIMEOUT;
    const cancelStart = this.#clock.schedule(startTimeout, () => {
      const cause = errors.startTimeoutCause(startTimeout);
      this.#stop(job, 'failed', errors.workerStartError(subject, this.#source, cause));
    });
    try {
      await worker.ready;
    } catch (cause) {
      return { kind: 'not-started', cause };
    } finally {
      cancelStart();
    }
    if (job.stopped) return { kind: 'died', cause: job.stopped.reason };
    const cancelTimeout = this.#clock.schedule(timeout, () =>
      this.#stop(job, 'timedOut', errors.taskTimeoutError(subject, timeout)),
    );
    const call = { task: subject.task, input, reports: onProgress !== undefined };
    const outcome = await worker.execute(call, transfer, (value) => job.report(value));
    cancelTimeout();
    return outcome;
  }

  #settle(job: PoolTask, ending: Ending): void {
    if (job.stopped) {
      job.reject(job.stopped.reason);
    } else if (ending.kind === 'done' && !job.listenerFailure) {
      this.#counts.completed++;
      job.resolve(ending.value);
    } else {
      this.#counts.failed++;
      job.reject(this.#failure(job, ending));
    }
  }

  #failure({ subject, listenerFailure }: PoolTask, ending: Ending): unknown {
    switch (ending.kind) {
      case 'done':
        return listenerFailure?.error;
      case 'failed':
        return errors.taskFailedError(subject, unpackError(ending.error));
      case 'unknown':
        return errors.unknownTaskError(subject, ending.served);
      case 'input-not-cloneable':
        return errors.inputError(subject, ending.cause);
      case 'output-not-cloneable':
        return errors.outputError(subject, unpackError(ending.error));
      case 'died':
        return errors.workerDiedError(subject, ending.cause);
      case 'not-started':
        return errors.workerStartError(subject, this.#source, ending.cause);
    }
  }

  /**
   * Takes a task from the queue, or stops the worker that runs it, and has its promise reject with
   * `reason`.
   */
  #stop(job: PoolTask, count: 'cancelled' | 'failed' | 'timedOut', reason: unknown): void {
    if (job.stopped) return;
    job.stopped = { reason };
    this.#counts[count]++;
    const worker = this.#running.get(job);
    if (worker === undefined) {
      this.#queue.remove(job);
      job.reject(reason);
      this.#checkDrained();
    } else {
      this.#discard(worker, job, reason);
      this.#dispatch();
    }
  }

  /** Gives a worker's place to a new one, which starts when there is something to do. */
  #discard(worker: PoolWorker, job: PoolTask | undefined, cause: unknown): void {
    if (!this.#workers.delete(worker)) return;
    const index = this.#idle.indexOf(worker);
    if (index >= 0) this.#idle.splice(index, 1);
    const end = worker.stop().then(() => void this.#stopping.delete(end));
    this.#stopping.add(end);
    if (this.#closing) return;
    this.#counts.replaced++;
    this.#options.log?.warn('worker_replaced', {
      pool: this.name,
      task: job?.subject.task,
      cause,
    });
  }

  get #source(): string {
    const { worker } = this.#options;
    return worker instanceof URL ? worker.href : 'made by a function';
  }
}
