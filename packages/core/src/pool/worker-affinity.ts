import type { PoolWorker } from './pool-worker.js';

/** The most tasks of known affinities that go before one that came earlier. */
const MOST_OVERTAKEN = 64;

/** A task that may prefer a worker. */
export interface Affine {
  readonly affinity: string | undefined;
  /** Tasks that came later and went first. */
  overtaken: number;
}

/** Remembers which affinities each worker has served, and says which task suits which worker. */
export class WorkerAffinity {
  readonly #served = new Map<PoolWorker, Set<string>>();

  note(worker: PoolWorker, affinity: string | undefined): void {
    if (affinity === undefined) return;
    const served = this.#served.get(worker);
    if (served) served.add(affinity);
    else this.#served.set(worker, new Set([affinity]));
  }

  forget(worker: PoolWorker): void {
    this.#served.delete(worker);
  }

  /** How badly a task suits the workers that are free: 0 well, 1 it would be new to all workers, 2 only to these. */
  misfit({ affinity, overtaken }: Affine, free: readonly PoolWorker[]): number {
    if (affinity === undefined || overtaken >= MOST_OVERTAKEN) return 0;
    if (free.some((worker) => this.#serves(worker, affinity))) return 0;
    for (const served of this.#served.values()) if (served.has(affinity)) return 2;
    return 1;
  }

  /** Of the workers that are free the one for a task; without one that served its affinity, the last. */
  choose({ affinity }: Affine, free: readonly PoolWorker[]): PoolWorker | undefined {
    const known = affinity === undefined ? undefined : free.find((w) => this.#serves(w, affinity));
    return known ?? free.at(-1);
  }

  #serves(worker: PoolWorker, affinity: string): boolean {
    return this.#served.get(worker)?.has(affinity) ?? false;
  }
}
