import type { AssetDataByType, AssetType } from './imported-asset.js';
import { texturesOf } from './material-data.js';

/** Data of one asset, tagged with its type. */
export type TypedAssetData = {
  [Type in AssetType]: { readonly type: Type; readonly data: AssetDataByType[Type] };
}[AssetType];

/** Uuids that the data itself shows to be used; `undefined` for types that don't show it, as prefabs. */
export function usedAssets(content: TypedAssetData): readonly string[] | undefined {
  if (content.type === 'material') return texturesOf(content.data);
  if (content.type !== 'mesh') return undefined;
  const found = new Set<string>();
  for (const { material, variants } of content.data.submeshes) {
    if (material !== undefined) found.add(material);
    for (const variant of Object.values(variants ?? {})) found.add(variant);
  }
  return [...found];
}
