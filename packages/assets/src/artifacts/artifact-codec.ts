import { EclipticError } from '@ecliptic/core';
import type { AssetType } from '../data/imported-asset.js';
import type { MeshData } from '../data/mesh-data.js';
import type { TypedAssetData } from '../data/typed-asset-data.js';
import {
  ARTIFACT_ALIGNMENT,
  ARTIFACT_VERSION,
  artifactDamaged,
  isContentIntact,
  isStructureIntact,
  layOutArtifact,
  readArtifactHeader,
  sealArtifact,
  type ArtifactHeader,
  type Block,
} from './artifact-header.js';
import { BlockReader, BlockWriter, type BlockArray, type Blocks } from './block-arrays.js';
import { readMesh, writeMesh, type MeshDescription } from './mesh-description.js';
import { fromPlain, toPlain } from './plain-tree.js';

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

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * How much of an artifact is compared with its checksums: `all` of it, or its `structure` only, which is everything but
 * the values of its arrays. `structure` takes a few microseconds however large it is, and is for bytes that were
 * found sound before or never left memory: wrong values would not be noticed.
 */
export type ArtifactCheck = 'all' | 'structure';

/** What {@link describeArtifact} tells without decoding. */
export interface ArtifactDescription {
  readonly version: number;
  readonly type: AssetType;
  readonly bytes: number;
  readonly checksum: string;
  readonly intact: boolean;
  readonly blocks: readonly Block[];
  /** The asset's data, arrays as their kind and the number of their block. */
  readonly tree: unknown;
}

/**
 * Cooks an asset: a header, a JSON tree, and the typed arrays of the data as blocks that are aligned to 16
 * bytes and can be uploaded as they are. The layout is described in `docs/assets.md`. Equal data gives
 * equal bytes.
 */
export function encodeArtifact(asset: TypedAssetData): Uint8Array {
  const blocks = new BlockWriter();
  const description =
    asset.type === 'mesh' ? writeMesh(asset.data, blocks) : toPlain(asset.data, blocks);
  const json = new TextEncoder().encode(JSON.stringify(description));
  const { arrays } = blocks;
  const { bytes, offsets } = layOutArtifact(
    asset.type,
    json,
    arrays.map(({ byteLength }) => byteLength),
  );
  arrays.forEach(({ buffer, byteOffset, byteLength }, i) => {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), offsets[i]);
  });
  sealArtifact(bytes);
  return bytes;
}

/**
 * Reads an artifact. Its arrays are views of `bytes` where these are aligned (as a file that was read whole
 * is), so nothing is copied and `bytes` must not be written to.
 *
 * @param check - default `all`, which reads every byte
 * @throws EclipticError `assets/artifact-format` for other files, `assets/artifact-version`,
 * `assets/artifact-damaged` where length, checksum or contents are wrong
 */
export function decodeArtifact(bytes: Uint8Array, check: ArtifactCheck = 'all'): TypedAssetData {
  const header = readArtifactHeader(bytes);
  if (!isStructureIntact(bytes, header) || (check === 'all' && !isContentIntact(bytes, header))) {
    throw artifactDamaged('its checksum is wrong');
  }
  return readContent(bytes, header);
}

/**
 * Reads a `.zemesh`.
 *
 * @param check - as {@link decodeArtifact}
 * @throws EclipticError as {@link decodeArtifact}, and `assets/artifact-format` for other types
 */
export function loadMesh(bytes: Uint8Array, check: ArtifactCheck = 'all'): MeshData {
  const content = decodeArtifact(bytes, check);
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
  const header = readArtifactHeader(bytes);
  return {
    version: ARTIFACT_VERSION,
    type: header.type,
    bytes: bytes.byteLength,
    checksum: header.checksum.toString(16).padStart(8, '0'),
    intact: isStructureIntact(bytes, header) && isContentIntact(bytes, header),
    blocks: header.blocks,
    tree: readDescription(header, BLOCK_NAMES),
  };
}

/** In place of the arrays of what is only described. */
const BLOCK_NAMES: Blocks = {
  view: (kind, place) => ({ [kind]: place }) as unknown as BlockArray,
};

function readContent(bytes: Uint8Array, header: ArtifactHeader): TypedAssetData {
  // Blocks are aligned in the file, so an aligned file gives aligned views.
  const aligned = bytes.byteOffset % ARTIFACT_ALIGNMENT === 0 ? bytes : bytes.slice();
  const data = readDescription(header, new BlockReader(aligned, header.blocks));
  return { type: header.type, data } as TypedAssetData;
}

function readDescription({ type, json }: ArtifactHeader, blocks: Blocks): object {
  try {
    const description: unknown = JSON.parse(UTF8.decode(json));
    if (typeof description !== 'object' || description === null) throw new TypeError('No object');
    // Whatever is no list of the right ones fails by itself, and what is nested too deep by the end of the stack.
    return type === 'mesh'
      ? readMesh(description as MeshDescription, blocks)
      : fromPlain(description, blocks);
  } catch (cause) {
    if (cause instanceof EclipticError) throw cause;
    throw artifactDamaged(`its description is none of a ${type}`, cause);
  }
}
