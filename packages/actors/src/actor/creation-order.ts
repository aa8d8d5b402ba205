import type { ActorEntry } from './actor-entry.js';

/** Below this many holes, closing them isn't worth it. */
const MIN_HOLES = 64;

/**
 * Actors in the order of their creation. A removed one leaves a hole, so that whoever walks the list
 * by index is not disturbed; holes are closed when there are more of them than actors, but never
 * while the list is `held`. All operations are O(1), amortised.
 */
export class CreationOrder {
  readonly #entries: (ActorEntry | undefined)[] = [];
  #holes = 0;
  #held = false;

  /** One past the last index, holes included. */
  get length(): number {
    return this.#entries.length;
  }

  /** The entry there, or `undefined` for a hole. */
  at(index: number): ActorEntry | undefined {
    return this.#entries[index];
  }

  add(entry: ActorEntry): void {
    entry.place = this.#entries.length;
    this.#entries.push(entry);
  }

  remove(entry: ActorEntry): void {
    this.#entries[entry.place] = undefined;
    this.#holes++;
    this.#closeHoles();
  }

  /** Whether indices must stay as they are because a tick walks the list. */
  set held(held: boolean) {
    this.#held = held;
    this.#closeHoles();
  }

  get held(): boolean {
    return this.#held;
  }

  #closeHoles(): void {
    if (this.#held || this.#holes < MIN_HOLES || this.#holes * 2 < this.#entries.length) return;
    let next = 0;
    for (const entry of this.#entries) {
      if (entry === undefined) continue;
      entry.place = next;
      this.#entries[next++] = entry;
    }
    this.#entries.length = next;
    this.#holes = 0;
  }
}
