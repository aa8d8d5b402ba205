import { EclipticError, EventLog, type Handle } from '@ecliptic/core';
import { dataBytes } from '../data/data-arrays.js';
import type { AssetDataByType, AssetType } from '../data/imported-asset.js';
import type { MaterialData } from '../data/material-data.js';
import type { MeshData } from '../data/mesh-data.js';
import type { TextureData } from '../data/texture-data.js';
import { usedAssets, type TypedAssetData } from '../data/typed-asset-data.js';
import type { AssetInfo } from '../registry/asset-info.js';
import type { AssetRegistry } from '../registry/asset-registry.js';
import { ListenerSet } from '../registry/listener-set.js';
import { AssetHolds } from './asset-holds.js';
import type { AssetReady } from './asset-ready.js';
import { fallbackTexture } from './fallback-texture.js';
import { ResidentAssets } from './resident-assets.js';

/** Reads data of an asset that is known but not resident; `undefined` where there is none. */
export type AssetLoader = (uuid: string) => Promise<TypedAssetData | undefined>;

/** Options of an {@link AssetManager}. */
export interface AssetManagerOptions {
  readonly registry: AssetRegistry;
  /** Loads what {@link AssetManager.acquire} is asked for and isn't resident. Default: nothing can be loaded. */
  readonly load?: AssetLoader;
  /**
   * Bytes of data that should be resident at most. More is warned of, once until it is less again; nothing is dropped
   * before {@link AssetManager.trim} is called. Default: no limit.
   */
  readonly budget?: number;
  readonly log?: EventLog;
}

/**
 * Keeps the data of loaded assets and tells renderers about it. Data is replaced as a whole, never
 * changed: a handle or uuid gives the newest.
 *
 * What is ingested stays until it is evicted: {@link AssetManager.acquire} and {@link AssetManager.release}
 * count who needs it, {@link AssetManager.evictUnused} drops what nobody does, {@link AssetManager.trim} as much of it as the
 * budget asks for.
 *
 * @example
 * ```ts
 * const manager = new AssetManager({ registry });
 * manager.onAssetReady((ready) => {
 *   if (ready.type === 'mesh') upload(ready.handle, ready.data);
 * });
 * manager.ingestMesh(uuid, mesh);
 * manager.getMesh(uuid); // mesh
 * manager.getTexture(unknown); // the pink fallback
 * ```
 */
export class AssetManager {
  readonly registry: AssetRegistry;
  readonly #fallback = fallbackTexture();
  readonly #resident: ResidentAssets;
  readonly #holds = new AssetHolds();
  readonly #listeners: ListenerSet<AssetReady>;
  readonly #loading = new Map<string, Promise<TypedAssetData>>();
  readonly #load: AssetLoader | undefined;

  constructor(options: AssetManagerOptions) {
    this.registry = options.registry;
    this.#load = options.load;
    const log = options.log ?? new EventLog('assets');
    this.#listeners = new ListenerSet(log);
    this.#resident = new ResidentAssets(options.budget ?? Infinity, log);
  }

  /** Assets whose data is here. */
  get residentCount(): number {
    return this.#resident.size;
  }

  /** Bytes of their typed arrays. What a renderer has made of them is not counted. */
  get residentBytes(): number {
    return this.#resident.bytes;
  }

  /**
   * Takes in data, brings the asset to `loaded` and tells listeners. An asset that isn't registered is, as one
   * without a source. The same again (the same object, or an equal `hash`) only brings it to `loaded`.
   *
   * @param hash - of the content, to tell equal data from new
   * @returns its handle
   * @throws EclipticError `assets/type-mismatch` when it is registered with another type, and as the
   * registry throws
   */
  ingest(uuid: string, content: TypedAssetData, hash?: string): Handle {
    const { registry } = this;
    const known = registry.get(uuid);
    if (!known || known.state === 'removed') {
      registry.register({ uuid, type: content.type, path: known?.path, key: known?.key });
    } else if (known.type !== content.type) {
      throw typeMismatch(known, content.type);
    }
    const before = this.#resident.get(uuid);
    const isSame =
      before !== undefined &&
      (before.content.data === content.data || (hash !== undefined && before.hash === hash));
    if (!isSame) {
      const version = (before?.version ?? 0) + 1;
      this.#resident.set(uuid, { content, hash, version, bytes: dataBytes(content.data) });
      registry.setDependencies(uuid, usedAssets(content) ?? registry.dependenciesOf(uuid));
    }
    // A renderer that asks on the state's change must find the data.
    this.#becomeLoaded(uuid, !isSame);
    if (!isSame) this.#tell(uuid, 'content');
    return registry.handleOf(uuid) as Handle;
  }

  ingestMesh(uuid: string, data: MeshData, hash?: string): Handle {
    return this.ingest(uuid, { type: 'mesh', data }, hash);
  }

  ingestMaterial(uuid: string, data: MaterialData, hash?: string): Handle {
    return this.ingest(uuid, { type: 'material', data }, hash);
  }

  ingestTexture(uuid: string, data: TextureData, hash?: string): Handle {
    return this.ingest(uuid, { type: 'texture', data }, hash);
  }

