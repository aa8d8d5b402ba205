import { FRAME_HEADER } from './frame-state-layout.js';
import { RowPool, type VersionedRows } from './row-pool.js';

/** Which transforms of instances a frame state has: those in its own bytes, or others of its mailbox. */
export class RowSlot {
  readonly #header: Float64Array;
  readonly #ownPrevious: Float32Array;
  readonly #ownCurrent: Float32Array;
  #pool: RowPool | undefined = undefined;
  /** Number of the slot. */
  #slot = 0;

  /**
   * @param header - of the frame state
   * @param ownPrevious - in its own bytes, as is the next
   */
  constructor(header: Float64Array, ownPrevious: Float32Array, ownCurrent: Float32Array) {
    this.#header = header;
    this.#ownPrevious = ownPrevious;
    this.#ownCurrent = ownCurrent;
  }

  /** Lets states refer to each other's. @param slots - all of one mailbox */
  static link(slots: readonly RowSlot[]): void {
    const buffers = slots.flatMap((slot) => [slot.#ownPrevious, slot.#ownCurrent]);
    const used = slots.flatMap(({ previousBuffer, currentBuffer }, at) => [
      (previousBuffer || at * 2 + 1) - 1,
      (currentBuffer || at * 2 + 2) - 1,
    ]);
    const pool = new RowPool(buffers, used);
    for (const [at, slot] of slots.entries()) {
      slot.#pool = pool;
      slot.#slot = at;
    }
  }

  /** 0 for its own bytes, else 1 + a buffer of the mailbox. */
  get previousBuffer(): number {
    return this.#header[FRAME_HEADER.previousRows] ?? 0;
  }

  get currentBuffer(): number {
    return this.#header[FRAME_HEADER.currentRows] ?? 0;
  }

  get previous(): Float32Array {
    return this.#pool?.buffers[this.previousBuffer - 1] ?? this.#ownPrevious;
  }

  get current(): Float32Array {
    return this.#pool?.buffers[this.currentBuffer - 1] ?? this.#ownCurrent;
  }

  /** Sets both. @param floats - how many numbers of each count */
  write(previous: VersionedRows, current: VersionedRows, floats: number): void {
    const pool = this.#pool;
    if (pool === undefined) {
      this.#ownPrevious.set(previous.rows.subarray(0, floats));
      this.#ownCurrent.set(current.rows.subarray(0, floats));
      return;
    }
    pool.write(this.#slot, previous, current, floats);
    this.#header[FRAME_HEADER.previousRows] = pool.previousOf(this.#slot) + 1;
    this.#header[FRAME_HEADER.currentRows] = pool.currentOf(this.#slot) + 1;
  }
}
