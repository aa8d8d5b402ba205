import { Inflate, inflateSync } from 'fflate';
import { corrupt } from './zip-directory.js';

/** Compressed bytes that are inflated at a time: at most 16 MiB come out of them. */
const CHUNK = 1 << 14;

/**
 * Inflates `bytes`, which must give exactly `size` bytes; stops at the first one too many.
 *
 * @throws VFSError `vfs/corrupt`
 */
export function inflateChecked(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length <= CHUNK) {
    // One byte of room more shows whether there is more.
    const whole = wrapped(() => inflateSync(bytes, { out: new Uint8Array(size + 1) }));
    if (whole.length !== size) throw corrupt('has an entry of another size than it says');
    return whole;
  }
  const out = new Uint8Array(size);
  let length = 0;
  for (const piece of inflatePieces(bytes, size)) {
    out.set(piece, length);
    length += piece.length;
  }
  return out;
}

/** As {@link inflateChecked}, piece by piece. */
export function* inflatePieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  const ready: Uint8Array[] = [];
  let length = 0;
  const inflate = new Inflate((piece) => {
    length += piece.length;
    if (piece.length > 0) ready.push(piece);
  });
  for (let at = 0; at < bytes.length; at += CHUNK) {
    const last = at + CHUNK >= bytes.length;
    wrapped(() => inflate.push(bytes.subarray(at, at + CHUNK), last));
    if (length > size) throw corrupt('has an entry that is larger than it says');
    yield* ready.splice(0);
  }
  if (length !== size) throw corrupt('has an entry that is smaller than it says');
}

function wrapped<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw Object.assign(corrupt('has an entry whose data makes no sense'), { cause });
  }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c >>> 0;
});

/** CRC-32 of `bytes`, after those that gave `before`. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 255] ?? 0);
  return ~crc >>> 0;
}
