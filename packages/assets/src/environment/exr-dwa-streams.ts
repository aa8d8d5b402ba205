import type { ExrChannel } from './exr-channels.js';
import { layOutDwa, LEGACY_RULES, readDwaRules, type DwaLayout } from './exr-dwa-rules.js';
import { decodeHuffman } from './exr-huffman.js';
import { undoRuns } from './exr-runs.js';
import { inflate, undoZip } from './exr-zip.js';

/** What a block of DWAA holds, unpacked. */
export interface DwaStreams {
  readonly layout: DwaLayout;
  /** Of each lossy channel the first coefficient of each 8 × 8 values. */
  readonly first: Uint16Array;
  /** The other coefficients, with runs of zeros. */
  readonly others: Uint16Array;
  /** Of each channel the lowest bytes of all its values, then the next. */
  readonly runs: Uint8Array;
  /** Of each channel its values. */
  readonly plain: Uint8Array;
}

/** The numbers that a block starts with, of 64 bits each. */
const VERSION = 0;
const PLAIN_SIZE = 1;
const PLAIN_PACKED = 2;
const OTHERS_PACKED = 3;
const FIRST_PACKED = 4;
const RUNS_PACKED = 5;
const RUNS_SIZE = 6;
const RUNS_RAW = 7;
const OTHERS_COUNT = 8;
const FIRST_COUNT = 9;
const OTHERS_CODING = 10;
const HEAD_BYTES = 11 * 8;
/** Values of `OTHERS_CODING`. */
const HUFFMAN = 0;
const DEFLATE = 1;

/**
 * Unpacks a block of DWAA. Each size that it claims is held against what its channels and its own bytes allow, before memory is taken.
 *
 * @returns `undefined` where it is damaged
 */
export function readDwaStreams(
  data: Uint8Array,
  width: number,
  rows: number,
  channels: readonly ExrChannel[],
): DwaStreams | undefined {
  if (data.byteLength < HEAD_BYTES) return undefined;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const counter = (index: number): number => Number(view.getBigUint64(index * 8, true));
  let at = HEAD_BYTES;
  let rules: ReturnType<typeof readDwaRules> = LEGACY_RULES;
  if (counter(VERSION) > 2) return undefined;
  if (counter(VERSION) === 2) {
    const size = at + 2 <= data.byteLength ? view.getUint16(at, true) : 0;
    if (size < 2 || size > data.byteLength - at) return undefined;
    rules = readDwaRules(data.subarray(at + 2, at + size));
    at += size;
  }
  const layout = rules && layOutDwa(channels, rules);
  if (!layout) return undefined;
  const packed = [PLAIN_PACKED, OTHERS_PACKED, FIRST_PACKED, RUNS_PACKED].map((index) => {
    const start = at;
    at += counter(index);
    return data.subarray(start, at);
  });
  if (at !== data.byteLength) return undefined;
  const [plainData, othersData, firstData, runsData] = packed as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];

  const bytesOf = (indices: readonly number[]): number =>
    indices.reduce((sum, index) => sum + (channels[index]?.bytes ?? 0), 0) * width * rows;
  const plainSize = bytesOf(layout.plain);
  const runsSize = bytesOf(layout.runs);
  const blocks = Math.ceil(width / 8) * Math.ceil(rows / 8) * layout.lossy.flat().length;
  const othersCount = counter(OTHERS_COUNT);
  const isSound =
    counter(PLAIN_SIZE) === plainSize &&
    counter(RUNS_RAW) === runsSize &&
    // Without repetitions runs take more than what they stand for.
    counter(RUNS_SIZE) <= 2 * runsSize &&
    counter(FIRST_COUNT) === blocks &&
    // At least the end of each block.
    othersCount >= blocks &&
    othersCount <= blocks * 63;
  if (!isSound) return undefined;
  const plain = inflateSome(plainData, plainSize);
  const runs = unpackRuns(runsData, counter(RUNS_SIZE), runsSize);
  const first = blocks === 0 ? new Uint8Array(0) : undoZip(firstData, blocks * 2);
  const others = unpackOthers(othersData, counter(OTHERS_CODING), othersCount);
  if (!plain || !runs || !first || !others) return undefined;
  return { layout, first: words(first), others, runs, plain };
}

/** Nothing is not even deflated. */
function inflateSome(data: Uint8Array, size: number): Uint8Array | undefined {
  return size === 0 ? new Uint8Array(0) : inflate(data, size);
}

function unpackRuns(data: Uint8Array, packed: number, size: number): Uint8Array | undefined {
  const runs = inflateSome(data, packed);
  return runs && undoRuns(runs, size);
}

function unpackOthers(data: Uint8Array, coding: number, count: number): Uint16Array | undefined {
  if (count === 0) return new Uint16Array(0);
  if (coding === HUFFMAN) return decodeHuffman(data, count);
  if (coding !== DEFLATE) return undefined;
  const bytes = inflate(data, count * 2);
  return bytes && words(bytes);
}

function words(bytes: Uint8Array): Uint16Array {
  const result = new Uint16Array(bytes.byteLength / 2);
  for (let i = 0; i < result.length; i++) {
    result[i] = (bytes[i * 2] ?? 0) | ((bytes[i * 2 + 1] ?? 0) << 8);
  }
  return result;
}
