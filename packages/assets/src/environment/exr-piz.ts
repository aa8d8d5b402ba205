/** A channel of a block: how wide its rows are, in 16-bit words, and how many of these belong to a pixel. */
export interface PizChannel {
  readonly width: number;
  readonly height: number;
  readonly words: 1 | 2;
}

const SYMBOLS = 2 ** 16 + 1;
/** Of a bit for each value. */
const BITMAP_BYTES = 2 ** 13;
/** Code lengths from here on are runs of symbols without a code. */
const SHORT_RUN = 59;
const LONG_RUN = 63;
const LONG_RUN_MIN = 2 + LONG_RUN - SHORT_RUN;
/** Longer codes don't come of blocks of these sizes, and don't fit into a number exactly. */
const MAX_CODE = 52;

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

/** Canonical codes: those of one length are consecutive, in the order of their symbols. */
interface CodeTable {
  /** First code of each length. */
  readonly base: Float64Array;
  /** How many codes have it. */
  readonly count: Uint32Array;
  /** Where their symbols start in `symbols`. */
  readonly offset: Uint32Array;
  readonly symbols: Uint32Array;
  /** Where the data behind the table starts. */
  readonly end: number;
}

function decodeHuffman(data: Uint8Array, total: number): Uint16Array | undefined {
  if (data.byteLength < 20) return total === 0 ? new Uint16Array(0) : undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const first = view.getUint32(0, true);
  const last = view.getUint32(4, true);
  const bits = view.getUint32(12, true);
  if (first >= SYMBOLS || last >= SYMBOLS || first > last) return undefined;
  const codes = readCodes(data, first, last);
  if (!codes || bits > (data.byteLength - codes.end) * 8) return undefined;
  return readSymbols(data, bits, codes, last, total);
}

function readCodes(data: Uint8Array, first: number, last: number): CodeTable | undefined {
  // Those that have a code, and how long it is: O(data), where a list of all symbols would cost as much for one pixel.
  const coded: number[] = [];
  const lengths: number[] = [];
  const count = new Uint32Array(MAX_CODE + 2);
  let bit = 20 * 8;
  /** At most 8 bits. */
  const read = (bits: number): number => {
    const at = bit >> 3;
    const pair = ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);
    const value = (pair >> (16 - (bit & 7) - bits)) & ((1 << bits) - 1);
    bit += bits;
    return value;
  };
  for (let symbol = first; symbol <= last;) {
    if (bit + 6 > data.byteLength * 8) return undefined;
    const length = read(6);
    if (length < SHORT_RUN) {
      if (length > MAX_CODE) return undefined;
      if (length > 0) {
        coded.push(symbol);
        lengths.push(length);
        count[length] = (count[length] ?? 0) + 1;
      }
      symbol++;
    } else {
      symbol += length === LONG_RUN ? read(8) + LONG_RUN_MIN : length - SHORT_RUN + 2;
      if (symbol > last + 1) return undefined;
    }
  }
  const base = new Float64Array(MAX_CODE + 2);
  for (let length = MAX_CODE; length > 0; length--) {
    base[length] = Math.floor(((base[length + 1] ?? 0) + (count[length + 1] ?? 0)) / 2);
  }
  const offset = new Uint32Array(MAX_CODE + 2);
  for (let length = 1; length <= MAX_CODE; length++) {
    offset[length + 1] = (offset[length] ?? 0) + (count[length] ?? 0);
  }
  const next = offset.slice();
  const symbols = new Uint32Array(offset[MAX_CODE + 1] ?? 0);
  for (const [i, symbol] of coded.entries()) {
    const length = lengths[i] ?? 0;
    const place = next[length] ?? 0;
    symbols[place] = symbol;
    next[length] = place + 1;
  }
  return { base, count, offset, symbols, end: (bit + 7) >> 3 };
}

/** @param run - the symbol that stands for repetitions of the value before it */
function readSymbols(
  data: Uint8Array,
  bits: number,
  { base, count, offset, symbols, end }: CodeTable,
  run: number,
  total: number,
): Uint16Array | undefined {
  const values = new Uint16Array(total);
  const last = end * 8 + bits;
  let written = 0;
  let code = 0;
  let length = 0;
  for (let bit = end * 8; bit < last;) {
    code = code * 2 + (((data[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    bit++;
    if (++length > MAX_CODE) return undefined;
    const place = code - (base[length] ?? 0);
    if (place < 0 || place >= (count[length] ?? 0)) continue;
    const symbol = symbols[(offset[length] ?? 0) + place] ?? 0;
    code = 0;
    length = 0;
    if (symbol !== run) {
      if (written >= total) return undefined;
      values[written++] = symbol;
      continue;
    }
    let repeats = 0;
    for (let i = 0; i < 8; i++, bit++) {
      repeats = repeats * 2 + (((data[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1);
    }
    if (bit > last || written === 0 || written + repeats > total) return undefined;
    values.fill(values[written - 1] ?? 0, written, written + repeats);
    written += repeats;
  }
  return written === total && length === 0 ? values : undefined;
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
