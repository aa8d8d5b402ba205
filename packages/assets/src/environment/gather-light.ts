import { arcCosine, turnOf } from './fast-angles.js';
import type { FloatImage } from './float-image.js';

/** Directions around a normal that light is taken from. */
export interface Lobe {
  /** Of each its direction around +Z, and its weight: four numbers. */
  readonly samples: Float64Array;
  /** For each the copy of the panorama to look in. */
  readonly images: readonly FloatImage[];
}

/**
 * Writes to `light` (RGB) what a lobe around a unit normal sees of a panorama: the weighted sum of its directions, between pixels, around the
 * sides, not over the top. Allocates nothing.
 */
export function gatherLight(
  { samples, images }: Lobe,
  nx: number,
  ny: number,
  nz: number,
  light: Float64Array,
): void {
  // Any two directions orthogonal to the normal and to each other.
  const isUpright = Math.abs(ny) >= 0.99;
  const length = isUpright ? 1 : Math.sqrt(nz * nz + nx * nx);
  const tx = isUpright ? 1 : nz / length;
  const tz = isUpright ? 0 : -nx / length;
  const bx = ny * tz;
  const by = nz * tx - nx * tz;
  const bz = -ny * tx;
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let i = 0; i < images.length; i++) {
    const x = samples[i * 4] as number;
    const y = samples[i * 4 + 1] as number;
    const z = samples[i * 4 + 2] as number;
    const weight = samples[i * 4 + 3] as number;
    const { width, height, data } = images[i] as FloatImage;
    const turn = turnOf(tx * x + bx * y + nx * z, -(tz * x + bz * y + nz * z));
    const u = (0.5 + turn) * width - 0.5;
    const v = (arcCosine(by * y + ny * z) / Math.PI) * height - 0.5;
    const column = Math.floor(u);
    const row = Math.floor(v);
    const fx = u - column;
    const fy = v - row;
    const left = column < 0 ? width - 1 : column;
    const right = column + 1 < width ? column + 1 : 0;
    const upper = Math.max(0, row) * width;
    const lower = Math.min(height - 1, row + 1) * width;
    const a = (upper + left) * 3;
    const b = (upper + right) * 3;
    const c = (lower + left) * 3;
    const d = (lower + right) * 3;
    const wa = (1 - fx) * (1 - fy) * weight;
    const wb = fx * (1 - fy) * weight;
    const wc = (1 - fx) * fy * weight;
    const wd = fx * fy * weight;
    red += (data[a] as number) * wa;
    red += (data[b] as number) * wb;
    red += (data[c] as number) * wc;
    red += (data[d] as number) * wd;
    green += (data[a + 1] as number) * wa;
    green += (data[b + 1] as number) * wb;
    green += (data[c + 1] as number) * wc;
    green += (data[d + 1] as number) * wd;
    blue += (data[a + 2] as number) * wa;
    blue += (data[b + 2] as number) * wb;
    blue += (data[c + 2] as number) * wc;
    blue += (data[d + 2] as number) * wd;
  }
  light[0] = red;
  light[1] = green;
  light[2] = blue;
}
