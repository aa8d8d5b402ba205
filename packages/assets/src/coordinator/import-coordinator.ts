import { EclipticError, EventLog, NANOSECONDS_PER_MILLISECOND, systemClock } from '@ecliptic/core';
import { VFSPath, type VFSPathLike } from '@ecliptic/vfs';
import type { ImportError } from '../diagnostics/import-error.js';
import { ImporterSet } from '../importer/importer-set.js';
import type { AssetManager } from '../manager/asset-manager.js';
import type { AssetRegistry } from '../registry/asset-registry.js';
import type { EnqueueOptions, ImportCoordinatorOptions } from './coordinator-options.js';
import { removeAssets } from './claim-path.js';
import { abortable, createJob, type ImportJob } from './import-job.js';
import { asImportError } from './importer-output.js';
import { ImportPipeline } from './import-pipeline.js';
import { ImportQueue, isMoreUrgent, type ImportPriority } from './import-queue.js';
import type { ImportProgress, ImportReport } from './import-report.js';
import { JobTimer } from './job-timer.js';
import { PendingWrites } from './pending-writes.js';
import { ReferenceWaits } from './reference-waits.js';
import { WakeSignal } from './wake-signal.js';

/**
 * Imports assets in the background: a queue with three priorities, of which every {@link ImportCoordinator.tick}
 * starts a few. An asset waits for those that it needs; one that fails, throws or hangs fails alone, with a
 * report, and its last good data stays.
 *
 * @example
 * ```ts
 * const coordinator = new ImportCoordinator({ vfs, registry, identity, manager, importers: [gltfImporter()] });
 * void coordinator.enqueue('/models/crate.glb');
 * // each frame
 * coordinator.tick();
 * // or, without a frame loop
 * await coordinator.drain();
 * ```
 */
