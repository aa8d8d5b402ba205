import type { VFSPath } from '@ecliptic/vfs';
import type { ImportError } from '../diagnostics/import-error.js';
import { cycleError, findCycle, type ImportJob } from './import-job.js';

/** What the coordinator does for jobs that wait. */
export interface ReferenceWaitsHooks {
  /** Whether an asset that nothing imports just now has to be imported. */
  needsImport(path: VFSPath): boolean;
  /** Queues the import of an asset, or makes it as urgent as `job`, which waits for it. */
  request(path: VFSPath, job: ImportJob): void;
  /** Everything that the job waited for has ended. */
  onReady(job: ImportJob): void;
  /** The job waits for itself. */
  onCycle(job: ImportJob, error: ImportError): void;
}

/** Holds jobs back until the imports of the assets that they refer to have ended, well or badly. */
export class ReferenceWaits {
  readonly #jobs: ReadonlyMap<string, ImportJob>;
  readonly #hooks: ReferenceWaitsHooks;

  /** @param jobs - those that are queued or run, by the key of their path */
  constructor(jobs: ReadonlyMap<string, ImportJob>, hooks: ReferenceWaitsHooks) {
    this.#jobs = jobs;
    this.#hooks = hooks;
  }

  /** @returns whether the job has to wait, or is settled because it waits for itself */
  hold(job: ImportJob, references: readonly VFSPath[]): boolean {
    for (const reference of references) {
      const isSelf = reference.equals(job.path);
      const isUnderWay = isSelf || this.#jobs.has(reference.key);
      if (!isUnderWay && !this.#hooks.needsImport(reference)) continue;
      if (!isSelf) this.#hooks.request(reference, job);
      job.waitsFor.add(reference.key);
    }
    if (job.waitsFor.size === 0) return false;
    job.phase = 'waiting';
    job.hasWaited = true;
    job.meta = undefined;
    const cycle = findCycle(job, this.#jobs);
    if (cycle) this.#failCycle(cycle);
    return true;
  }

  /** The import with this key has ended. */
  release(key: string): void {
    for (const job of this.#jobs.values()) {
      if (!job.waitsFor.delete(key) || job.waitsFor.size > 0 || job.phase !== 'waiting') continue;
      job.phase = 'queued';
      this.#hooks.onReady(job);
    }
  }

  #failCycle(cycle: readonly string[]): void {
    const jobs = cycle.slice(1).flatMap((key) => this.#jobs.get(key) ?? []);
    const names = cycle.map((key) => this.#jobs.get(key)?.path.text ?? key);
    for (const job of jobs) this.#hooks.onCycle(job, cycleError(job.path, names));
  }
}
