/** Hands out ranges of a growing space, first fit; freed neighbours become one. O(free ranges) a call. */
export class RangeAllocator {
  #free: { start: number; length: number }[] = [];
  #end = 0;

  /** Where the used part ends: what a buffer must hold. */
  get end(): number {
    return this.#end;
  }

  /** @returns where the range starts */
  allocate(length: number): number {
    const index = this.#free.findIndex((range) => range.length >= length);
    const range = this.#free[index];
    if (range) {
      const { start } = range;
      range.start += length;
      range.length -= length;
      if (range.length === 0) this.#free.splice(index, 1);
      return start;
    }
    const start = this.#end;
    this.#end += length;
    return start;
  }

  /** Takes back a range that {@link RangeAllocator.allocate} gave. */
  free(start: number, length: number): void {
    if (length === 0) return;
    let at = this.#free.findIndex((range) => range.start > start);
    if (at < 0) at = this.#free.length;
    this.#free.splice(at, 0, { start, length });
    this.#merge(at);
    this.#merge(at - 1);
    const last = this.#free.at(-1);
    if (last && last.start + last.length === this.#end) {
      this.#end = last.start;
      this.#free.pop();
    }
  }

  clear(): void {
    this.#free = [];
    this.#end = 0;
  }

  #merge(at: number): void {
    const range = this.#free[at];
    const next = this.#free[at + 1];
    if (!range || !next || range.start + range.length !== next.start) return;
    range.length += next.length;
    this.#free.splice(at + 1, 1);
  }
}
