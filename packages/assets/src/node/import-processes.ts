import { fork, type ChildProcess } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { EclipticError, NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import { importTimeout } from '../coordinator/import-timeout.js';
import type { ImportExecutor } from '../pool/import-executor.js';
import type { ImportRequest } from '../pool/import-task.js';
import type { ProcessAnswer } from './process-answer.js';

/** Options of {@link createImportProcesses}. */
export interface ImportProcessesOptions {
  /** The most processes at once, 1 or more. */
  readonly size: number;
  /**
   * Module whose default export is the list of importers. Default: those of this package with default options.
   */
  readonly importers?: URL;
  /** MiB of JavaScript heap for each process. Default: what Node gives it. */
  readonly memoryLimit?: number;
  /** Imports after which a process is replaced by a fresh one, so that leaks of C++ code don't add up. Default 64. */
  readonly importsPerProcess?: number;
}

/** Processes to import in; pass it to a coordinator as `pool`. */
export interface ImportProcesses extends ImportExecutor {
  /** Ends the processes and rejects what runs. Idempotent. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Imports in child processes: for files that are not trusted. A worker thread that runs out of memory or crashes in native
 * code can take the whole process with it; a child process only itself. Slower to start than `createImportPool`, and what
 * goes to and fro is copied.
 *
 * @throws EclipticError (by rejection) `assets/import-process-died`, `assets/importer-threw`, `assets/import-timeout`
 *
 * @example
 * ```ts
 * await using processes = createImportProcesses({ size: 2, memoryLimit: 1_024 });
 * const coordinator = new ImportCoordinator({ …, pool: processes });
 * ```
 */
export function createImportProcesses(options: ImportProcessesOptions): ImportProcesses {
  return new Processes(options);
}

class Processes implements ImportProcesses {
  readonly name = 'import processes';
  readonly #options: ImportProcessesOptions;
  readonly #idle: Child[] = [];
  readonly #all = new Set<Child>();
  readonly #waiting: ((child: Child | undefined) => void)[] = [];
  #starting = 0;
  #closed = false;

  constructor(options: ImportProcessesOptions) {
    this.#options = options;
  }

  async run<R>(
    _task: string,
    input: unknown,
    { signal, timeout }: { signal?: AbortSignal; timeout?: number } = {},
  ): Promise<R> {
    const request = input as ImportRequest;
    const child = await this.#take();
    try {
      signal?.throwIfAborted();
      return (await child.run(request, timeout ?? Infinity, signal)) as R;
    } finally {
      this.#giveBack(child);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const resolve of this.#waiting.splice(0)) resolve(undefined);
    await Promise.all([...this.#all].map((child) => child.end()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #take(): Promise<Child> {
    if (this.#closed) throw closed();
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#all.size + this.#starting < Math.max(1, this.#options.size)) return this.#start();
    const child = await new Promise<Child | undefined>((resolve) => this.#waiting.push(resolve));
    // Without one, another's process has died and there is room for a new one.
    return child ?? this.#take();
  }

  async #start(): Promise<Child> {
    this.#starting++;
    try {
      const child = await Child.start(this.#options);
      this.#all.add(child);
      return child;
    } finally {
      this.#starting--;
    }
  }

  #giveBack(child: Child): void {
    const isSpent = child.imports >= (this.#options.importsPerProcess ?? 64);
    if (child.isDead || isSpent || this.#closed) {
      this.#all.delete(child);
      void child.end();
      this.#waiting.shift()?.(undefined);
      return;
    }
    const next = this.#waiting.shift();
    if (next) next(child);
    else this.#idle.push(child);
  }
}

class Child {
  readonly #process: ChildProcess;
  readonly #gone: Promise<string>;
  imports = 0;
  isDead = false;

  private constructor(child: ChildProcess) {
    this.#process = child;
    this.#gone = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
      child.once('error', (error) => resolve(error.message));
    });
    void this.#gone.then(() => (this.isDead = true));
  }

  static async start({ importers, memoryLimit }: ImportProcessesOptions): Promise<Child> {
    const script = fileURLToPath(new URL('./import-process.js', import.meta.url));
    const own = importers ?? new URL('./default-importers.js', import.meta.url);
    const limit = memoryLimit === undefined ? [] : [`--max-old-space-size=${memoryLimit}`];
    const child = new Child(
      fork(script, [own.href], {
        serialization: 'advanced',
        execArgv: [...process.execArgv, ...limit],
        // What a dying process prints is no concern of the parent's terminal.
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
    await child.#next();
    // An idle process must not keep the application alive.
    child.#process.unref();
    child.#process.channel?.unref();
    return child;
  }

  async run(request: ImportRequest, timeout: number, signal?: AbortSignal): Promise<unknown> {
    this.imports++;
    this.#process.channel?.ref();
    let timedOut = false;
    const limit =
      timeout === Infinity
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            this.#process.kill('SIGKILL');
          }, timeout / NANOSECONDS_PER_MILLISECOND);
    const stop = (): void => void this.#process.kill('SIGKILL');
    signal?.addEventListener('abort', stop, { once: true });
    try {
      this.#process.send(request);
      const answer = await this.#next();
      if (answer.kind === 'answer') return answer.answer;
      throw new EclipticError(
        'assets/importer-threw',
        `Importer "${request.importer}" failed: ${answer.kind === 'threw' ? answer.message : answer.kind}`,
        { subjects: { importer: request.importer, path: request.path } },
      );
    } catch (error) {
      signal?.throwIfAborted();
      if (timedOut) throw importTimeout(request.path, timeout, error);
      throw error;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', stop);
      if (!this.isDead) this.#process.channel?.unref();
    }
  }

  async end(): Promise<void> {
    if (!this.isDead) this.#process.kill('SIGKILL');
    await this.#gone;
  }

  async #next(): Promise<ProcessAnswer> {
    let onMessage: (answer: ProcessAnswer) => void = () => undefined;
    const message = new Promise<ProcessAnswer>((resolve) => (onMessage = resolve));
    this.#process.once('message', onMessage);
    const died = this.#gone.then((how) => {
      throw new EclipticError('assets/import-process-died', `The import process ended by ${how}`, {
        subjects: { how },
        fix: 'The file is damaged or too large for the memory limit.',
      });
    });
    try {
      return await Promise.race([message, died]);
    } finally {
      this.#process.removeListener('message', onMessage);
    }
  }
}

function closed(): EclipticError {
  return new EclipticError('assets/disposed', 'The import processes were closed', {
    fix: 'Make new ones.',
  });
}
