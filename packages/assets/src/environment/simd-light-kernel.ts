import type { FloatImage } from './float-image.js';
import type { LightKernel } from './light-kernel.js';
import type { Lobe } from './lobe.js';
import { scalarLightKernel } from './scalar-light-kernel.js';

/** Bytes of a page of WebAssembly. */
const PAGE = 2 ** 16;
/** Numbers of four directions, eight vectors. */
const GROUP_NUMBERS = 32;
const CHANNELS = 4;
const PIXEL_BYTES = CHANNELS * 4;

interface KernelExports {
  readonly gather: (
    groups: number,
    count: number,
    size: number,
    face: number,
    row: number,
    out: number,
  ) => void;
}

/**
 * Copies the pictures into a memory of WebAssembly; where it gives none, the twin of JavaScript, which copies nothing, takes over.
 *
 * @param module - light-kernel.as, compiled
 */
export function simdLightKernel(module: WebAssembly.Module): LightKernel {
  return async (levels) => {
    // Pictures, then the directions of one level, then its pixels. A memory of its own, so that it is freed.
    const images = new Set(levels.flatMap(({ lobe }) => lobe.images));
    const places = new Map<FloatImage, number>();
    let directionsAt = 0;
    for (const image of images) {
      places.set(image, directionsAt);
      directionsAt += bytesOf(image);
    }
    const groups = Math.max(...levels.map(({ lobe }) => Math.ceil(lobe.images.length / 4)));
    const pixelsAt = directionsAt + groups * GROUP_NUMBERS * 4;
    const end = pixelsAt + Math.max(...levels.map(({ size }) => valuesOf(size))) * 2;
    const memory = tryMemory(Math.ceil(end / PAGE));
    if (memory === undefined) return scalarLightKernel(levels);
    const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
    const { gather } = exports as unknown as KernelExports;
    for (const [image, at] of places) {
      placeImage(image, new Float32Array(memory.buffer, at, bytesOf(image) / 4));
    }
    return levels.map(({ size, lobe }) => {
      placeLobe(lobe, places, memory.buffer, directionsAt);
      let at = pixelsAt;
      for (let face = 0; face < 6; face++) {
        for (let row = 0; row < size; row++, at += size * CHANNELS * 2) {
          gather(directionsAt, lobe.images.length, size, face, row, at);
        }
      }
      return new Uint16Array(memory.buffer, pixelsAt, valuesOf(size)).slice();
    });
  };
}

/** A memory; `undefined` where there isn't as much, or none may be as large. */
function tryMemory(pages: number): WebAssembly.Memory | undefined {
  try {
    return new WebAssembly.Memory({ initial: pages });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Numbers of a level. */
function valuesOf(size: number): number {
  return 6 * size * size * CHANNELS;
}

/** Bytes of a picture with a border of a pixel. */
function bytesOf({ width, height }: FloatImage): number {
  return strideOf(width) * (height + 2);
}

/** Bytes of one of its rows. */
function strideOf(width: number): number {
  return (width + 2) * PIXEL_BYTES;
}

/** Copies a picture. Its border goes on around the sides, and repeats its first and its last row. */
function placeImage({ width, height, data }: FloatImage, target: Float32Array): void {
  let to = 0;
  for (let row = -1; row <= height; row++) {
    const start = Math.min(Math.max(row, 0), height - 1) * width;
    for (let column = -1; column <= width; column++, to += CHANNELS) {
      const from = (start + ((column + width) % width)) * 3;
      target[to] = data[from] as number;
      target[to + 1] = data[from + 1] as number;
      target[to + 2] = data[from + 2] as number;
    }
  }
}

/** What light-kernel.as reads of each four directions: vectors of their x, y, z, weights, widths, heights, strides and first pixels. */
function placeLobe(
  { samples, images }: Lobe,
  places: ReadonlyMap<FloatImage, number>,
  buffer: ArrayBuffer,
  at: number,
): void {
  const count = Math.ceil(images.length / 4) * GROUP_NUMBERS;
  const floats = new Float32Array(buffer, at, count);
  const integers = new Int32Array(buffer, at, count);
  for (const [i, image] of images.entries()) {
    const first = (i >> 2) * GROUP_NUMBERS + (i & 3);
    const stride = strideOf(image.width);
    for (let n = 0; n < 4; n++) floats[first + n * 4] = samples[i * 4 + n] as number;
    floats[first + 16] = image.width;
    floats[first + 20] = image.height;
    integers[first + 24] = stride;
    integers[first + 28] = (places.get(image) ?? 0) + stride + PIXEL_BYTES;
  }
}