  /**
   * Says that a stale asset is current after all: its data is the same, only something that it uses was
   * replaced. No-op for what is not stale.
   */
  confirm(uuid: string): void {
    if (this.registry.stateOf(uuid) !== 'stale') return;
    this.registry.setState(uuid, 'loaded');
    if (this.#resident.get(uuid)) this.#tell(uuid, 'dependency');
  }

  /** The data of an asset if it is resident, whatever its state. */
  get<Type extends AssetType>(
    asset: string | Handle,
    type: Type,
  ): AssetDataByType[Type] | undefined {
    const uuid = typeof asset === 'string' ? asset : this.registry.get(asset)?.uuid;
    const content = uuid === undefined ? undefined : this.#resident.get(uuid)?.content;
    return content?.type === type ? (content.data as AssetDataByType[Type]) : undefined;
  }

  getMesh(asset: string | Handle): MeshData | undefined {
    return this.get(asset, 'mesh');
  }

  getMaterial(asset: string | Handle): MaterialData | undefined {
    return this.get(asset, 'material');
  }

  /** The texture, or the pink fallback where it isn't resident. */
  getTexture(asset: string | Handle): TextureData {
    return this.get(asset, 'texture') ?? this.#fallback;
  }

  /** How often the data of an asset was replaced, plus 1; 0 where none is resident. */
  versionOf(uuid: string): number {
    return this.#resident.get(uuid)?.version ?? 0;
  }

  /**
   * Holds an asset: it stays resident until it is released as often. Loads it where it isn't.
   *
   * @throws EclipticError `assets/not-loadable` when there is no data to load; then it is not held
   */
  async acquire(uuid: string): Promise<TypedAssetData> {
    this.#holds.add(uuid);
    try {
      return this.#resident.get(uuid)?.content ?? (await this.#loadOnce(uuid));
    } catch (error) {
      this.release(uuid);
      throw error;
    }
  }

  /**
   * Gives up one hold. What nobody holds is dropped by the next {@link AssetManager.evictUnused}.
   *
   * @throws EclipticError `assets/not-held` when it isn't held
   */
  release(uuid: string): void {
    this.#holds.release(uuid);
  }

  /** Holds on an asset. */
  referencesTo(uuid: string): number {
    return this.#holds.count(uuid);
  }

  /**
   * Drops the data of every asset that nobody holds and no held asset uses; it is `registered` then and can be
   * loaded again. O(resident).
   *
   * @returns how many were dropped
   */
  evictUnused(): number {
    return this.#evict(-1);
  }

  /**
   * As {@link AssetManager.evictUnused}, but only until resident data is within the budget: what came in first goes
   * first. Whoever shows an asset holds it, or has to {@link AssetManager.acquire} it again.
   *
   * @returns how many were dropped
   */
  trim(): number {
    return this.#evict(this.#resident.budget);
  }

  /** Forgets the data of an asset whose source is gone. */
  drop(uuid: string): void {
    this.#resident.delete(uuid);
  }

  /**
   * Calls `listener` when data comes in or is replaced. What is resident already can be had by
   * {@link AssetManager.get}. A listener that throws is logged.
   *
   * @returns a function that ends it
   */
  onAssetReady(listener: (ready: AssetReady) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** @param enough - bytes that may stay */
  #evict(enough: number): number {
    const needed = this.#holds.needed((uuid) => this.registry.dependenciesOf(uuid));
    let dropped = 0;
    for (const uuid of this.#resident.uuids()) {
      if (this.#resident.bytes <= enough) break;
      if (needed.has(uuid) || this.registry.stateOf(uuid) === 'importing') continue;
      this.#resident.delete(uuid);
      dropped++;
      const state = this.registry.stateOf(uuid);
      if (state !== 'registered' && state !== 'removed') this.registry.setState(uuid, 'registered');
    }
    return dropped;
  }

  #becomeLoaded(uuid: string, changed: boolean): void {
    const { registry } = this;
    const state = registry.stateOf(uuid);
    if (state === 'loaded' && !changed) return;
    if (state === 'loaded') registry.setState(uuid, 'stale');
    if (state !== 'importing') registry.setState(uuid, 'importing');
    registry.setState(uuid, 'loaded');
  }

  #loadOnce(uuid: string): Promise<TypedAssetData> {
    let loading = this.#loading.get(uuid);
    if (!loading) {
      loading = this.#loadNow(uuid).finally(() => this.#loading.delete(uuid));
      this.#loading.set(uuid, loading);
    }
    return loading;
  }

  async #loadNow(uuid: string): Promise<TypedAssetData> {
    const content = await this.#load?.(uuid);
    // An import may have been faster.
    const resident = this.#resident.get(uuid);
    if (resident) return resident.content;
    if (!content) {
      throw new EclipticError('assets/not-loadable', `There is no data of asset ${uuid}`, {
        subjects: { uuid, state: this.registry.stateOf(uuid) },
        fix: 'Import its source first.',
      });
    }
    this.ingest(uuid, content);
    return content;
  }

  #tell(uuid: string, reason: AssetReady['reason']): void {
    const resident = this.#resident.get(uuid);
    const handle = this.registry.handleOf(uuid);
    if (!resident || handle === undefined) return;
    const ready: AssetReady = {
      ...resident.content,
      uuid,
      handle,
      version: resident.version,
      reason,
    };
    this.#listeners.tell(ready, { event: 'asset_ready', uuid });
  }
}

function typeMismatch(known: AssetInfo, type: string): EclipticError {
  return new EclipticError(
    'assets/type-mismatch',
    `Asset ${known.uuid} is a ${known.type}, not a ${type}`,
    {
      subjects: { uuid: known.uuid, registered: known.type, ingested: type },
      fix: 'Give the other thing a uuid of its own.',
    },
  );
}
