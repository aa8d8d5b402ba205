/** How urgent a task is; within one priority, first come, first served. */
export type TaskPriority = 'background' | 'normal' | 'immediate';

/** Most urgent first. */
export const TASK_PRIORITIES: readonly TaskPriority[] = ['immediate', 'normal', 'background'];

/** Waiting things by priority. All operations are O(1), also removal from the middle. */
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

  /** Takes the oldest of the most urgent. */
  shift(): T | undefined {
    for (const priority of TASK_PRIORITIES) {
      for (const item of this.#lanes[priority]) {
        this.#lanes[priority].delete(item);
        return item;
      }
    }
    return undefined;
  }

  remove(item: T): void {
    for (const priority of TASK_PRIORITIES) this.#lanes[priority].delete(item);
  }

  /** In the order of {@link TaskQueue.shift}. */
  *[Symbol.iterator](): Iterator<T> {
    for (const priority of TASK_PRIORITIES) yield* this.#lanes[priority];
  }
}
