import { bytesOfLevels, fullLevels, textureLevels } from './texel-formats.js';

/** What the pixels of an image are, and so how they are averaged. */
export type PixelUse = 'color' | 'data' | 'normal';

/** Pixels of an image: red, green, blue, alpha bytes, not premultiplied, rows from the top. */
export interface RgbaImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Bytes to values in [0, 1] and back. */
interface Transfer {
  readonly decode: Float32Array;
  readonly encode: Uint8Array;
}

const ENCODE_STEPS = 65_535;
const LINEAR = transfer((value) => value);
const SRGB = transfer((value) =>
  value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
);

/** @param decode - increasing, from [0, 1] to [0, 1] */
function transfer(decode: (value: number) => number): Transfer {
  const values = Float32Array.from({ length: 256 }, (_, byte) => decode(byte / 255));
  const encode = new Uint8Array(ENCODE_STEPS + 1);
  let byte = 0;
  for (let step = 0; step <= ENCODE_STEPS; step++) {
    // Up to the border between a byte and the next, which is half-way in encoded values.
    while (byte < 255 && decode((byte + 0.5) / 255) <= step / ENCODE_STEPS) byte++;
    encode[step] = byte;
  }
  return { decode: values, encode };
}

/**
 * All mip levels of an image down to one pixel, the largest first, in one array. Colours are averaged as light, not as
 * their sRGB bytes; normals are brought back to unit length; each pixel covers the same part of the image, also where a size is odd.
 *
 * O(pixels); allocates 4/3 of the image.
 */
export function mipChain(image: RgbaImage, use: PixelUse): Uint8Array {
  const { width, height, pixels } = image;
  const levels = textureLevels(
    { format: 'rgba8unorm', shape: '2d', layers: 1, levels: fullLevels(width, height) },
    image,
  );
  const bytes = new Uint8Array(bytesOfLevels(levels));
  bytes.set(pixels.subarray(0, width * height * 4));
  let source: RgbaImage = image;
  for (const level of levels.slice(1)) {
    const target = {
      width: level.width,
      height: level.height,
      pixels: bytes.subarray(level.offset, level.offset + level.bytes),
    };
    const isEven = source.width % 2 === 0 && source.height % 2 === 0;
    (isEven ? reduceEven : reduce)(source, target, use === 'color' ? SRGB : LINEAR);
    if (use === 'normal') normalise(target.pixels);
    source = target;
  }
  return bytes;
}

/** Makes `target`, of half the size rounded down, of `source`. */
function reduce(source: RgbaImage, target: RgbaImage, { decode, encode }: Transfer): void {
  const across = taps(source.width);
  const down = taps(source.height);
  const from = source.pixels;
  const to = target.pixels;
  const alpha = LINEAR.decode;
  const alphaBytes = LINEAR.encode;
  let at = 0;
  for (let y = 0; y < target.height; y++) {
    for (let x = 0; x < target.width; x++) {
      let r = 0;
      let g = 0;
      let b = 0;
      let a = 0;
      for (let j = 0; j < down.count; j++) {
        const wy = down.weights[y * down.count + j] ?? 0;
        let pixel = ((y * 2 + j) * source.width + x * 2) * 4;
        for (let i = 0; i < across.count; i++, pixel += 4) {
          const weight = wy * (across.weights[x * across.count + i] ?? 0);
          r += weight * (decode[from[pixel] ?? 0] ?? 0);
          g += weight * (decode[from[pixel + 1] ?? 0] ?? 0);
          b += weight * (decode[from[pixel + 2] ?? 0] ?? 0);
          a += weight * (alpha[from[pixel + 3] ?? 0] ?? 0);
        }
      }
      to[at] = encode[Math.min(ENCODE_STEPS, (r * ENCODE_STEPS + 0.5) | 0)] ?? 0;
      to[at + 1] = encode[Math.min(ENCODE_STEPS, (g * ENCODE_STEPS + 0.5) | 0)] ?? 0;
      to[at + 2] = encode[Math.min(ENCODE_STEPS, (b * ENCODE_STEPS + 0.5) | 0)] ?? 0;
      to[at + 3] = alphaBytes[Math.min(ENCODE_STEPS, (a * ENCODE_STEPS + 0.5) | 0)] ?? 0;
      at += 4;
    }
  }
}

/** As {@link reduce}, and to the same bytes, where each pixel is the mean of four. */
function reduceEven(source: RgbaImage, target: RgbaImage, { decode, encode }: Transfer): void {
  const from = source.pixels;
  const to = target.pixels;
  const alpha = LINEAR.decode;
  const alphaBytes = LINEAR.encode;
  const stride = source.width * 4;
  let at = 0;
  let upper = 0;
  for (let y = 0; y < target.height; y++, upper += stride) {
    for (let x = 0; x < target.width; x++, upper += 8) {
      for (let channel = 0; channel < 3; channel++) {
        to[at++] = encode[meanStep(decode, from, upper + channel, stride)] as number;
      }
      to[at++] = alphaBytes[meanStep(alpha, from, upper + 3, stride)] as number;
    }
  }
}

/** The mean of a channel of four pixels, in steps of what encodes it. */
function meanStep(decode: Float32Array, from: Uint8Array, at: number, stride: number): number {
  const upper = (decode[from[at] as number] as number) + (decode[from[at + 4] as number] as number);
  const left = upper + (decode[from[at + stride] as number] as number);
  const sum = left + (decode[from[at + stride + 4] as number] as number);
  return Math.min(ENCODE_STEPS, (sum * 0.25 * ENCODE_STEPS + 0.5) | 0);
}

/** How much each of `count` pixels, from `2 i` on, gives to pixel `i` of half as many. */
function taps(size: number): { readonly count: number; readonly weights: Float32Array } {
  if (size === 1) return { count: 1, weights: Float32Array.of(1) };
  const half = size >> 1;
  if (size % 2 === 0) return { count: 2, weights: new Float32Array(size).fill(0.5) };
  const weights = new Float32Array(half * 3);
  for (let i = 0; i < half; i++) {
    weights.set([(half - i) / size, half / size, (i + 1) / size], i * 3);
  }
  return { count: 3, weights };
}

function normalise(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const x = (pixels[at] ?? 0) / 127.5 - 1;
    const y = (pixels[at + 1] ?? 0) / 127.5 - 1;
    const z = (pixels[at + 2] ?? 0) / 127.5 - 1;
    const length = Math.hypot(x, y, z);
    // Directions that cancel out have no mean: straight up is the one that changes nothing.
    const scale = length > 0.01 ? 127.5 / length : 0;
    pixels[at] = Math.round(x * scale + 127.5);
    pixels[at + 1] = Math.round(y * scale + 127.5);
    pixels[at + 2] = scale === 0 ? 255 : Math.round(z * scale + 127.5);
  }
}
