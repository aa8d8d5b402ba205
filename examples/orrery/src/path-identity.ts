import { AssetIdentity, subAssetUuid, type AssetMeta } from '@ecliptic/assets';
import { VFSPath, type VFSPathLike } from '@ecliptic/vfs';

/** Any uuid, as long as it stays the same. */
const NAMESPACE = '5f0f2f0c-5d0b-4c7e-9c5e-3a7a7f1d2b61';

/**
 * Identities that follow from paths: the same in each run and process without a file that says so. For models of people who never
 * asked for sidecars beside them; those that are there count.
 */
export class PathIdentity extends AssetIdentity {
  override ensure(path: VFSPathLike, known?: string): Promise<AssetMeta> {
    return super.ensure(path, known ?? subAssetUuid(NAMESPACE, VFSPath.from(path).text));
  }
}
