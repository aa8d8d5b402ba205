/**
 * How the jobs of a wave on one thread used the queries of their systems, in shared memory: a query that nobody
 * iterated has not run, and marks nothing as changed.
 */
export class QueryUses {
  readonly #bits: Uint8Array;

  /** Maps `queries` bytes of `buffer`. */
  constructor(buffer: SharedArrayBuffer, offset: number, queries: number) {
    this.#bits = new Uint8Array(buffer, offset, queries);
  }

  /** Thread: adds bits of `QueryUse`. */
  add(query: number, bits: number): void {
    const before = this.#bits[query] ?? 0;
    // Threads have neighbouring bytes: a write takes their line away from the others.
    if ((before | bits) !== before) this.#bits[query] = before | bits;
  }

  /** Owner: takes the bits of a query. */
  take(query: number): number {
    const bits = this.#bits[query] ?? 0;
    if (bits !== 0) this.#bits[query] = 0;
    return bits;
  }
}
