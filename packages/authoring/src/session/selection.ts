/** How to change a selection. */
export type SelectionChange = 'replace' | 'add' | 'remove' | 'toggle';

/** Chosen things in order of choice, each once. The last one is the active one. */
export class Selection {
  readonly #these = new Set<string>();
  #chosen: readonly string[] | undefined = [];

  /** Replaced, not changed. */
  get chosen(): readonly string[] {
    this.#chosen ??= [...this.#these];
    return this.#chosen;
  }

  /** @returns whether anything changed */
  change(these: readonly string[], how: SelectionChange): boolean {
    if (how === 'remove') return this.#remove(these);
    const given = new Set(these);
    const others = how === 'replace' ? [] : this.chosen.filter((each) => !given.has(each));
    const chosen = [...given].filter((each) => how !== 'toggle' || !this.#these.has(each));
    return this.set([...others, ...chosen]);
  }

  /** @returns whether anything changed */
  set(chosen: readonly string[]): boolean {
    const before = this.chosen;
    if (chosen.length === before.length && chosen.every((each, i) => each === before[i])) {
      return false;
    }
    this.#these.clear();
    for (const each of chosen) this.#these.add(each);
    this.#chosen = undefined;
    return true;
  }

  /** O(these): much may go at once, one by one. */
  #remove(these: readonly string[]): boolean {
    let changed = false;
    for (const each of these) if (this.#these.delete(each)) changed = true;
    if (changed) this.#chosen = undefined;
    return changed;
  }
}
