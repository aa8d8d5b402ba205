import { DEFLATE_RATIO } from '@ecliptic/vfs';
import { undoB44 } from './exr-b44.js';
import type { ExrChannel } from './exr-channels.js';
import { DwaDecoder } from './exr-dwa.js';
import type { ExrHeader } from './exr-header.js';
import { decodePiz } from './exr-piz.js';
import { pxr24Bytes, undoPxr24 } from './exr-pxr24.js';
import { undoRuns } from './exr-runs.js';
import { inflate, undoZip, unpredict } from './exr-zip.js';

/** A way of compressing blocks of rows. */
interface ExrCompression {
  /** Rows in each block. */
  readonly rows: number;
  /** The most bytes of pixels that one byte of a file can stand for. */
  readonly ratio: number;
  /** Makes what undoes it, for one picture. */
  readonly decoder: () => ExrDecoder;
}

/** Unpacks a block to `size` bytes. @returns `undefined` where the data is damaged */
type ExrDecoder = (data: Uint8Array, size: number, block: ExrBlockShape) => Uint8Array | undefined;

/** What a block is to become. */
interface ExrBlockShape {
  readonly width: number;
  readonly rows: number;
  readonly channels: readonly ExrChannel[];
}

const zip = { ratio: DEFLATE_RATIO, decoder: () => undoZip };
// Three bytes for 16 equal halfs.
const b44 = { rows: 32, ratio: 11, decoder: () => unpackB44 };
// Two deflated halfs are needed for 64 floats.
const dwa = { ratio: (DEFLATE_RATIO / 4) * 64 * 4, decoder: dwaDecoder };

/** By the numbers that headers have for them: none, RLE, ZIPS, ZIP, PIZ, PXR24, B44, B44A, DWAA and DWAB. */
const COMPRESSIONS: readonly ExrCompression[] = [
  { rows: 1, ratio: 1, decoder: () => (data) => data },
  // Two bytes for 128 equal ones.
  { rows: 1, ratio: 64, decoder: () => (data, size) => unpredict(undoRuns(data, size), size) },
  { rows: 1, ...zip },
  { rows: 16, ...zip },
  // Nine bits for 255 equal halfs.
  { rows: 32, ratio: 454, decoder: () => undoPiz },
  // Of four bytes of a float it deflates three.
  { rows: 16, ratio: (DEFLATE_RATIO / 3) * 4, decoder: () => unpackPxr24 },
  b44,
  b44,
  { rows: 32, ...dwa },
  { rows: 256, ...dwa },
];

/** The compression that a header names, or `undefined`. */
export function exrCompression({ compression }: ExrHeader): ExrCompression | undefined {
  return COMPRESSIONS[compression];
}

function dwaDecoder(): ExrDecoder {
  const decoder = new DwaDecoder();
  return (data, size, { width, rows, channels }) =>
    decoder.decode(data, size, width, rows, channels);
}

function unpackPxr24(
  data: Uint8Array,
  size: number,
  { width, rows, channels }: ExrBlockShape,
): Uint8Array | undefined {
  const kept = pxr24Bytes(width, rows, channels);
  const packed = inflate(data, kept);
  return packed && undoPxr24(packed, size, width, rows, channels);
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
