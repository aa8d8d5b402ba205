import type { ExrChannel } from './exr-channels.js';
import { fromHalf } from './float-image.js';
import { halfOfBits } from './half-of-bits.js';

/** Pixels along each side of a block. */
const SIDE = 4;
/** Bytes of a block, and of one whose pixels are all equal. */
const BLOCK_BYTES = 14;
const FLAT_BYTES = 3;
/** From here on, the byte with a block's shift says that it is a flat one. */
const FLAT_FROM = 13 << 2;
/** The least half float. */
const LEAST_HALF = 0xfbff;

/**
 * Undoes B44 and B44A, two of the compressions of OpenEXR: half floats in blocks of 4 × 4, each of 14 bytes (of B44A a
 * block of equal pixels has 3). Other channels are stored as they are.
 *
 * The first two bytes of a block are its upper left pixel. Six bits are a shift; fifteen times six more are differences, above
 * 32, that are shifted by it: first down the left column, then from each column to the next. Pixels are numbered so that their
 * order as whole numbers is that of their values. Source: ImfB44Compressor, OpenEXR's own writer, describes the format in its
 * comments, and https://openexr.com/en/latest/TechnicalIntroduction.html what it is for.
 *
 * @param size - bytes of the pixels
 * @returns channel after channel, each row after row; `undefined` where the data is damaged, or longer or shorter than they are
 */
export function undoB44(
  data: Uint8Array,
  size: number,
  width: number,
  rows: number,
  channels: readonly ExrChannel[],
): Uint8Array | undefined {
  const result = new Uint8Array(size);
  const view = new DataView(result.buffer);
  const block = new Uint16Array(SIDE * SIDE);
  const float = new Float32Array(1);
  const bits = new Uint32Array(float.buffer);
  let from = 0;
  let to = 0;
  for (const { type, bytes, isPerceivedLinearly } of channels) {
    const length = width * rows * bytes;
    if (type !== 'half') {
      if (from + length > data.byteLength) return undefined;
      result.set(data.subarray(from, from + length), to);
      from += length;
      to += length;
      continue;
    }
    for (let y = 0; y < rows; y += SIDE) {
      for (let x = 0; x < width; x += SIDE) {
        const isFlat = (data[from + 2] ?? 0) >= FLAT_FROM;
        const taken = isFlat ? FLAT_BYTES : BLOCK_BYTES;
        if (from + taken > data.byteLength) return undefined;
        if (isFlat) block.fill(wordAt(data, from));
        else readBlock(data, from, block);
        from += taken;
        // What a block has beyond the picture's edge is dropped.
        const right = Math.min(SIDE, width - x);
        const bottom = Math.min(SIDE, rows - y);
        for (let row = 0; row < bottom; row++) {
          for (let column = 0; column < right; column++) {
            const half = halfOf(block[row * SIDE + column] ?? 0);
            view.setUint16(
              to + ((y + row) * width + x + column) * 2,
              isPerceivedLinearly ? logarithm(half, float, bits) : half,
              true,
            );
          }
        }
      }
    }
    to += length;
  }
  return from === data.byteLength ? result : undefined;
}

/** Pixels of a block, in numbers that are ordered as they are, row after row. */
function readBlock(data: Uint8Array, from: number, block: Uint16Array): void {
  const shift = (data[from + 2] ?? 0) >> 2;
  const bias = 0x20 << shift;
  block[0] = wordAt(data, from);
  // Differences start in the last two bits of the byte with the shift.
  let bit = (from + 2) * 8 + 6;
  const difference = (): number => {
    const at = bit >> 3;
    const pair = ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);
    const value = (pair >> (10 - (bit & 7))) & 0x3f;
    bit += 6;
    return (value << shift) - bias;
  };
  // Sums wrap around, as the numbers of 16 bits that they are kept in do.
  for (let row = 1; row < SIDE; row++) {
    block[row * SIDE] = (block[(row - 1) * SIDE] ?? 0) + difference();
  }
  for (let column = 1; column < SIDE; column++) {
    for (let row = 0; row < SIDE; row++) {
      const at = row * SIDE + column;
      block[at] = (block[at - 1] ?? 0) + difference();
    }
  }
}

function wordAt(data: Uint8Array, at: number): number {
  return ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);
}

/** The half float of an ordered number: positive ones are the upper half, negative ones count backwards. */
function halfOf(ordered: number): number {
  return ordered & 0x8000 ? ordered & 0x7fff : ~ordered & 0xffff;
}

/** Channels that are perceived linearly are stored as `exp(value / 8)`; this is that value. @param bits - of `float`, which is written */
function logarithm(half: number, float: Float32Array, bits: Uint32Array): number {
  const stored = fromHalf(half);
  if (stored === 0) return LEAST_HALF;
  if (!(stored > 0) || stored === Infinity) return 0;
  float[0] = 8 * Math.log(stored);
  return halfOfBits(bits[0] ?? 0);
}
