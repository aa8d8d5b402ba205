import type { EnvironmentData } from './environment-data.js';
import type { MaterialData } from './material-data.js';
import type { MeshData } from './mesh-data.js';
import type { AnimationData, PrefabData, SkinData } from './prefab-data.js';
import type { TextureData } from './texture-data.js';

/** Data of each asset type that this package knows how to cook and to keep resident. */
export interface AssetDataByType {
  readonly mesh: MeshData;
  readonly material: MaterialData;
  readonly texture: TextureData;
  readonly prefab: PrefabData;
  readonly skin: SkinData;
  readonly animation: AnimationData;
  readonly environment: EnvironmentData;
}

/** Name of an asset type. */
export type AssetType = keyof AssetDataByType;

/** One asset that an import produced. */
export type ImportedAsset = {
  [Type in AssetType]: {
    /** Name inside the source file, as `mesh/Crate`; empty for the main asset, whose uuid is the file's. */
    readonly key: string;
    readonly uuid: string;
    readonly type: Type;
    readonly data: AssetDataByType[Type];
    /** Uuids of the assets that it uses. */
    readonly dependencies: readonly string[];
  };
}[AssetType];
