/** How urgent an import is. */
export type ImportPriority = 'background' | 'normal' | 'immediate';

const PRIORITIES = ['immediate', 'normal', 'background'] as const;
const RANK: Readonly<Record<ImportPriority, number>> = { immediate: 0, normal: 1, background: 2 };

/** Whether `a` comes before `b`. */
export function isMoreUrgent(a: ImportPriority, b: ImportPriority): boolean {
  return RANK[a] < RANK[b];
}

/**
 * Keys in order of priority, first-in first-out inside each. A key is queued once: pushing it again
 * can only make it more urgent, and puts it behind those of its new priority. Amortised O(1).
 */
export class ImportQueue {
  readonly #lanes: Readonly<Record<ImportPriority, Set<string>>> = {
    immediate: new Set(),
    normal: new Set(),
    background: new Set(),
  };

  get size(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.#lanes[priority].size, 0);
  }

  /** @returns whether `key` is new */
  push(key: string, priority: ImportPriority): boolean {
    const before = this.priorityOf(key);
    if (before === undefined || isMoreUrgent(priority, before)) {
      if (before !== undefined) this.#lanes[before].delete(key);
      this.#lanes[priority].add(key);
    }
    return before === undefined;
  }

  /** Takes out the first of the most urgent, or `undefined` when empty. */
  shift(): string | undefined {
    for (const priority of PRIORITIES) {
      const lane = this.#lanes[priority];
      for (const key of lane) {
        lane.delete(key);
        return key;
      }
    }
    return undefined;
  }

  /** @returns whether it was queued */
  delete(key: string): boolean {
    return PRIORITIES.some((priority) => this.#lanes[priority].delete(key));
  }

  priorityOf(key: string): ImportPriority | undefined {
    return PRIORITIES.find((priority) => this.#lanes[priority].has(key));
  }
}
