import type { AssetRegistry } from '@ecliptic/assets';
import type { AssetSummary } from './protocol/inspector-protocol.js';

/** The assets of a registry, part by part. Follows the registry, so that a page costs what the page holds. */
export class AssetList {
  readonly #registry: AssetRegistry;
  readonly #uuids: string[] = [];
  readonly #unsubscribe: () => void;

  constructor(registry: AssetRegistry) {
    this.#registry = registry;
    const known = new Set<string>();
    const add = (uuid: string): void => {
      if (!known.has(uuid)) this.#uuids.push(uuid);
      known.add(uuid);
    };
    for (const { uuid } of registry) add(uuid);
    this.#unsubscribe = registry.subscribe((event) => {
      if (event.kind === 'registered') add(event.asset.uuid);
    });
  }

  /** Assets known, removed ones included. */
  get total(): number {
    return this.#uuids.length;
  }

  /** Some of them, in order of registration. O(limit). */
  page(offset: number, limit: number): AssetSummary[] {
    return this.#uuids.slice(offset, offset + limit).flatMap((uuid) => {
      const asset = this.#registry.get(uuid);
      if (asset === undefined) return [];
      const { type, key, state, path } = asset;
      return [{ uuid, type, key, state, path: path?.text ?? null }];
    });
  }

  dispose(): void {
    this.#unsubscribe();
  }
}
