import { fromHalf } from './float-image.js';

/** Above 1, light is an exponential of what DWAA stores: of this base, e to the power of 2.2. */
const BASE = Math.fround(2.7182818 ** 2.2);
const GAMMA = Math.fround(2.2);
/** Where the exponent of a half float has all its bits: infinity, and what is no number. */
const NOT_FINITE = 0x7c00;

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

/** The half float that is nearest to a float of 32 bits, ties to even. @param bits - of the float */
export function halfOfBits(bits: number): number {
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const mantissa = bits & 0x7fffff;
  if (exponent >= 143) {
    return sign | NOT_FINITE | (exponent === 0xff && mantissa !== 0 ? 0x200 : 0);
  }
  // Below 2⁻²⁵ even the least one is further away than zero.
  if (exponent < 102) return sign;
  const dropped = exponent < 113 ? 126 - exponent : 13;
  const kept = exponent < 113 ? mantissa | 0x800000 : mantissa + ((exponent - 112) << 23);
  const half = kept >>> dropped;
  const rest = kept & ((1 << dropped) - 1);
  const middle = 1 << (dropped - 1);
  // What is carried out of the mantissa belongs into the exponent.
  return sign | (half + (rest > middle || (rest === middle && (half & 1) === 1) ? 1 : 0));
}
