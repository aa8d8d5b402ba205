import { EclipticError } from '@ecliptic/core';
import type { AssetType } from '../data/imported-asset.js';
import { damageChecksum } from '../hashing/damage-checksum.js';
import { wideChecksum } from '../hashing/wide-checksum.js';

/** Version of the format that this package writes, and the only one that it reads. */
export const ARTIFACT_VERSION = 4;

/** At what multiples of bytes blocks lie. */
export const ARTIFACT_ALIGNMENT = 16;

/** A range of an artifact that holds the values of one array. */
export interface Block {
  readonly offset: number;
  readonly bytes: number;
}

/** What the start of an artifact says. Nothing of it was compared with its checksums. */
export interface ArtifactHeader {
  readonly type: AssetType;
  /** The description of the asset, in UTF-8. */
  readonly json: Uint8Array;
  readonly blocks: readonly Block[];
  /** Of the structure: type, block table and description. */
  readonly checksum: number;
  /** Of everything behind the structure. */
  readonly contentChecksum: number;
  /** Where the structure ends and the content starts. */
  readonly contentStart: number;
}

const TYPES: readonly AssetType[] = [
  'mesh',
  'material',
  'texture',
  'prefab',
  'skin',
  'animation',
  'environment',
];
const MAGIC = 0x4641455a; // 'ZEAF', little-endian
const HEADER_BYTES = 32;
const BLOCK_ENTRY_BYTES = 8;
/** Contents of at least as many bytes have a checksum of more lanes, which takes longer to begin. */
const WIDE_FROM_BYTES = 4096;
/** What lies before is compared with what it has to be, but for the type. */
const CHECKED_FROM = 16;

/**
 * Lays out an artifact and writes everything but its blocks and checksums.
 *
 * @param sizes - bytes of each block
 */
export function layOutArtifact(
  type: AssetType,
  json: Uint8Array,
  sizes: readonly number[],
): { bytes: Uint8Array<ArrayBuffer>; offsets: readonly number[] } {
  const tableEnd = HEADER_BYTES + sizes.length * BLOCK_ENTRY_BYTES;
  let end = tableEnd + json.byteLength;
  const offsets = sizes.map((size) => {
    const offset = aligned(end);
    end = offset + size;
    return offset;
  });
  const bytes = new Uint8Array(end);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, ARTIFACT_VERSION, true);
  view.setUint16(6, TYPES.indexOf(type) + 1, true);
  view.setUint32(8, end, true);
  view.setUint32(16, json.byteLength, true);
  view.setUint32(20, sizes.length, true);
  sizes.forEach((size, i) => {
    view.setUint32(HEADER_BYTES + i * BLOCK_ENTRY_BYTES, offsets[i] ?? 0, true);
    view.setUint32(HEADER_BYTES + i * BLOCK_ENTRY_BYTES + 4, size, true);
  });
  bytes.set(json, tableEnd);
  return { bytes, offsets };
}

/** Writes both checksums, after everything else was written. */
export function sealArtifact(bytes: Uint8Array<ArrayBuffer>): void {
  const view = new DataView(bytes.buffer);
  const header = readArtifactHeader(bytes);
  view.setUint32(24, contentChecksumOf(bytes, header), true);
  view.setUint32(12, structureChecksumOf(bytes, header), true);
}

/**
 * @throws EclipticError `assets/artifact-format`, `assets/artifact-version`, `assets/artifact-damaged`
 */
export function readArtifactHeader(bytes: Uint8Array): ArtifactHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new EclipticError('assets/artifact-format', 'This is no cooked artifact', {
      subjects: { bytes: bytes.byteLength },
      fix: 'Give the bytes of a file of the artifact store, all of them.',
    });
  }
  const version = view.getUint16(4, true);
  if (version !== ARTIFACT_VERSION) {
    throw new EclipticError(
      'assets/artifact-version',
      `The artifact has version ${version}, and this engine reads ${ARTIFACT_VERSION}`,
      { subjects: { version }, fix: 'Import the source again.' },
    );
  }
  const type = TYPES[view.getUint16(6, true) - 1];
  if (!type) throw artifactDamaged('its type is unknown');
  const length = view.getUint32(8, true);
  if (length !== bytes.byteLength) {
    throw artifactDamaged(`it says ${length} bytes and has ${bytes.byteLength}`);
  }
  const jsonBytes = view.getUint32(16, true);
  const blockCount = view.getUint32(20, true);
  const tableEnd = HEADER_BYTES + blockCount * BLOCK_ENTRY_BYTES;
  if (tableEnd + jsonBytes > length) throw artifactDamaged('its description leaves the file');
  const blocks: Block[] = [];
  for (let at = HEADER_BYTES; at < tableEnd; at += BLOCK_ENTRY_BYTES) {
    const block = { offset: view.getUint32(at, true), bytes: view.getUint32(at + 4, true) };
    if (block.offset % ARTIFACT_ALIGNMENT !== 0 || block.offset + block.bytes > length) {
      throw artifactDamaged(`block ${blocks.length} leaves the file or is not aligned`);
    }
    blocks.push(block);
  }
  return {
    type,
    json: bytes.subarray(tableEnd, tableEnd + jsonBytes),
    blocks,
    checksum: view.getUint32(12, true),
    contentChecksum: view.getUint32(24, true),
    contentStart: Math.min(aligned(tableEnd + jsonBytes), length),
  };
}

/** Whether type, block table, description and the checksum of the content are as they were written. */
export function isStructureIntact(bytes: Uint8Array, header: ArtifactHeader): boolean {
  return structureChecksumOf(bytes, header) === header.checksum;
}

/** Whether everything behind the structure is as it was written. Reads all of it. */
export function isContentIntact(bytes: Uint8Array, header: ArtifactHeader): boolean {
  return contentChecksumOf(bytes, header) === header.contentChecksum;
}

export function artifactDamaged(what: string, cause?: unknown): EclipticError {
  return new EclipticError('assets/artifact-damaged', `The artifact is damaged: ${what}`, {
    fix: 'Delete it; it is made again from its source.',
    ...(cause === undefined ? {} : { cause }),
  });
}

function structureChecksumOf(bytes: Uint8Array, { type, contentStart }: ArtifactHeader): number {
  return damageChecksum(bytes.subarray(CHECKED_FROM, contentStart), TYPES.indexOf(type) + 1);
}

function contentChecksumOf(bytes: Uint8Array, { contentStart }: ArtifactHeader): number {
  const content = bytes.subarray(contentStart);
  return content.length < WIDE_FROM_BYTES ? damageChecksum(content) : wideChecksum(content);
}

function aligned(offset: number): number {
  return Math.ceil(offset / ARTIFACT_ALIGNMENT) * ARTIFACT_ALIGNMENT;
}
