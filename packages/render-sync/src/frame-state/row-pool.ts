/** Affine rows of instances, and a number that grows whenever they change. */
export interface VersionedRows {
  readonly rows: Float32Array;
  readonly version: number;
}

/**
 * Where the transforms of instances are in the slots of one shared mailbox: two buffers a slot, to any of which the state of any slot may
 * refer. Rows that a buffer holds already, since they were in the state before or in the one before that, are not copied again: what was
 * `current` is most often `previous` in the next. The writing end decides; a buffer to which another slot refers is never written, and as
 * all states but the one that is written refer to at most four of the six, there is always another.
 */
export class RowPool {
  readonly buffers: readonly Float32Array[];
  /** What each buffer holds. */
  readonly #sources: (VersionedRows | undefined)[];
  readonly #versions: Float64Array;
  /** Buffers that the state of each slot refers to, two a slot. */
  readonly #used: Int32Array;

  /**
   * @param buffers - two a slot
   * @param used - buffers that the state of each slot refers to
   */
  constructor(buffers: readonly Float32Array[], used: readonly number[]) {
    this.buffers = buffers;
    this.#sources = buffers.map(() => undefined);
    this.#versions = new Float64Array(buffers.length);
    this.#used = Int32Array.from(used);
  }

  /**
   * Finds the buffers that hold what the state of a slot is to refer to, after copying what none holds.
   *
   * @param floats - how many numbers of each count
   */
  write(slot: number, previous: VersionedRows, current: VersionedRows, floats: number): void {
    const found = this.#find(current);
    let from = this.#find(previous);
    if (from < 0) from = this.#copy(slot, previous, floats, found);
    const to = found < 0 ? this.#copy(slot, current, floats, from) : found;
    this.#used[slot * 2] = from;
    this.#used[slot * 2 + 1] = to;
  }

  /** The buffer that the state of a slot refers to for the rows one step back, since the last {@link RowPool.write}. */
  previousOf(slot: number): number {
    return this.#used[slot * 2] as number;
  }

  /** The same for the rows of the last step. */
  currentOf(slot: number): number {
    return this.#used[slot * 2 + 1] as number;
  }

  #find(source: VersionedRows): number {
    for (let at = 0; at < this.buffers.length; at++) {
      if (this.#sources[at] === source && this.#versions[at] === source.version) return at;
    }
    return -1;
  }

  #copy(slot: number, source: VersionedRows, floats: number, kept: number): number {
    const at = this.#free(slot, kept);
    this.buffers[at]?.set(source.rows.subarray(0, floats));
    this.#sources[at] = source;
    this.#versions[at] = source.version;
    return at;
  }

  /** A buffer to which no other slot refers, and not `kept`. */
  #free(slot: number, kept: number): number {
    let at = 0;
    while (at === kept || this.#isUsedBeside(slot, at)) at++;
    return at;
  }

  #isUsedBeside(slot: number, buffer: number): boolean {
    for (let i = 0; i < this.#used.length; i++) {
      if (i >> 1 !== slot && this.#used[i] === buffer) return true;
    }
    return false;
  }
}
