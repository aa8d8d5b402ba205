import { VFSError } from '../errors/vfs-error.js';
import type { ByteSource } from './byte-source.js';
import { decodeZipName } from './zip-name.js';

/** One record of an archive's central directory, as it stands there. */
export interface ZipRecord {
  /** `undefined` when its bytes are no text. */
  readonly name: string | undefined;
  /** 0 is stored, 8 is deflated. */
  readonly method: number;
  readonly encrypted: boolean;
  /** Mode of Unix with the kind of file, or 0. */
  readonly mode: number;
  readonly crc: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Of the local header, from the start of the archive. */
  readonly offset: number;
  /** Milliseconds since 1970. Times without a zone are taken for UTC. */
  readonly modified: number;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const END_64_LOCATOR = 0x07064b50;
const RECORD = 0x02014b50;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
/** The end record and its longest comment, and some junk behind. */
const TAIL = 22 + 2 * MAX_16;

interface End {
  /** Where the directory is said to be, without what stands before the archive. */
  readonly offset: number;
  readonly size: number;
  readonly count: number;
  /** Where the directory ends. */
  readonly at: number;
}

/** What {@link readZipDirectory} does not go beyond. */
export interface ZipLimits {
  readonly maxEntries: number;
  readonly maxDirectoryBytes: number;
}

/**
 * Reads an archive's central directory: the records in their order, unchecked but for their own form.
 *
 * @throws VFSError `vfs/corrupt`, `vfs/too-large`
 */
export async function readZipDirectory(
  source: ByteSource,
  limits: ZipLimits,
  signal?: AbortSignal,
): Promise<ZipRecord[]> {
  const size = await source.size(signal);
  const tailAt = Math.max(0, size - TAIL);
  const tail = await readAll(source, tailAt, size - tailAt, signal);
  for (const { offset, size: bytes, count, at } of await findEnds(source, tail, tailAt, signal)) {
    if (count > limits.maxEntries || bytes > limits.maxDirectoryBytes) {
      throw new VFSError('vfs/too-large', `The archive has ${count} entries`, {
        subjects: { entries: count, bytes, limits },
        fix: 'Split it, or raise the limits of zipBackend().',
      });
    }
    // Programs that unpack themselves stand before the archive, and offsets don't count them.
    const shift = at - bytes - offset;
    if (shift < 0 || count * 46 > bytes) continue;
    const directory = await readAll(source, offset + shift, bytes, signal);
    const records = parseRecords(directory, count, shift);
    if (records !== undefined) return records;
  }
  throw corrupt('has no central directory');
}

/** `length` bytes, all of them. @throws VFSError `vfs/corrupt` when the source ends before */
export async function readAll(
  source: ByteSource,
  offset: number,
  length: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  signal?.throwIfAborted();
  const bytes = await source.read(offset, length, signal);
  if (bytes.length !== length) throw corrupt(`ends ${length - bytes.length} bytes too early`);
  return bytes;
}

/** `vfs/corrupt` for an archive. */
export function corrupt(what: string): VFSError {
  return new VFSError('vfs/corrupt', `The archive ${what}`, { fix: 'Make or download it again.' });
}

/** Every end record that may be one, most likely first. */
async function findEnds(
  source: ByteSource,
  tail: Uint8Array,
  tailAt: number,
  signal: AbortSignal | undefined,
): Promise<End[]> {
  const view = viewOf(tail);
  const exact: End[] = [];
  const loose: End[] = [];
  for (let at = tail.length - 22; at >= 0 && exact.length + loose.length < 16; at--) {
    if (view.getUint32(at, true) !== END) continue;
    const commentEnd = at + 22 + view.getUint16(at + 20, true);
    if (commentEnd > tail.length) continue;
    const end = {
      count: view.getUint16(at + 10, true),
      size: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
      at: tailAt + at,
    };
    const wide = await widen(source, view, at, end, signal);
    (commentEnd === tail.length ? exact : loose).push(wide);
  }
  return [...exact, ...loose];
}

/** The numbers of a large archive, which don't fit in the plain end record. */
async function widen(
  source: ByteSource,
  view: DataView,
  at: number,
  end: End,
  signal: AbortSignal | undefined,
): Promise<End> {
  const large = end.count === MAX_16 || end.size === MAX_32 || end.offset === MAX_32;
  if (!large || at < 20 || view.getUint32(at - 20, true) !== END_64_LOCATOR) return end;
  const wideAt = toNumber(view.getBigUint64(at - 12, true));
  const wide = viewOf(await readAll(source, wideAt, 56, signal));
  if (wide.getUint32(0, true) !== END_64) throw corrupt('has a wrong ZIP64 end record');
  return {
    count: toNumber(wide.getBigUint64(32, true)),
    size: toNumber(wide.getBigUint64(40, true)),
    offset: toNumber(wide.getBigUint64(48, true)),
    at: wideAt,
  };
}

function parseRecords(bytes: Uint8Array, count: number, shift: number): ZipRecord[] | undefined {
  const view = viewOf(bytes);
  const records: ZipRecord[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== RECORD) return undefined;
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const extraEnd = nameEnd + view.getUint16(at + 30, true);
    const end = extraEnd + view.getUint16(at + 32, true);
    if (end > bytes.length) return undefined;
    const flags = view.getUint16(at + 8, true);
    const extra = parseExtra(bytes.subarray(nameEnd, extraEnd));
    const sizes = wideSizes(view, at, extra.wide);
    if (sizes === undefined) return undefined;
    // Only Unix (3) and macOS (19) keep a mode in the upper half.
    const unix = [3, 19].includes(view.getUint8(at + 5));
    records.push({
      name: decodeZipName(bytes.subarray(at + 46, nameEnd), (flags & 0x800) !== 0),
      method: view.getUint16(at + 10, true),
      encrypted: (flags & 0x2041) !== 0,
      mode: unix ? view.getUint16(at + 40, true) : 0,
      crc: view.getUint32(at + 16, true),
      compressedSize: sizes.compressedSize,
      size: sizes.size,
      offset: sizes.offset + shift,
      modified:
        extra.modified ?? dosTime(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
    });
    at = end;
  }
  return records;
}

function wideSizes(
  view: DataView,
  at: number,
  wide: DataView | undefined,
): { compressedSize: number; size: number; offset: number } | undefined {
  let next = 0;
  const value = (from: number): number | undefined => {
    const plain = view.getUint32(at + from, true);
    if (plain !== MAX_32) return plain;
    if (wide === undefined || next + 8 > wide.byteLength) return undefined;
    next += 8;
    return toNumber(wide.getBigUint64(next - 8, true));
  };
  const [size, compressedSize, offset] = [value(24), value(20), value(42)];
  if (size === undefined || compressedSize === undefined || offset === undefined) return undefined;
  return { size, compressedSize, offset };
}

function parseExtra(bytes: Uint8Array): { wide?: DataView; modified?: number } {
  const view = viewOf(bytes);
  const found: { wide?: DataView; modified?: number } = {};
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = view.getUint16(at + 2, true);
    const end = at + 4 + length;
    if (end > bytes.length) break; // Padding of some tools.
    const id = view.getUint16(at, true);
    if (id === 0x0001) found.wide = viewOf(bytes.subarray(at + 4, end));
    if (id === 0x5455 && length >= 5 && (view.getUint8(at + 4) & 1) === 1) {
      found.modified = view.getInt32(at + 5, true) * 1_000;
    }
    at = end;
  }
  return found;
}

function dosTime(date: number, time: number): number {
  return Date.UTC(
    1980 + (date >> 9),
    ((date >> 5) & 15) - 1,
    date & 31,
    time >> 11,
    (time >> 5) & 63,
    (time & 31) * 2,
  );
}

function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw corrupt('has an impossible size in it');
  return Number(value);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
