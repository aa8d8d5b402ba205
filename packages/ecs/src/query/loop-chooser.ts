/** Copies of the loops that there are. */
export const LOOPS = 64;

/**
 * Gives each query of a scene a copy of the loops, no two the same until all are given. The choice begins with a hash of the query,
 * so that several scenes with the same systems use the same copies for them, and other copies for other systems.
 */
export class LoopChooser {
  readonly #used: number[] = Array.from({ length: LOOPS }, () => 0);

  choose(query: string): number {
    let hash = 0;
    for (let i = 0; i < query.length; i++) hash = Math.imul(hash ^ query.charCodeAt(i), 0x01000193);
    const start = (hash ^ (hash >>> 15)) & (LOOPS - 1);
    const least = Math.min(...this.#used);
    let at = start;
    while (this.#used[at] !== least) at = (at + 1) & (LOOPS - 1);
    this.#used[at] = least + 1;
    return at;
  }
}
