import type { Handle } from '@ecliptic/core';
import type { TypedAssetData } from '../data/typed-asset-data.js';

/** Says that an asset can be used, or used again. */
export type AssetReady = TypedAssetData & {
  readonly uuid: string;
  readonly handle: Handle;
  /** 1 for the first data, and one more for each that replaces it. */
  readonly version: number;
  /** `content`: the data is new. `dependency`: it is the same, but something that it uses was replaced. */
  readonly reason: 'content' | 'dependency';
};
