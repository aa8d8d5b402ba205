/** Arrays in pieces of one length. The pieces of an array are made once: those of a mailbox in shared memory are the same for ever. */
export class ArrayChunks<A extends Float32Array | Uint32Array> {
  readonly #length: number;
  readonly #known = new WeakMap<A, readonly A[]>();

  /** @param length - elements of a piece, but for the last one */
  constructor(length: number) {
    this.#length = length;
  }

  /** The pieces of an array, in order. */
  of(array: A): readonly A[] {
    const known = this.#known.get(array);
    if (known !== undefined) return known;
    const pieces: A[] = [];
    for (let start = 0; start < array.length; start += this.#length) {
      pieces.push(array.subarray(start, start + this.#length) as A);
    }
    this.#known.set(array, pieces);
    return pieces;
  }
}
