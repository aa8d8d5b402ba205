import type { VFSPath } from '@ecliptic/vfs';

/** What an asset is found by. */
interface IndexedAsset {
  readonly type: string;
  readonly path: VFSPath | undefined;
  readonly key: string;
}

/** Assets by source and by type, in order of addition. All operations are O(1), but for the lists that they give. */
export class AssetIndex<Asset extends IndexedAsset> {
  readonly #byPath = new Map<string, Map<string, Asset>>();
  readonly #byType = new Map<string, Set<Asset>>();

  /** The asset of that name in a source. */
  at(path: VFSPath, key: string): Asset | undefined {
    return this.#byPath.get(path.key)?.get(key);
  }

  atPath(path: VFSPath): readonly Asset[] {
    return [...(this.#byPath.get(path.key)?.values() ?? [])];
  }

  ofType(type: string): readonly Asset[] {
    return [...(this.#byType.get(type) ?? [])];
  }

  add(asset: Asset): void {
    const { path, key, type } = asset;
    if (path) getOrInsert(this.#byPath, path.key, () => new Map<string, Asset>()).set(key, asset);
    getOrInsert(this.#byType, type, () => new Set<Asset>()).add(asset);
  }

  /** To be called before its path, key or type changes. */
  remove(asset: Asset): void {
    if (asset.path) this.#free(asset.path, asset);
    this.#byType.get(asset.type)?.delete(asset);
  }

  #free(path: VFSPath, asset: Asset): void {
    const group = this.#byPath.get(path.key);
    if (group?.get(asset.key) === asset) group.delete(asset.key);
    if (group?.size === 0) this.#byPath.delete(path.key);
  }
}

function getOrInsert<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
