import type { SceneLimits } from '../scene/scene-options.js';
import { invalidSnapshot, SnapshotError } from './snapshot-error.js';
import { parseDirectory, type SnapshotDirectory } from './snapshot-directory.js';
import {
  checksum,
  FORMAT,
  HEADER_BYTES,
  HeaderWord,
  MAGIC,
  SUMMED,
  SnapshotKind,
  type SnapshotKind as Kind,
} from './snapshot-layout.js';

/** A snapshot's bytes with its header and directory read and found plausible. */
export interface OpenedSnapshot {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly kind: Kind;
  readonly directory: SnapshotDirectory;
  readonly directoryBytes: number;
}

/** Words over bytes whose length is a multiple of 4 and that begin at one. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}

/** Writes the header; the checksum is of everything, so it comes last. */
export function writeHeader(
  bytes: Uint8Array,
  kind: Kind,
  directoryBytes: number,
  summed: boolean,
  base?: Uint32Array,
): void {
  const words = wordsOf(bytes);
  words.fill(0, 0, HEADER_BYTES / 4);
  words[HeaderWord.magic] = MAGIC;
  words[HeaderWord.format] = FORMAT | (kind << 16) | (summed ? SUMMED << 24 : 0);
  words[HeaderWord.length] = bytes.byteLength;
  words[HeaderWord.directory] = directoryBytes;
  if (base) {
    words[HeaderWord.baseLength] = base.byteLength;
    words[HeaderWord.baseChecksum] = checksum(base);
  }
  if (summed) words[HeaderWord.checksum] = checksum(words);
}

/** Bytes that begin at a multiple of 8: the same ones where they do, else a copy. */
function alignedBytes(data: Uint8Array | ArrayBufferLike): Uint8Array {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  return bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes);
}

/**
 * Reads header and directory.
 *
 * @param limits - a snapshot beyond them is refused before anything is made of it
 * @throws SnapshotError `ecs/snapshot-invalid`, `ecs/snapshot-format`, `ecs/snapshot-budget`
 */
export function openSnapshot(
  data: Uint8Array | ArrayBufferLike,
  limits: SceneLimits,
): OpenedSnapshot {
  if (
    !(data instanceof Uint8Array) &&
    !(data instanceof ArrayBuffer) &&
    !(typeof SharedArrayBuffer === 'function' && data instanceof SharedArrayBuffer)
  ) {
    throw invalidSnapshot(`it is ${typeof data}, not bytes`);
  }
  const bytes = alignedBytes(data);
  if (bytes.byteLength < HEADER_BYTES || bytes.byteLength % 8 !== 0) {
    throw invalidSnapshot(`it has ${bytes.byteLength} bytes`);
  }
  const words = wordsOf(bytes);
  const word = (at: number): number => words[at] as number;
  if (word(HeaderWord.magic) !== MAGIC) throw invalidSnapshot('it does not begin like one');
  const format = word(HeaderWord.format) & 0xffff;
  const kind = (word(HeaderWord.format) >>> 16) & 0xff;
  const flags = word(HeaderWord.format) >>> 24;
  if (format !== FORMAT) {
    throw new SnapshotError('ecs/snapshot-format', `A snapshot of format ${format}`, {
      subjects: { format, known: FORMAT },
      fix: 'Snapshots are for the version of the package that made them; keep durable data in documents.',
    });
  }
  if (kind !== SnapshotKind.full && kind !== SnapshotKind.delta) {
    throw invalidSnapshot(`it is of kind ${kind}`);
  }
  if (word(HeaderWord.length) !== bytes.byteLength) {
    throw invalidSnapshot(`${bytes.byteLength} of ${word(HeaderWord.length)} bytes`);
  }
  const directoryBytes = word(HeaderWord.directory);
  if (directoryBytes > bytes.byteLength - HEADER_BYTES) {
    throw invalidSnapshot('its directory is cut off');
  }
  const sum = word(HeaderWord.checksum);
  if (flags > SUMMED || ((flags === SUMMED || sum !== 0) && sum !== checksum(words))) {
    throw invalidSnapshot('its checksum is wrong');
  }
  const json = decodeUtf8(bytes.subarray(HEADER_BYTES, HEADER_BYTES + directoryBytes));
  return { bytes, words, kind, directory: parseDirectory(json, limits), directoryBytes };
}

/** Decodes bytes that may be shared, which `TextDecoder` refuses. */
function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
