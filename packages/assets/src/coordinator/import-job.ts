import type { VFSPath } from '@ecliptic/vfs';
import { ImportError } from '../diagnostics/import-error.js';
import type { AssetMeta } from '../identity/asset-meta.js';
import type { ImportPriority } from './import-queue.js';
import type { ImportReport } from './import-report.js';

/** One import on its way through the coordinator. */
export interface ImportJob {
  readonly path: VFSPath;
  priority: ImportPriority;
  /** `queued` again once its dependencies are there. */
  phase: 'queued' | 'preparing' | 'waiting' | 'importing';
  /** Of its main asset, once that is known. */
  uuid: string | undefined;
  /** Whether it has waited for what it needs, and may go on with what there is. */
  hasWaited: boolean;
  /** Keys of the paths that it waits for. */
  readonly waitsFor: Set<string>;
  readonly controller: AbortController;
  stopTimer: (() => void) | undefined;
  /** The source may be half-written. */
  settled: boolean;
  force: boolean;
  /** Its sidecar, if that was read before it was queued. */
  meta: AssetMeta | undefined;
  /** The source changed while the importer ran: it runs again. */
  again: boolean;
  readonly promise: Promise<ImportReport>;
  readonly resolve: (report: ImportReport) => void;
}

/** Makes a job that is queued. */
export function createJob(path: VFSPath, priority: ImportPriority): ImportJob {
  let resolve: (report: ImportReport) => void = () => undefined;
  const promise = new Promise<ImportReport>((done) => (resolve = done));
  return {
    path,
    priority,
    phase: 'queued',
    uuid: undefined,
    hasWaited: false,
    waitsFor: new Set(),
    controller: new AbortController(),
    stopTimer: undefined,
    settled: false,
    force: false,
    meta: undefined,
    again: false,
    promise,
    resolve,
  };
}

/**
 * A way from `job` back to itself along what jobs wait for, as keys of paths, or `undefined`. The
 * first and the last are the same.
 */
export function findCycle(
  job: ImportJob,
  jobs: ReadonlyMap<string, ImportJob>,
): readonly string[] | undefined {
  const start = job.path.key;
  const cameFrom = new Map<string, string>();
  const reached = new Set([start]);
  for (const at of reached) {
    for (const next of jobs.get(at)?.waitsFor ?? []) {
      if (next === start) {
        const way = [start];
        for (let step: string | undefined = at; step !== undefined && step !== start;) {
          way.unshift(step);
          step = cameFrom.get(step);
        }
        return [start, ...way];
      }
      if (reached.has(next)) continue;
      reached.add(next);
      cameFrom.set(next, at);
    }
  }
  return undefined;
}

/** The error of a job that waits for itself. @param names - paths, the first and the last the same */
export function cycleError(path: VFSPath, names: readonly string[]): ImportError {
  return new ImportError([
    {
      severity: 'error',
      code: 'assets/import-cycle',
      message: `The assets need each other: ${names.join(' → ')}`,
      file: path.text,
    },
  ]);
}

/** `work`, or the signal's reason as soon as it is aborted; what `work` does afterwards is nobody's business. */
export function abortable(signal: AbortSignal, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    work.then(resolve, reject);
  });
}
