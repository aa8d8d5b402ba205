import { EclipticError } from '@ecliptic/core';
import type { AssetType } from '../data/imported-asset.js';
import type { MeshData } from '../data/mesh-data.js';
import { damageChecksum } from '../hashing/damage-checksum.js';
import type { TypedAssetData } from '../manager/asset-manager.js';
import { fromPlain, toPlain, type Block } from './plain-tree.js';

/** File ending of each type's artifacts. */
export const ARTIFACT_EXTENSIONS: Readonly<Record<AssetType, string>> = {
  mesh: '.zemesh',
  material: '.zematerial',
  texture: '.zetexture',
  prefab: '.zeprefab',
  skin: '.zeskin',
  animation: '.zeanimation',
  environment: '.zeenvironment',
};

/** Version of the format that this package writes, and the only one that it reads. */
export const ARTIFACT_VERSION = 2;

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
const ALIGNMENT = 16;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** What {@link describeArtifact} tells without decoding. */
export interface ArtifactDescription {
  readonly version: number;
  readonly type: AssetType;
  readonly bytes: number;
  readonly checksum: string;
  readonly intact: boolean;
  readonly blocks: readonly Block[];
  /** The description of the asset, blocks by number. */
  readonly tree: unknown;
}

/**
 * Cooks an asset: a header, a JSON tree, and the typed arrays of the data as blocks that are aligned to 16
 * bytes and can be uploaded as they are. The layout is described in `docs/assets.md`. Equal data gives
 * equal bytes.
 */
export function encodeArtifact({ type, data }: TypedAssetData): Uint8Array {
  const { tree, arrays } = toPlain(data);
  const json = new TextEncoder().encode(JSON.stringify(tree));
  const tableEnd = HEADER_BYTES + arrays.length * BLOCK_ENTRY_BYTES;
  let end = tableEnd + json.byteLength;
  const offsets = arrays.map((array) => {
    const offset = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    end = offset + array.byteLength;
    return offset;
  });
  const bytes = new Uint8Array(end);
  const view = new DataView(bytes.buffer);
  bytes.set(json, tableEnd);
  arrays.forEach((array, i) => {
    const offset = offsets[i] ?? 0;
    view.setUint32(HEADER_BYTES + i * BLOCK_ENTRY_BYTES, offset, true);
    view.setUint32(HEADER_BYTES + i * BLOCK_ENTRY_BYTES + 4, array.byteLength, true);
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset);
  });
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, ARTIFACT_VERSION, true);
  view.setUint16(6, TYPES.indexOf(type) + 1, true);
  view.setUint32(8, end, true);
  view.setUint32(16, json.byteLength, true);
  view.setUint32(20, arrays.length, true);
  view.setUint32(12, checksumOf(bytes), true);
  return bytes;
}

/**
 * Reads an artifact. Its arrays are views of `bytes` where these are aligned (as a file that was read whole
 * is), so nothing is copied and `bytes` must not be written to.
 *
 * @throws EclipticError `assets/artifact-format` for other files, `assets/artifact-version`,
 * `assets/artifact-damaged` where length, checksum or contents are wrong
 */
export function decodeArtifact(bytes: Uint8Array): TypedAssetData {
  const { type, json, blocks, checksum } = readHeader(bytes);
  if (checksumOf(bytes) !== checksum) throw damaged('its checksum is wrong');
  // Blocks are aligned in the file, so an aligned file gives aligned views.
  const aligned = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice();
  const data = fromPlain(parseTree(json), aligned, blocks, damaged);
  return { type, data } as TypedAssetData;
}

/**
 * Reads a `.zemesh`.
 *
 * @throws EclipticError as {@link decodeArtifact}, and `assets/artifact-format` for other types
 */
export function loadMesh(bytes: Uint8Array): MeshData {
  const content = decodeArtifact(bytes);
  if (content.type === 'mesh') return content.data;
  throw new EclipticError(
    'assets/artifact-format',
    `The artifact is a ${content.type}, not a mesh`,
  );
}

/**
 * What an artifact holds, for people: also of a damaged one, as far as its header can be read.
 *
 * @throws EclipticError `assets/artifact-format`, `assets/artifact-version`, `assets/artifact-damaged`
 */
export function describeArtifact(bytes: Uint8Array): ArtifactDescription {
  const { type, json, blocks, checksum } = readHeader(bytes);
  return {
    version: ARTIFACT_VERSION,
    type,
    bytes: bytes.byteLength,
    checksum: checksum.toString(16).padStart(8, '0'),
    intact: checksumOf(bytes) === checksum,
    blocks,
    tree: parseTree(json),
  };
}

/** Covers everything but itself: the start of the header is the seed of the rest. */
function checksumOf(bytes: Uint8Array): number {
  return damageChecksum(bytes.subarray(16), damageChecksum(bytes.subarray(0, 12)));
}

interface Header {
  readonly type: AssetType;
  readonly json: Uint8Array;
  readonly blocks: readonly Block[];
  readonly checksum: number;
}

function readHeader(bytes: Uint8Array): Header {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new EclipticError('assets/artifact-format', 'This is no cooked artifact', {
      subjects: { bytes: bytes.byteLength },
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
  if (!type) throw damaged('its type is unknown');
  const length = view.getUint32(8, true);
  if (length !== bytes.byteLength) {
    throw damaged(`it says ${length} bytes and has ${bytes.byteLength}`);
  }
  const jsonBytes = view.getUint32(16, true);
  const blockCount = view.getUint32(20, true);
  const tableEnd = HEADER_BYTES + blockCount * BLOCK_ENTRY_BYTES;
  if (tableEnd + jsonBytes > length) throw damaged('its description leaves the file');
  const blocks = Array.from({ length: blockCount }, (_, i): Block => {
    const at = HEADER_BYTES + i * BLOCK_ENTRY_BYTES;
    const block = { offset: view.getUint32(at, true), bytes: view.getUint32(at + 4, true) };
    if (block.offset % ALIGNMENT !== 0 || block.offset + block.bytes > length) {
      throw damaged(`block ${i} leaves the file or is not aligned`);
    }
    return block;
  });
  return {
    type,
    json: bytes.subarray(tableEnd, tableEnd + jsonBytes),
    blocks,
    checksum: view.getUint32(12, true),
  };
}

function parseTree(json: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(json));
  } catch (cause) {
    throw damaged('its description is no JSON', cause);
  }
}

function damaged(what: string, cause?: unknown): EclipticError {
  return new EclipticError('assets/artifact-damaged', `The artifact is damaged: ${what}`, {
    fix: 'Delete it; it is made again from its source.',
    ...(cause === undefined ? {} : { cause }),
  });
}
