import type { Handle } from '@ecliptic/core';
import type { VFSPath, VFSPathLike } from '@ecliptic/vfs';
import type { AssetState } from './asset-state.js';

/** How to register an asset. */
export interface AssetRegistration {
  readonly uuid: string;
  /** A type known to the application, as `mesh`. */
  readonly type: string;
  /** Its source; `undefined` for assets that are made at run time. */
  readonly path?: VFSPathLike | undefined;
  /** Name inside its source; `''` (the default) for the source's main asset. */
  readonly key?: string | undefined;
}

/** What the registry knows of an asset. A snapshot. */
export interface AssetInfo {
  readonly uuid: string;
  readonly handle: Handle;
  readonly type: string;
  readonly path: VFSPath | undefined;
  readonly key: string;
  readonly state: AssetState;
}

/** Something that happened to an asset. */
export type AssetEvent =
  | { readonly kind: 'registered'; readonly asset: AssetInfo }
  | { readonly kind: 'state'; readonly asset: AssetInfo; readonly from: AssetState }
  | { readonly kind: 'moved'; readonly asset: AssetInfo; readonly from: VFSPath | undefined };

/** What people call an asset by: its path, with its name inside of that; the uuid of one without a source. */
export function nameOfAsset({ path, key, uuid }: Pick<AssetInfo, 'path' | 'key' | 'uuid'>): string {
  if (!path) return uuid;
  return key === '' ? path.text : `${path.text}#${key}`;
}
