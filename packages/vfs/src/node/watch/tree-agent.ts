import { Worker } from 'node:worker_threads';
import type { EventLog } from '@ecliptic/core';
import type { VFSBackendScanEntry } from '../../backends/vfs-backend.js';
import { VFSError } from '../../errors/vfs-error.js';
import { ScanFeed } from '../scan/scan-feed.js';
import type { PackedTree } from '../scan/tree-unpacker.js';
import type { TreeChange } from './tree-events.js';
import type { TreeReply, TreeRequest, TreeWorkerData } from './tree-protocol.js';
import type { TreeWatcherStats } from './tree-watcher-options.js';

/** What a {@link TreeAgent} tells whoever watches with it. */
export interface TreeAgentEvents {
  /** A part of what is there when the watching begins. */
  listed(part: PackedTree): void;
  /** That was all of it; changes follow. */
  watching(): void;
  changed(changes: readonly TreeChange[]): void;
  /** The worker ended, and nobody asked it to. */
  died(error: VFSError): void;
}

/** What a {@link TreeAgent.scan} tells while it runs. */
export interface TreeScanEvents {
  readonly progress: ((folders: number) => void) | undefined;
  /** A folder could not be listed, `''` for the root; `code` is the system's. */
  unlisted(path: string, code: string): void;
}

interface Scan {
  readonly events: TreeScanEvents;
  readonly feed: ScanFeed;
}

interface PromiseWithResolversOf<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * A worker that looks at one tree on disk, seen from the main thread. It keeps the process alive only
 * while somebody waits for it. When it dies, everything that waits for it rejects with `vfs/io`, and it
 * can't be used any more.
 */
export class TreeAgent {
  readonly #worker: Worker;
  readonly #log: EventLog;
  readonly #events: TreeAgentEvents | undefined;
  readonly #scans = new Map<number, Scan>();
  readonly #stats = new Map<number, PromiseWithResolversOf<TreeWatcherStats | undefined>>();
  readonly #watching = withResolvers<void>();
  #nextId = 1;
  #waiting = 0;
  #closing = false;
  #dead: VFSError | undefined;

  constructor(data: TreeWorkerData, log: EventLog, events?: TreeAgentEvents) {
    this.#log = log;
    this.#events = events;
    this.#worker = new Worker(new URL('./tree-worker.js', import.meta.url), { workerData: data });
    this.#worker.unref();
    this.#worker.on('message', (reply: TreeReply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#die(error));
    this.#worker.on('exit', () => this.#die(undefined));
    this.#watching.promise.catch(() => {});
  }

  /** Whether the worker has ended, whoever ended it. */
  get ended(): boolean {
    return this.#dead !== undefined;
  }

  /** Starts to report changes. Settles once nothing is missed any more. */
  async watch(): Promise<void> {
    await this.#awake(() => {
      this.#ask({ ask: 'watch' });
      return this.#watching.promise;
    });
  }

  /** Has everything listed again, as if events had been lost. */
  rescan(): void {
    this.#ask({ ask: 'rescan' });
  }

  /** What the watching has done so far; `undefined` when it was not started. */
  async stats(): Promise<TreeWatcherStats | undefined> {
    const id = this.#nextId++;
    const done = withResolvers<TreeWatcherStats | undefined>();
    this.#stats.set(id, done);
    return this.#awake(() => {
      this.#ask({ ask: 'stats', id });
      return done.promise;
    });
  }

  /**
   * Lists everything, part by part; from the second time on, what has not changed is only asked for its
   * numbers.
   */
  async *scan(
    signal: AbortSignal | undefined,
    events: TreeScanEvents,
  ): AsyncGenerator<VFSBackendScanEntry[]> {
    const id = this.#nextId++;
    const feed = new ScanFeed();
    const abort = (): void => feed.fail(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.#scans.set(id, { events, feed });
    this.#hold();
    try {
      this.#ask({ ask: 'scan', id });
      yield* feed.entries();
    } finally {
      this.#release();
      signal?.removeEventListener('abort', abort);
      // Still there: the scan did not come to its end.
      if (this.#scans.delete(id) && !this.ended) this.#ask({ ask: 'cancel', id });
    }
  }

  /** Ends the worker. */
  async close(): Promise<void> {
    this.#closing = true;
    await this.#worker.terminate();
  }

  /** Keeps the process alive for as long as somebody waits for the worker. */
  async #awake<T>(work: () => Promise<T>): Promise<T> {
    this.#hold();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #hold(): void {
    if (this.#waiting++ === 0) this.#worker.ref();
  }

  #release(): void {
    if (--this.#waiting === 0) this.#worker.unref();
  }

  #ask(request: TreeRequest): void {
    if (this.#dead !== undefined) throw this.#dead;
    this.#worker.postMessage(request);
  }

  #receive(reply: TreeReply): void {
    if (this.#closing) return;
    if (reply.say === 'changes') this.#events?.changed(reply.changes);
    else if (reply.say === 'listed') this.#events?.listed(reply.part);
    else if (reply.say === 'watching') {
      this.#events?.watching();
      this.#watching.resolve();
    } else if (reply.say === 'warning') this.#log.warn(reply.event, reply.properties);
    else if (reply.say === 'progress')
      this.#tell(reply.id, ({ progress }) => progress?.(reply.folders));
    else if (reply.say === 'unlisted')
      this.#tell(reply.id, (events) => events.unlisted(reply.path, reply.code));
    else if (reply.say === 'parts') this.#scans.get(reply.id)?.feed.add(reply.parts);
    else if (reply.say === 'scanned') {
      this.#scans.get(reply.id)?.feed.end();
      this.#scans.delete(reply.id);
    } else {
      this.#stats.get(reply.id)?.resolve(reply.stats);
      this.#stats.delete(reply.id);
    }
  }

  /** What a listener throws is thrown to whoever scans. */
  #tell(id: number, tell: (events: TreeScanEvents) => void): void {
    const scan = this.#scans.get(id);
    try {
      if (scan) tell(scan.events);
    } catch (error) {
      scan?.feed.fail(error);
    }
  }

  #die(cause: unknown): void {
    if (this.#dead !== undefined) return; // The exit after the error.
    this.#dead = this.#closing ? disposed() : died(cause);
    this.#watching.reject(this.#dead);
    for (const { feed } of this.#scans.values()) feed.fail(this.#dead);
    for (const done of this.#stats.values()) done.reject(this.#dead);
    this.#stats.clear();
    if (this.#closing) return;
    this.#log.error('tree_worker_died', { error: this.#dead });
    this.#events?.died(this.#dead);
  }
}

/** The refusal of what comes after the end. */
export function disposed(): VFSError {
  return new VFSError('vfs/disposed', 'The folder is not looked after any more', {
    fix: 'Make a new backend.',
  });
}

function died(cause: unknown): VFSError {
  return new VFSError('vfs/io', 'The worker that looks after the folder died', {
    fix: 'Try again. If it happens every time, see its cause.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function withResolvers<T>(): PromiseWithResolversOf<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
