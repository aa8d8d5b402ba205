/** How urgent a task is; within one priority, first come, first served. */
export type TaskPriority = 'background' | 'normal' | 'immediate';

/** Most urgent first. */
export const TASK_PRIORITIES: readonly TaskPriority[] = ['immediate', 'normal', 'background'];

/** Waiting things by priority. All operations are O(1), also removal from the middle, but for a search by fitness. */
export class TaskQueue<T> {
  readonly #lanes: Readonly<Record<TaskPriority, Set<T>>> = {
    immediate: new Set(),
    normal: new Set(),
    background: new Set(),
  };

  get size(): number {
    return TASK_PRIORITIES.reduce((sum, priority) => sum + this.#lanes[priority].size, 0);
  }

  /** How many wait in one priority. */
  count(priority: TaskPriority): number {
    return this.#lanes[priority].size;
  }

  push(item: T, priority: TaskPriority): void {
    this.#lanes[priority].add(item);
  }

  /**
   * Takes the oldest of the most urgent; with `misfit`, which is 0 or more, the one with the least of it, found by a search up to
   * the first that has none.
   *
   * @param overtaken - told which is the oldest, where another was taken
   */
  shift(
    misfit: (item: T) => number = () => 0,
    overtaken: (oldest: T) => void = () => {},
  ): T | undefined {
    const lane = TASK_PRIORITIES.map((each) => this.#lanes[each]).find(({ size }) => size > 0);
    if (!lane) return undefined;
    const [oldest] = lane as Set<T | undefined>;
    let best = oldest;
    let least = Infinity;
    for (const item of lane) {
      const current = misfit(item);
      if (current >= least) continue;
      best = item;
      least = current;
      if (least === 0) break;
    }
    lane.delete(best as T);
    if (best !== oldest) overtaken(oldest as T);
    return best;
  }

  remove(item: T): void {
    for (const priority of TASK_PRIORITIES) this.#lanes[priority].delete(item);
  }

  /** In the order of {@link TaskQueue.shift}. */
  *[Symbol.iterator](): Iterator<T> {
    for (const priority of TASK_PRIORITIES) yield* this.#lanes[priority];
  }
}
