/** How to change a selection. */
export type SelectionChange = 'replace' | 'add' | 'remove' | 'toggle';

/** Chosen things in order of choice, each once. The last one is the active one. */
export class Selection {
  #chosen: readonly string[] = [];

  /** Replaced, not changed. */
  get chosen(): readonly string[] {
    return this.#chosen;
  }

  /** @returns whether anything changed */
  change(these: readonly string[], how: SelectionChange): boolean {
    const given = new Set(these);
    const others = this.#chosen.filter((each) => !given.has(each));
    const before = new Set(this.#chosen);
    switch (how) {
      case 'replace':
        return this.set([...given]);
      case 'add':
        return this.set([...others, ...given]);
      case 'remove':
        return this.set(others);
      case 'toggle':
        return this.set([...others, ...[...given].filter((each) => !before.has(each))]);
    }
  }

  /** @returns whether anything changed */
  set(chosen: readonly string[]): boolean {
    const same =
      chosen.length === this.#chosen.length && chosen.every((each, i) => each === this.#chosen[i]);
    if (!same) this.#chosen = chosen;
    return !same;
  }
}
