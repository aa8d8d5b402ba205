const SYMBOLS = 2 ** 16 + 1;
/** Code lengths from here on are runs of symbols without a code. */
const SHORT_RUN = 59;
const LONG_RUN = 63;
const LONG_RUN_MIN = 2 + LONG_RUN - SHORT_RUN;
/** Longer codes don't come of blocks of these sizes, and don't fit into a number exactly. */
const MAX_CODE = 52;
/** Codes up to this length are looked up at once. */
const LOOK_UP_BITS = 12;
/** The most values that a bit stands for: a run of 255 has a code of at least one bit, and eight that count it. */
const MOST_OF_BIT = 255 / 9;

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

/**
 * Undoes the Huffman coding of 16-bit values that PIZ and DWAA have in common: five numbers of 32 bits, the lengths of the codes, and the
 * codes.
 *
 * @returns the values; `undefined` where the data is damaged, or is not that of `total` of them
 */
export function decodeHuffman(data: Uint8Array, total: number): Uint16Array | undefined {
  if (data.byteLength < 20) return total === 0 ? new Uint16Array(0) : undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const first = view.getUint32(0, true);
  const last = view.getUint32(4, true);
  const bits = view.getUint32(12, true);
  if (first >= SYMBOLS || last >= SYMBOLS || first > last) return undefined;
  const codes = readCodes(data, first, last);
  if (!codes || bits > (data.byteLength - codes.end) * 8) return undefined;
  // Before memory is taken for them.
  if (total > bits * MOST_OF_BIT) return undefined;
  return readSymbols(data, bits, codes, last, total);
}

function readCodes(data: Uint8Array, first: number, last: number): CodeTable | undefined {
  // Those that have a code, and how long it is: O(data), where a list of all symbols would cost as much for one pixel.
  const coded: number[] = [];
  const lengths: number[] = [];
  const count = new Uint32Array(MAX_CODE + 2);
  let bit = 20 * 8;
  const read = (bits: number): number => {
    const value = peek(data, bit, bits);
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

/**
 * For the next bits of data, as many as the table has bits, the symbol times 64 plus the length of its code; 0 where that is longer. No more
 * entries than there are values: a tile may be one pixel.
 */
function lookUp({ base, count, offset, symbols }: CodeTable, total: number): Uint32Array {
  const bits = Math.min(LOOK_UP_BITS, Math.max(1, 31 - Math.clz32(total)));
  const table = new Uint32Array(2 ** bits);
  // Where damaged lengths make codes overlap, the shorter one counts.
  for (let length = bits; length > 0; length--) {
    const first = (base[length] ?? 0) * 2 ** (bits - length);
    for (let i = 0; i < (count[length] ?? 0); i++) {
      const entry = (symbols[(offset[length] ?? 0) + i] ?? 0) * 64 + length;
      const from = first + i * 2 ** (bits - length);
      if (from >= table.length) break;
      table.fill(entry, from, from + 2 ** (bits - length));
    }
  }
  return table;
}

/** @param run - the symbol that stands for repetitions of the value before it */
function readSymbols(
  data: Uint8Array,
  bits: number,
  codes: CodeTable,
  run: number,
  total: number,
): Uint16Array | undefined {
  const { base, count, offset, symbols, end } = codes;
  const values = new Uint16Array(total);
  const table = lookUp(codes, total);
  const lookBits = 31 - Math.clz32(table.length);
  const last = end * 8 + bits;
  let written = 0;
  for (let bit = end * 8; bit < last;) {
    let code = peek(data, bit, lookBits);
    const entry = table[code] ?? 0;
    let length = entry & 63;
    let symbol = entry >>> 6;
    if (length === 0) {
      length = lookBits;
      for (let place = -1; place < 0 || place >= (count[length] ?? 0);) {
        if (++length > MAX_CODE) return undefined;
        code = code * 2 + peek(data, bit + length - 1, 1);
        place = code - (base[length] ?? 0);
        symbol = symbols[(offset[length] ?? 0) + place] ?? 0;
      }
    }
    bit += length;
    if (symbol !== run) {
      if (bit > last || written >= total) return undefined;
      values[written++] = symbol;
      continue;
    }
    const repeats = peek(data, bit, 8);
    bit += 8;
    if (bit > last || written === 0 || written + repeats > total) return undefined;
    values.fill(values[written - 1] ?? 0, written, written + repeats);
    written += repeats;
  }
  return written === total ? values : undefined;
}

/** Bits of data from the highest of each byte on, at most 16; zeros behind its end. */
function peek(data: Uint8Array, bit: number, count: number): number {
  const at = bit >> 3;
  const three = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  return (three >> (24 - (bit & 7) - count)) & ((1 << count) - 1);
}
