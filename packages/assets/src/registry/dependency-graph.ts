/** Which asset uses which, both ways. Cycles are legal here; who must not have one checks. */
export class DependencyGraph {
  readonly #dependencies = new Map<string, Set<string>>();
  readonly #dependents = new Map<string, Set<string>>();

  /** Replaces what `from` uses. */
  set(from: string, uuids: Iterable<string>): void {
    for (const to of this.#dependencies.get(from) ?? []) {
      const users = this.#dependents.get(to);
      users?.delete(from);
      if (users?.size === 0) this.#dependents.delete(to);
    }
    const uses = new Set(uuids);
    if (uses.size === 0) this.#dependencies.delete(from);
    else this.#dependencies.set(from, uses);
    for (const to of uses) {
      const users = this.#dependents.get(to);
      if (users) users.add(from);
      else this.#dependents.set(to, new Set([from]));
    }
  }

  dependenciesOf(uuid: string): string[] {
    return [...(this.#dependencies.get(uuid) ?? [])];
  }

  dependentsOf(uuid: string): string[] {
    return [...(this.#dependents.get(uuid) ?? [])];
  }

  /** `uuid` and everything that uses it, directly or not, each once, breadth first. */
  withDependents(uuid: string): string[] {
    const reached = new Set([uuid]);
    // A set is walked in order of insertion, those that are added on the way included.
    for (const at of reached) {
      for (const user of this.#dependents.get(at) ?? []) reached.add(user);
    }
    return [...reached];
  }
}
