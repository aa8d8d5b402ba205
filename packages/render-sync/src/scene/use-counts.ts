/** Counts how often things are used. */
export class UseCounts {
  readonly #counts = new Map<string, number>();

  add(uuid: string, by: 1 | -1): void {
    const count = (this.#counts.get(uuid) ?? 0) + by;
    if (count > 0) this.#counts.set(uuid, count);
    else this.#counts.delete(uuid);
  }

  /** What is used at all. */
  keys(): IterableIterator<string> {
    return this.#counts.keys();
  }

  has(uuid: string): boolean {
    return this.#counts.has(uuid);
  }
}
