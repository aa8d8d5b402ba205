import { unzlibSync } from 'fflate';
import { undoB44 } from './exr-b44.js';
import type { ExrChannel } from './exr-channels.js';
import type { ExrHeader } from './exr-header.js';
import { decodePiz } from './exr-piz.js';
import { pxr24Bytes, undoPxr24 } from './exr-pxr24.js';

/** A way of compressing blocks of rows. */
interface ExrCompression {
  readonly name: string;
  /** Rows in each block. */
  readonly rows: number;
  /** Undoes it; `undefined` where it isn't supported. @returns `undefined` where the data is damaged */
  readonly undo:
    | ((data: Uint8Array, size: number, block: ExrBlockShape) => Uint8Array | undefined)
    | undefined;
}

interface ExrBlockShape {
  readonly width: number;
  readonly rows: number;
  readonly channels: readonly ExrChannel[];
}

/** The most that one byte of a file can stand for, with the best of the compressions. */
const MAX_RATIO = 1_100;

const COMPRESSIONS: readonly ExrCompression[] = [
  { name: 'none', rows: 1, undo: (data) => data },
  { name: 'RLE', rows: 1, undo: (data, size) => unpredict(undoRuns(data, size), size) },
  { name: 'ZIPS', rows: 1, undo: (data, size) => unpredict(undoZip(data, size), size) },
  { name: 'ZIP', rows: 16, undo: (data, size) => unpredict(undoZip(data, size), size) },
  { name: 'PIZ', rows: 32, undo: undoPiz },
  { name: 'PXR24', rows: 16, undo: unpackPxr24 },
  { name: 'B44', rows: 32, undo: unpackB44 },
  { name: 'B44A', rows: 32, undo: unpackB44 },
  { name: 'DWAA', rows: 32, undo: undefined },
  { name: 'DWAB', rows: 256, undo: undefined },
];

/** The compression that a header names, or `undefined`. */
export function exrCompression({ compression }: ExrHeader): ExrCompression | undefined {
  return COMPRESSIONS[compression];
}

/** Whether a file of some size can hold so many bytes of pixels at all. */
export function canHold(fileBytes: number, pixelBytes: number): boolean {
  return pixelBytes <= fileBytes * MAX_RATIO;
}

function undoZip(data: Uint8Array, size: number): Uint8Array | undefined {
  try {
    // Never more than asked for, whatever the data would become.
    return unzlibSync(data, { out: new Uint8Array(size) });
  } catch {
    // The caller says which block is damaged.
    return undefined;
  }
}

function undoRuns(data: Uint8Array, size: number): Uint8Array | undefined {
  const result = new Uint8Array(size);
  let written = 0;
  for (let at = 0; at < data.length;) {
    const code = ((data[at++] ?? 0) << 24) >> 24;
    const count = code < 0 ? -code : code + 1;
    const taken = code < 0 ? count : 1;
    if (written + count > size || at + taken > data.length) return undefined;
    if (code < 0) result.set(data.subarray(at, at + count), written);
    else result.fill(data[at] ?? 0, written, written + count);
    at += taken;
    written += count;
  }
  return written === size ? result : undefined;
}

/** Bytes are stored as differences, first those at even places, then those at odd ones. */
function unpredict(data: Uint8Array | undefined, size: number): Uint8Array | undefined {
  if (data?.byteLength !== size) return undefined;
  for (let i = 1; i < size; i++) data[i] = (data[i - 1] ?? 0) + (data[i] ?? 0) - 128;
  const result = new Uint8Array(size);
  const half = (size + 1) >> 1;
  for (let i = 0; i < size; i++) result[i] = data[i & 1 ? half + (i >> 1) : i >> 1] ?? 0;
  return result;
}

function unpackPxr24(
  data: Uint8Array,
  size: number,
  { width, rows, channels }: ExrBlockShape,
): Uint8Array | undefined {
  const kept = pxr24Bytes(width, rows, channels);
  const packed = undoZip(data, kept);
  return packed?.byteLength === kept ? undoPxr24(packed, size, width, rows, channels) : undefined;
}

function unpackB44(data: Uint8Array, size: number, block: ExrBlockShape): Uint8Array | undefined {
  const { width, rows, channels } = block;
  const planes = undoB44(data, size, width, rows, channels);
  return planes && interleave(planes, block);
}

function undoPiz(data: Uint8Array, size: number, block: ExrBlockShape): Uint8Array | undefined {
  const { width, rows, channels } = block;
  const words = decodePiz(
    data,
    channels.map(({ bytes }) => ({ width, height: rows, words: bytes === 2 ? 1 : 2 })),
  );
  if (!words) return undefined;
  const planes = new Uint8Array(size);
  const view = new DataView(planes.buffer);
  for (let i = 0; i < words.length; i++) view.setUint16(i * 2, words[i] ?? 0, true);
  return interleave(planes, block);
}

/** From channel after channel to row after row. */
function interleave(planes: Uint8Array, { width, rows, channels }: ExrBlockShape): Uint8Array {
  if (rows === 1 || channels.length === 1) return planes;
  const result = new Uint8Array(planes.byteLength);
  let to = 0;
  for (let row = 0; row < rows; row++) {
    let start = 0;
    for (const { bytes } of channels) {
      const length = width * bytes;
      result.set(planes.subarray(start + row * length, start + (row + 1) * length), to);
      to += length;
      start += length * rows;
    }
  }
  return result;
}
