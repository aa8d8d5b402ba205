import { GrowingBuffer } from './growing-buffer.js';

/** Runs of rows that a query selects, in shared memory: written by the owner before a wave, read by jobs. */
export class RowRuns {
  readonly #memory: GrowingBuffer;
  #words: Int32Array;
  #count = 0;

  /** @param buffer - made by {@link GrowingBuffer.allocate} */
  constructor(buffer: SharedArrayBuffer) {
    this.#memory = new GrowingBuffer(buffer);
    this.#words = new Int32Array(buffer, 0, buffer.byteLength / 4);
  }

  /** Owner: runs added since `clear`. */
  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Owner: adds rows `from` to `to - 1`. */
  add(from: number, to: number): void {
    const word = 2 * this.#count++;
    if (word + 2 > this.#words.length) {
      // A GiB holds more runs than a scene has entities.
      this.#memory.grow(4 * (word + 2));
      this.#map();
    }
    this.#words[word] = from;
    this.#words[word + 1] = to;
  }

  /** Job: notices that the memory has grown; before runs are read. */
  refresh(): void {
    if (this.#memory.buffer.byteLength > this.#words.byteLength) this.#map();
  }

  from(run: number): number {
    return this.#words[2 * run] ?? 0;
  }

  to(run: number): number {
    return this.#words[2 * run + 1] ?? 0;
  }

  /** The first of runs `first` to `end - 1`, which are in order, that ends behind `row`; `end` if none does. */
  search(first: number, end: number, row: number): number {
    let low = first;
    let high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.to(middle) <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #map(): void {
    const { buffer } = this.#memory;
    this.#words = new Int32Array(buffer, 0, buffer.byteLength / 4);
  }
}
