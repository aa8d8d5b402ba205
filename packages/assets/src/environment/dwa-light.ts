import { fromHalf } from './float-image.js';
import { halfOfBits, NOT_FINITE } from './half-of-bits.js';

/** Above 1, light is an exponential of what DWAA stores: of this base, e to the power of 2.2. */
const BASE = Math.fround(2.7182818 ** 2.2);
const GAMMA = Math.fround(2.2);

/**
 * Half floats by their bits, and the light that DWAA means by them. It stores light as it is perceived: up to 1 its root of 2.2, above 1 a
 * logarithm that continues it. 512 KiB, made in a few milliseconds: once a picture.
 */
export class DwaLight {
  /** Value of each half float. */
  readonly values: Float32Array<ArrayBuffer> = new Float32Array(2 ** 16);
  /** Half float of the light that each half float means. */
  readonly linear: Uint16Array = new Uint16Array(2 ** 16);

  constructor() {
    const light = new Float32Array(1);
    const bits = new Uint32Array(light.buffer);
    for (let half = 0; half < 2 ** 16; half++) {
      const value = fromHalf(half);
      this.values[half] = value;
      if ((half & NOT_FINITE) === NOT_FINITE) continue;
      const size = Math.abs(value);
      light[0] = (value < 0 ? -1 : 1) * (size <= 1 ? size ** GAMMA : BASE ** (size - 1));
      this.linear[half] = halfOfBits(bits[0] ?? 0);
    }
  }
}
