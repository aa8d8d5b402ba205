import { fromHalf, MOST_LIGHT } from './float-image.js';

/** What is put in place of light that is infinite, or nearly: the most that half floats hold. */
const INSTEAD = 65_504;
/** Bits of the largest half float, and of the zero below zero. Others above are negative, infinite or no numbers. */
const LARGEST = 0x7bff;
const NEGATIVE_ZERO = 0x8000;

/** Light that a value stands for: itself, unless it is negative, not finite or beyond all light. */
function lightOf(value: number): number {
  if (value >= 0 && value <= MOST_LIGHT) return value;
  return value > 0 ? INSTEAD : 0;
}

/** Light of half floats, by their bits: 256 KiB, made in a millisecond, once a picture. */
export class HalfLight {
  readonly #values = new Float32Array(2 ** 16);

  constructor() {
    for (let bits = 0; bits < 2 ** 16; bits++) this.#values[bits] = lightOf(fromHalf(bits));
  }

  /**
   * Copies half floats as light.
   *
   * @param from - byte of the first
   * @param to - where the first one goes; the next ones every three numbers
   * @returns how many were replaced
   */
  copy(view: DataView, from: number, count: number, target: Float32Array, to: number): number {
    const values = this.#values;
    let replaced = 0;
    for (let i = 0; i < count; i++) {
      const bits = view.getUint16(from + i * 2, true);
      if (bits > LARGEST && bits !== NEGATIVE_ZERO) replaced++;
      target[to + i * 3] = values[bits] as number;
    }
    return replaced;
  }
}

/** As {@link HalfLight.copy}, of floats of 32 bits. */
export function copyFloatLight(
  view: DataView,
  from: number,
  count: number,
  target: Float32Array,
  to: number,
): number {
  let replaced = 0;
  for (let i = 0; i < count; i++) {
    const value = view.getFloat32(from + i * 4, true);
    const light = lightOf(value);
    if (light !== value) replaced++;
    target[to + i * 3] = light;
  }
  return replaced;
}
