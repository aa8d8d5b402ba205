import { LIGHT_KERNEL_BYTES } from './light-kernel-bytes.js';
import type { Lobe } from './lobe.js';
import { scalarLightKernel } from './scalar-light-kernel.js';
import { simdLightKernel } from './simd-light-kernel.js';

/** A level of a cube map that is to be made. */
interface LightLevel {
  /** Pixels a side, an even number. */
  readonly size: number;
  /** What each pixel sees around its direction. */
  readonly lobe: Lobe;
}

/**
 * Makes levels of cube maps: of each its pixels as RGBA half floats, face after face in the order +X, −X, +Y, −Y, +Z, −Z. A pixel is the
 * weighted sum of the directions of a lobe, each looked up between four pixels, around the sides and not over the top. There are one of
 * WebAssembly's vectors and one of JavaScript, which come to the same bits.
 */
export type LightKernel = (levels: readonly LightLevel[]) => Promise<Uint16Array[]>;

/** The fastest that the engine runs: some know no vectors, and pages may forbid WebAssembly. */
export async function loadLightKernel(): Promise<LightKernel> {
  const bytes = Uint8Array.from(atob(LIGHT_KERNEL_BYTES), (character) => character.charCodeAt(0));
  try {
    return simdLightKernel(await WebAssembly.compile(bytes));
  } catch {
    return scalarLightKernel;
  }
}
