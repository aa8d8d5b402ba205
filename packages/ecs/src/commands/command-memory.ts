import { Heap } from '../storage/heap.js';

/** Where a command buffer keeps its records. */
export interface CommandMemory {
  readonly heap: Heap;
  /**
   * Makes room for at least `bytes`.
   *
   * @param used - bytes that are to be kept
   * @returns the heap from now on
   */
  grow(bytes: number, used: number): Heap;
}

const INITIAL_BYTES = 1_024;

/** Memory of one thread, which doubles. */
export class PrivateMemory implements CommandMemory {
  #heap = new Heap(new ArrayBuffer(INITIAL_BYTES));

  get heap(): Heap {
    return this.#heap;
  }

  grow(bytes: number, used: number): Heap {
    let size = this.#heap.u8.length;
    while (size < bytes) size *= 2;
    const grown = new Heap(new ArrayBuffer(size));
    grown.u8.set(this.#heap.u8.subarray(0, used));
    this.#heap = grown;
    return grown;
  }
}
