import { v5 } from 'uuid';

/**
 * Uuid of a sub-asset: name-based (version 5) on its source's uuid and its key, so it is the same in every
 * import, on every machine, and differs for a copy of the source.
 */
export function subAssetUuid(source: string, key: string): string {
  return v5(key, source);
}
