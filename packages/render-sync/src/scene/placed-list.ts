import { AFFINE_FLOATS } from '../math/affine-rows.js';

/** Things with parameters and a place, filled anew each frame and packed as in a frame state. */
export class PlacedList {
  readonly capacity: number;
  /** How many found no room since the last {@link PlacedList.clear}. */
  overflow = 0;
  protected readonly parameters: Float32Array;
  readonly #ids: Uint32Array;
  readonly #previous: Float32Array;
  readonly #current: Float32Array;
  readonly #parameterFloats: number;
  #count = 0;

  constructor(capacity: number, parameterFloats: number) {
    this.capacity = capacity;
    this.#parameterFloats = parameterFloats;
    this.parameters = new Float32Array(capacity * parameterFloats);
    this.#ids = new Uint32Array(capacity);
    this.#previous = new Float32Array(capacity * AFFINE_FLOATS);
    this.#current = new Float32Array(capacity * AFFINE_FLOATS);
  }

  get count(): number {
    return this.#count;
  }

  /** Forgets all of them. */
  clear(): void {
    this.#count = 0;
    this.overflow = 0;
  }

  /** @returns the index whose parameters are to be set, or −1 when there was no room */
  protected place(
    id: number,
    previous: Float32Array,
    p: number,
    current: Float32Array,
    c: number,
  ): number {
    if (this.#count === this.capacity) {
      this.overflow++;
      return -1;
    }
    const index = this.#count++;
    this.#ids[index] = id;
    const to = index * AFFINE_FLOATS;
    for (let i = 0; i < AFFINE_FLOATS; i++) {
      this.#previous[to + i] = previous[p + i] as number;
      this.#current[to + i] = current[c + i] as number;
    }
    return index;
  }

  protected copyTo(
    ids: Uint32Array,
    parameters: Float32Array,
    previous: Float32Array,
    current: Float32Array,
  ): void {
    const count = this.#count;
    ids.set(this.#ids.subarray(0, count));
    parameters.set(this.parameters.subarray(0, count * this.#parameterFloats));
    previous.set(this.#previous.subarray(0, count * AFFINE_FLOATS));
    current.set(this.#current.subarray(0, count * AFFINE_FLOATS));
  }
}