export class ImportCoordinator {
  readonly importers: ImporterSet;
  readonly #pipeline: ImportPipeline;
  readonly #queue = new ImportQueue();
  readonly #writes = new PendingWrites();
  readonly #progressMade = new WakeSignal();
  readonly #jobs = new Map<string, ImportJob>();
  readonly #waits = new ReferenceWaits(this.#jobs, {
    needsImport: (path) => this.#needsImport(path),
    request: (path, { priority }) => void this.enqueue(path, { priority }),
    onReady: ({ path, priority }) => this.#queue.push(path.key, priority),
    onCycle: (job, error) => this.#settle(job, 'failed', { error }),
  });
  readonly #registry: AssetRegistry;
  readonly #manager: AssetManager | undefined;
  readonly #timer: JobTimer;
  readonly #log: EventLog;
  readonly #dispatchPerTick: number;
  readonly #concurrency: number;
  readonly #onReport: ((report: ImportReport) => void) | undefined;
  #progress = { total: 0, completed: 0, failed: 0 };
  #running = 0;
  #disposed = false;

  constructor(options: ImportCoordinatorOptions) {
    const { registry, manager } = options;
    this.importers = new ImporterSet(options.importers);
    this.#registry = registry;
    this.#manager = manager;
    this.#log = options.log ?? new EventLog('assets');
    this.#dispatchPerTick = options.dispatchPerTick ?? 4;
    this.#concurrency = Math.max(1, options.concurrency ?? 16);
    const timeout = (options.timeout ?? 30_000) * NANOSECONDS_PER_MILLISECOND;
    this.#timer = new JobTimer(options.clock ?? systemClock(), timeout);
    this.#onReport = options.onReport;
    this.#pipeline = new ImportPipeline(
      { ...options, importers: this.importers, timeout, log: this.#log, writes: this.#writes },
      {
        onReference: (path) => this.#wanted(path),
        onStale: (path) => void this.enqueue(path),
        onPool: (path, isThere) => {
          const job = this.#jobs.get(path.key);
          if (job && isThere) this.#timer.stop(job);
          else if (job) this.#timer.start(job);
        },
      },
    );
  }

  /** Where the current batch stands; `total` is what is done plus what is pending. */
  get progress(): ImportProgress {
    return { ...this.#progress };
  }

  /** Imports that are queued or run. */
  get pending(): number {
    return this.#jobs.size;
  }

  /**
   * Queues a source. One that is queued or runs already is not queued twice; asking again with a higher priority
   * makes it more urgent.
   *
   * @returns its outcome, also for a failure; it never rejects
   * @throws EclipticError `assets/disposed`; VFSError for a bad path
   */
  enqueue(path: VFSPathLike, options: EnqueueOptions = {}): Promise<ImportReport> {
    if (this.#disposed) {
      throw new EclipticError('assets/disposed', 'The import coordinator was disposed', {
        fix: 'Make a new one.',
      });
    }
    const at = VFSPath.from(path);
    const { priority = 'normal' } = options;
    let job = this.#jobs.get(at.key);
    if (!job) {
      if (this.#jobs.size === 0) this.#progress = { total: 0, completed: 0, failed: 0 };
      job = this.#add(at, priority);
    } else if (isMoreUrgent(priority, job.priority)) {
      job.priority = priority;
      if (job.phase === 'queued') this.#queue.push(at.key, priority);
      // What it waits for has become as urgent.
      for (const key of job.waitsFor) this.#raise(key, priority);
    }
    if (options.force) job.force = true;
    if (options.meta) job.meta = options.meta;
    if (options.changed) {
      job.settled = true;
      job.meta = undefined;
      if (job.phase === 'preparing' || job.phase === 'importing') job.again = true;
    }
    this.#progressMade.wake();
    return job.promise;
  }

  /**
   * Starts or takes up again up to `dispatchPerTick` imports, the most urgent first, as long as no more than `concurrency` are under way.
   * Call it once a frame.
   *
   * @returns how many
   */
  tick(): number {
    let dispatched = 0;
    while (dispatched < this.#dispatchPerTick && this.#running < this.#concurrency) {
      const key = this.#queue.shift();
      const job = key === undefined ? undefined : this.#jobs.get(key);
      if (!job) break;
      dispatched++;
      void this.#run(job);
    }
    return dispatched;
  }

  /**
   * Ticks until nothing is left to do. For tools and loading screens; an application with a frame loop calls
   * {@link ImportCoordinator.tick}. Several may wait at once.
   *
   * @throws the signal's reason when aborted; imports go on
   */
  async drain(signal?: AbortSignal): Promise<void> {
    const onAbort = (): void => this.#progressMade.wake();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      while (this.#jobs.size > 0) {
        signal?.throwIfAborted();
        if (this.tick() > 0) continue;
        await this.#progressMade.wait();
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /**
   * Gives up the import of a source, whether it is queued or runs.
   *
   * @returns whether there was one
   */
  cancel(path: VFSPathLike): boolean {
    const job = this.#jobs.get(VFSPath.from(path).key);
    if (!job) return false;
    this.#settle(job, 'cancelled');
    return true;
  }

  /** The file of a source is gone: its import is cancelled, its assets are removed. */
  remove(path: VFSPathLike): void {
    const at = VFSPath.from(path);
    this.cancel(at);
    this.#pipeline.forget(at);
    removeAssets(at, { registry: this.#registry, manager: this.#manager });
  }

  /** Sources that read the file `path` when they were imported, as a glTF reads its buffers. */
  readersOf(path: VFSPathLike): readonly VFSPath[] {
    return this.#pipeline.readersOf(VFSPath.from(path));
  }

  /**
   * Resolves once no import writes: a cancelled one begins nothing more, but what it had begun goes on. Before that, don't remove
   * folders or dispose of the VFS. Doesn't wait for importers, but for a backend as long as that takes.
   */
  settled(): Promise<void> {
    return this.#writes.settled();
  }

  /** Cancels everything; nothing can be queued afterwards. Then await {@link ImportCoordinator.settled}. Idempotent. */
  dispose(): void {
    this.#disposed = true;
    for (const job of this.#jobs.values()) this.#settle(job, 'cancelled');
    this.#log.flush();
  }

  #add(path: VFSPath, priority: ImportPriority): ImportJob {
    const job = createJob(path, priority);
    this.#jobs.set(path.key, job);
    this.#queue.push(path.key, priority);
    this.#progress.total++;
    return job;
  }

  async #run(job: ImportJob): Promise<void> {
    this.#running++;
    this.#timer.start(job);
    try {
      await abortable(job.controller.signal, this.#step(job));
    } catch (error) {
      if (this.#jobs.get(job.path.key) === job) this.#settle(job, 'failed', { error });
    } finally {
      this.#running--;
      this.#timer.stop(job);
      this.#progressMade.wake();
    }
  }

  async #step(job: ImportJob): Promise<void> {
    const { path, controller, settled, force, meta } = job;
    job.phase = 'preparing';
    const options = { settled, force, meta, signal: controller.signal };
    const prepared = await this.#pipeline.prepare(path, options);
    if (this.#jobs.get(path.key) !== job) return;
    job.uuid = prepared.context.uuid;
    // What waits is prepared again then: many may, and their sources would fill the memory.
    if (!job.hasWaited && this.#waits.hold(job, prepared.references)) return;
    job.phase = 'importing';
    const report = await this.#pipeline.finish(prepared);
    if (this.#jobs.get(path.key) === job) this.#settle(job, report.status, report);
  }

  /** Whether a referenced asset is not (or not any more) there. One that failed is not tried again for it. */
  #needsImport(path: VFSPath): boolean {
    const main = this.#registry.atPath(path).find((asset) => asset.key === '');
    if (main?.state === 'failed') return false;
    const goal = this.#manager ? 'loaded' : 'registered';
    return main?.state !== goal || !this.#pipeline.isKnown(path);
  }

  /** An import refers to an asset: it is imported, too, if it isn't there. */
  #wanted(path: VFSPath): void {
    if (this.#disposed || this.#jobs.has(path.key) || !this.#needsImport(path)) return;
    void this.enqueue(path);
  }

  #raise(key: string, priority: ImportPriority): void {
    const job = this.#jobs.get(key);
    if (job && isMoreUrgent(priority, job.priority)) void this.enqueue(job.path, { priority });
  }

  #settle(
    job: ImportJob,
    status: ImportReport['status'],
    result: Partial<ImportReport> = {},
  ): void {
    const { path } = job;
    this.#jobs.delete(path.key);
    this.#queue.delete(path.key);
    let { error, diagnostics = [] } = result;
    if (status === 'failed') {
      error = asImportError(error, path, 'coordinator', []);
      diagnostics = (error as ImportError).diagnostics;
      this.#progress.failed++;
      this.#log.error('import_failed', { path: path.text, error });
    } else if (status === 'cancelled') this.#progress.total--;
    else this.#progress.completed++;
    if (status === 'failed' || status === 'cancelled') {
      this.#pipeline.abandon(path, status);
      job.controller.abort(
        new EclipticError('assets/import-cancelled', `The import of ${path.text} ended`),
      );
    }
    const report: ImportReport = {
      path,
      status,
      uuid: result.uuid ?? job.uuid,
      assets: result.assets ?? [],
      diagnostics,
      ...(error === undefined ? {} : { error }),
    };
    if (job.again && status !== 'cancelled') this.#add(path, job.priority).settled = true;
    this.#waits.release(path.key);
    job.resolve(report);
    this.#onReport?.(report);
    this.#progressMade.wake();
  }
}
