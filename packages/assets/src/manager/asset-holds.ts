import { EclipticError } from '@ecliptic/core';

/** Who needs which asset: each hold on one is counted. */
export class AssetHolds {
  readonly #counts = new Map<string, number>();

  add(uuid: string): void {
    this.#counts.set(uuid, this.count(uuid) + 1);
  }

  /** @throws EclipticError `assets/not-held` */
  release(uuid: string): void {
    const count = this.count(uuid);
    if (count === 0) {
      throw new EclipticError('assets/not-held', `Asset ${uuid} is not held`, {
        subjects: { uuid },
        fix: 'Call release() once for each acquire().',
      });
    }
    if (count === 1) this.#counts.delete(uuid);
    else this.#counts.set(uuid, count - 1);
  }

  count(uuid: string): number {
    return this.#counts.get(uuid) ?? 0;
  }

  /** What is held, and everything that this uses, directly or not. */
  needed(dependenciesOf: (uuid: string) => readonly string[]): ReadonlySet<string> {
    const needed = new Set(this.#counts.keys());
    // A set is walked in order of insertion, those that are added on the way included.
    for (const uuid of needed) {
      for (const used of dependenciesOf(uuid)) needed.add(used);
    }
    return needed;
  }
}
