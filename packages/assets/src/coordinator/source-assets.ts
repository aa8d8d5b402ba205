import type { VFSPath } from '@ecliptic/vfs';
import type { StoredImport } from '../artifacts/artifact-store.js';
import type { AssetManager } from '../manager/asset-manager.js';
import type { AssetRegistry } from '../registry/asset-registry.js';

/** Brings the assets of one source from state to state as its import goes on. */
export class SourceAssets {
  readonly #registry: AssetRegistry;
  readonly #manager: AssetManager | undefined;
  readonly #onStale: (path: VFSPath) => void;

  /** @param onStale - called for each other source that holds something which uses what is imported */
  constructor(
    parts: { readonly registry: AssetRegistry; readonly manager?: AssetManager | undefined },
    onStale: (path: VFSPath) => void,
  ) {
    this.#registry = parts.registry;
    this.#manager = parts.manager;
    this.#onStale = onStale;
  }

  /** What a source holds, and what uses it, is stale from here on; the source's own assets are importing. */
  begin(path: VFSPath): void {
    const own = this.#registry.atPath(path);
    const users = new Map<string, VFSPath>();
    for (const { uuid } of own) {
      for (const marked of this.#registry.markStale(uuid)) {
        const user = this.#registry.get(marked)?.path;
        if (user && !user.equals(path)) users.set(user.key, user);
      }
    }
    for (const { uuid } of own) {
      if (this.#registry.stateOf(uuid) !== 'importing') this.#registry.setState(uuid, 'importing');
    }
    for (const user of users.values()) this.#onStale(user);
  }

  /** Registers what a source holds now, and removes what it held before. */
  register(path: VFSPath, record: StoredImport): void {
    const now = new Set(record.assets.map((asset) => asset.uuid));
    for (const { uuid } of this.#registry.atPath(path)) {
      if (now.has(uuid)) continue;
      this.#registry.setState(uuid, 'removed');
      this.#registry.setDependencies(uuid, []);
      this.#manager?.drop(uuid);
    }
    for (const { uuid, type, key, dependencies } of record.assets) {
      this.#registry.register({ uuid, type, path, key });
      this.#registry.setDependencies(uuid, dependencies);
    }
  }

  /** Without a manager nothing is resident: what was imported goes back to registered. */
  unload(uuid: string): void {
    if (this.#registry.stateOf(uuid) !== 'registered') this.#registry.setState(uuid, 'registered');
  }

  /** Ends an import that could not end: nothing of the source stays `importing`. */
  abandon(path: VFSPath, outcome: 'failed' | 'cancelled'): void {
    for (const { uuid, state } of this.#registry.atPath(path)) {
      if (outcome === 'failed') this.#fail(uuid);
      else if (state === 'importing') {
        const isResident = (this.#manager?.versionOf(uuid) ?? 0) > 0;
        this.#registry.setState(uuid, isResident ? 'stale' : 'registered');
      }
    }
  }

  #fail(uuid: string): void {
    const registry = this.#registry;
    // A source can be refused before its importer begins, as for its sidecar.
    if (registry.stateOf(uuid) === 'loaded') registry.setState(uuid, 'stale');
    const state = registry.stateOf(uuid);
    if (state === 'registered' || state === 'stale') registry.setState(uuid, 'importing');
    if (state !== 'failed') registry.setState(uuid, 'failed');
  }
}
