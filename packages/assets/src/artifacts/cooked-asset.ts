import { dataBuffers } from '../data/data-arrays.js';
import type { AssetType, ImportedAsset } from '../data/imported-asset.js';
import { sha256 } from '../hashing/content-hash.js';
import { encodeArtifact } from './artifact-codec.js';

/** A cooked asset in the store. */
export interface StoredAsset {
  readonly key: string;
  readonly uuid: string;
  readonly type: AssetType;
  /** SHA-256 of the artifact's bytes, which is also its name. */
  readonly hash: string;
  /** Length of the artifact. */
  readonly bytes: number;
  readonly dependencies: readonly string[];
}

/** What an import made, as it is stored. */
export interface CookedAsset {
  readonly entry: StoredAsset;
  /** The artifact. */
  readonly artifact: Uint8Array;
}

/**
 * Cooks what an importer made, one after the other, and empties the list meanwhile: what was cooked is in memory
 * once.
 *
 * @param source - of the import. It is freed, unless something that was made is a view of it.
 */
export async function cookAssets(
  assets: ImportedAsset[],
  source: Uint8Array,
): Promise<CookedAsset[]> {
  if (!dataBuffers(assets).some((buffer) => buffer === source.buffer)) free(source);
  const cooked: CookedAsset[] = [];
  for (let asset = assets.shift(); asset; asset = assets.shift()) {
    const { key, uuid, type, dependencies } = asset;
    const artifact = encodeArtifact(asset);
    const hash = await sha256(artifact);
    const entry = { key, uuid, type, hash, bytes: artifact.byteLength, dependencies };
    cooked.push({ entry, artifact });
  }
  return cooked;
}

/** Gives memory back at once, where the engine can: a collector may wait long. */
function free({ buffer, byteLength }: Uint8Array): void {
  const owner = buffer as ArrayBuffer & { transfer?(bytes: number): ArrayBuffer };
  if (buffer.byteLength === byteLength) owner.transfer?.(0);
}
