import { decodeHuffman } from './exr-huffman.js';

/** A channel of a block: how wide its rows are, in 16-bit words, and how many of these belong to a pixel. */
export interface PizChannel {
  readonly width: number;
  readonly height: number;
  readonly words: 1 | 2;
}

/** Of a bit for each value. */
const BITMAP_BYTES = 2 ** 13;

/**
 * Undoes PIZ, one of the compressions of OpenEXR: Huffman codes of a wavelet transform of the values, numbered by those
 * that occur.
 *
 * @returns the words of each channel, one after the other; `undefined` where the data is damaged
 */
export function decodePiz(
  data: Uint8Array,
  channels: readonly PizChannel[],
): Uint16Array | undefined {
  const total = channels.reduce((sum, { width, height, words }) => sum + width * height * words, 0);
  if (data.byteLength < 4) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const first = view.getUint16(0, true);
  const last = view.getUint16(2, true);
  let at = 4;
  const bitmapBytes = Math.max(0, last - first + 1);
  if (last >= BITMAP_BYTES || at + bitmapBytes + 4 > data.byteLength) return undefined;
  const table = valueTable(data.subarray(at, at + bitmapBytes), first);
  at += bitmapBytes;
  if (at + 4 > data.byteLength) return undefined;
  const length = view.getUint32(at, true);
  at += 4;
  if (length > data.byteLength - at) return undefined;
  const values = decodeHuffman(data.subarray(at, at + length), total);
  if (!values) return undefined;
  const largest = table.length - 1;
  let start = 0;
  for (const { width, height, words } of channels) {
    for (let word = 0; word < words; word++) {
      undoWavelet(values, start + word, width, words, height, width * words, largest);
    }
    start += width * height * words;
  }
  for (let i = 0; i < values.length; i++) values[i] = table[values[i] ?? 0] ?? 0;
  return values;
}

/**
 * The values that occur, by number.
 *
 * @param bitmap - a bit for each of them, from `first * 8` on. O(its bytes): a tile may be one pixel
 */
function valueTable(bitmap: Uint8Array, first: number): readonly number[] {
  // Zero has a number, whether it occurs or not.
  const table = [0];
  for (let i = 0; i < bitmap.length; i++) {
    const byte = bitmap[i] ?? 0;
    for (let bit = 0; bit < 8; bit++) {
      const value = (first + i) * 8 + bit;
      if ((byte >> bit) & 1 && value !== 0) table.push(value);
    }
  }
  return table;
}

/**
 * Undoes a two-dimensional Haar transform of whole numbers, in place.
 *
 * @param stepX - from one value to the next, and `stepY` from one row to the next
 * @param largest - value that occurs: below 16,384 the transform was one without overflow
 */
function undoWavelet(
  values: Uint16Array,
  start: number,
  width: number,
  stepX: number,
  height: number,
  stepY: number,
  largest: number,
): void {
  const join = largest < 1 << 14 ? joinSigned : joinModulo;
  const shorter = Math.min(width, height);
  let half = 1;
  while (half * 2 <= shorter) half *= 2;
  for (half >>= 1; half >= 1; half >>= 1) {
    const whole = half * 2;
    let y = 0;
    for (; y + whole <= height; y += whole) {
      const row = start + y * stepY;
      const below = row + half * stepY;
      let x = 0;
      for (; x + whole <= width; x += whole) {
        const at = x * stepX;
        const beside = at + half * stepX;
        join(values, row + at, below + at);
        join(values, row + beside, below + beside);
        join(values, row + at, row + beside);
        join(values, below + at, below + beside);
      }
      if (width & half) join(values, row + x * stepX, below + x * stepX);
    }
    if (height & half) {
      const row = start + y * stepY;
      for (let x = 0; x + whole <= width; x += whole) {
        join(values, row + x * stepX, row + (x + half) * stepX);
      }
    }
  }
}

/** A mean and a difference become the two values that they were made of. */
function joinSigned(values: Uint16Array, first: number, second: number): void {
  const mean = ((values[first] ?? 0) << 16) >> 16;
  const difference = ((values[second] ?? 0) << 16) >> 16;
  const sum = mean + (difference & 1) + (difference >> 1);
  values[first] = sum;
  values[second] = sum - difference;
}

function joinModulo(values: Uint16Array, first: number, second: number): void {
  const mean = values[first] ?? 0;
  const difference = values[second] ?? 0;
  const low = (mean - (difference >> 1)) & 0xffff;
  values[second] = low;
  values[first] = difference + low - 0x8000;
}
