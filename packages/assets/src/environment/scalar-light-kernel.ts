import { turnOf } from './fast-angles.js';
import type { FloatImage } from './float-image.js';
import type { LightKernel } from './light-kernel.js';
import type { Lobe } from './lobe.js';

const { floor, fround, max, min, sqrt } = Math;

/** The alpha of every pixel, 1. */
const OPAQUE = 0x3c00;

/** A unit vector. */
export type Direction = [x: number, y: number, z: number];

/** Light-kernel.as in JavaScript, step by step, with every result rounded to 32 bits. */
export const scalarLightKernel: LightKernel = async (levels) =>
  levels.map(({ size, lobe }) => {
    const pixels = new Uint16Array(6 * size * size * 4);
    const normal: Direction = [0, 0, 0];
    const light = new Float32Array(3);
    const bits = new Int32Array(light.buffer);
    let at = 0;
    for (let face = 0; face < 6; face++) {
      for (let row = 0; row < size; row++) {
        for (let column = 0; column < size; column++) {
          direct(normal, face, ((column + 0.5) / size) * 2 - 1, ((row + 0.5) / size) * 2 - 1);
          gather(lobe, normal, light);
          for (let c = 0; c < 3; c++) {
            pixels[at++] = halfOf(light[c] as number, bits[c] as number);
          }
          pixels[at++] = OPAQUE;
        }
      }
    }
    return pixels;
  });

/** Unit direction of a place on a face, `u` to the right and `v` down, as graphics APIs have it. */
export function direct(normal: Direction, face: number, u: number, v: number): void {
  const length = fround(sqrt(fround(fround(fround(u * u) + fround(v * v)) + 1)));
  const a = fround(u / length);
  const b = fround(v / length);
  const c = fround(1 / length);
  const along = face % 2 === 0 ? c : -c;
  if (face < 2) set(normal, along, -b, face === 0 ? -a : a);
  else if (face < 4) set(normal, a, along, face === 2 ? b : -b);
  else set(normal, face === 4 ? a : -a, -b, along);
}

function set(target: Direction, x: number, y: number, z: number): void {
  target[0] = x;
  target[1] = y;
  target[2] = z;
}

/** What a lobe around a normal sees: the weighted sum of its directions, between pixels. */
function gather({ samples, images }: Lobe, normal: Direction, light: Float32Array): void {
  const [x, y, z] = normal;
  // Two directions orthogonal to the normal and to each other. No pixel's middle is at a pole.
  const across = fround(sqrt(fround(fround(z * z) + fround(x * x))));
  const tx = fround(z / across);
  const tz = fround(-x / across);
  const bx = fround(y * tz);
  const by = fround(fround(z * tx) - fround(x * tz));
  const bz = fround(-y * tx);
  let red = 0;
  let green = 0;
  let blue = 0;
  for (let i = 0; i < images.length; i++) {
    const sx = samples[i * 4] as number;
    const sy = samples[i * 4 + 1] as number;
    const sz = samples[i * 4 + 2] as number;
    const weight = samples[i * 4 + 3] as number;
    const { width, height, data } = images[i] as FloatImage;
    const dx = fround(fround(fround(tx * sx) + fround(bx * sy)) + fround(x * sz));
    const dy = fround(fround(by * sy) + fround(y * sz));
    const dz = fround(fround(fround(tz * sx) + fround(bz * sy)) + fround(z * sz));
    const ring = fround(sqrt(fround(fround(dx * dx) + fround(dz * dz))));
    const polar = turnOf(ring, dy);
    const u = fround(fround(fround(0.5 + turnOf(dx, -dz)) * width) - 0.5);
    const v = fround(fround(fround(polar + polar) * height) - 0.5);
    const column = floor(u);
    const row = floor(v);
    const fx = fround(u - column);
    const fy = fround(v - row);
    const gx = fround(1 - fx);
    const gy = fround(fround(1 - fy) * weight);
    const hy = fround(fy * weight);
    const wa = fround(gx * gy);
    const wb = fround(fx * gy);
    const wc = fround(gx * hy);
    const wd = fround(fx * hy);
    const left = column < 0 ? width - 1 : column;
    const right = column + 1 < width ? column + 1 : 0;
    const upper = max(row, 0) * width;
    const lower = min(row + 1, height - 1) * width;
    const a = (upper + left) * 3;
    const b = (upper + right) * 3;
    const c = (lower + left) * 3;
    const d = (lower + right) * 3;
    red = fround(red + between(data, a, b, c, d, wa, wb, wc, wd));
    green = fround(green + between(data, a + 1, b + 1, c + 1, d + 1, wa, wb, wc, wd));
    blue = fround(blue + between(data, a + 2, b + 2, c + 2, d + 2, wa, wb, wc, wd));
  }
  light[0] = red;
  light[1] = green;
  light[2] = blue;
}

/** The weighted sum of four values. */
function between(
  data: Float32Array,
  a: number,
  b: number,
  c: number,
  d: number,
  wa: number,
  wb: number,
  wc: number,
  wd: number,
): number {
  const above = fround(fround((data[a] as number) * wa) + fround((data[b] as number) * wb));
  const below = fround(fround((data[c] as number) * wc) + fround((data[d] as number) * wd));
  return fround(above + below);
}

/** A half float: a bias of 112 less and 13 bits fewer, or a multiple of the smallest of them. The largest one where `value` is larger. */
function halfOf(value: number, bits: number): number {
  if (value >= 2 ** -14) return min(((bits + 0x1000) >>> 13) - (112 << 10), 0x7bff);
  return floor(fround(fround(value * 2 ** 24) + 0.5));
}
