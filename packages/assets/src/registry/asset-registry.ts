import {
  EclipticError,
  EventLog,
  HandleTable,
  isUuid,
  NIL_UUID,
  type Handle,
} from '@ecliptic/core';
import { VFSPath, type VFSPathLike } from '@ecliptic/vfs';
import { AssetIndex } from './asset-index.js';
import {
  nameOfAsset,
  type AssetEvent,
  type AssetInfo,
  type AssetRegistration,
} from './asset-info.js';
import { canFollow, type AssetState } from './asset-state.js';
import { DependencyGraph } from './dependency-graph.js';
import { ListenerSet } from './listener-set.js';

/** Options of an {@link AssetRegistry}. */
export interface AssetRegistryOptions {
  /** The most assets, removed ones included, 1 to 1,048,576. Default 65,536. */
  readonly capacity?: number;
  readonly log?: EventLog;
}

type AssetRecord = { -readonly [Key in keyof AssetInfo]: AssetInfo[Key] };

/**
 * All assets of one engine, by uuid: a handle that never changes, a state, a type, a path, and what depends on
 * what. It holds no asset data; that is the `AssetManager`'s.
 *
 * Lookups and transitions are O(1); `ofType` and `atPath` give what they hold in order of registration.
 *
 * @example
 * ```ts
 * const registry = new AssetRegistry();
 * const crate = registry.register({ uuid: createUuid(), type: 'mesh', path: '/crate.glb' });
 * registry.stateOf(crate); // 'registered'
 * ```
 */
export class AssetRegistry {
  readonly capacity: number;
  readonly #table: HandleTable<AssetRecord>;
  readonly #byUuid = new Map<string, AssetRecord>();
  readonly #index = new AssetIndex<AssetRecord>();
  readonly #graph = new DependencyGraph();
  readonly #listeners: ListenerSet<AssetEvent>;

  constructor(options: AssetRegistryOptions = {}) {
    this.capacity = options.capacity ?? 65_536;
    this.#table = new HandleTable({ name: 'assets', capacity: this.capacity });
    this.#listeners = new ListenerSet(options.log ?? new EventLog('assets'));
  }

  /** Assets known, removed ones included. */
  get size(): number {
    return this.#byUuid.size;
  }

  /**
   * Makes an asset known, or one that was removed known again, with the handle that it had. Registering again
   * what is registered returns its handle.
   *
   * @throws EclipticError `assets/uuid-invalid`, `assets/uuid-taken` (known with another path, key or
   * type: see {@link AssetRegistry.move}), `assets/path-taken`, `assets/registry-full`
   */
  register(registration: AssetRegistration): Handle {
    const { uuid, type, key = '' } = registration;
    const path = registration.path === undefined ? undefined : VFSPath.from(registration.path);
    if (!isUuid(uuid) || uuid === NIL_UUID) {
      throw new EclipticError('assets/uuid-invalid', `"${uuid}" is no uuid of an asset`, {
        subjects: { uuid },
        fix: 'Use createUuid() or the uuid of a sidecar, in lower case.',
      });
    }
    const known = this.#byUuid.get(uuid);
    if (known) return this.#registerAgain(known, type, path, key);
    this.#requireFree(path, key, uuid);
    if (this.#byUuid.size >= this.capacity) {
      throw new EclipticError(
        'assets/registry-full',
        `Asset ${path?.text ?? uuid} is one more than the ${this.capacity} that fit`,
        { subjects: { uuid, capacity: this.capacity }, fix: 'Raise the registry’s capacity.' },
      );
    }
    const record: AssetRecord = {
      uuid,
      handle: 0 as Handle,
      type,
      path,
      key,
      state: 'registered',
    };
    record.handle = this.#table.insert(record);
    this.#byUuid.set(uuid, record);
    this.#index.add(record);
    this.#emit({ kind: 'registered', asset: { ...record } });
    return record.handle;
  }

  /** What is known of an asset, or `undefined` for one that never was registered. */
  get(asset: string | Handle): AssetInfo | undefined {
    const record = this.#find(asset);
    return record && { ...record };
  }

  /** The handle of a uuid, or `undefined`. Lasts as long as the registry. */
  handleOf(uuid: string): Handle | undefined {
    return this.#byUuid.get(uuid)?.handle;
  }

  stateOf(asset: string | Handle): AssetState {
    return this.#find(asset)?.state ?? 'unregistered';
  }

  /** Assets of one source, the main one among them; without removed ones. */
  atPath(path: VFSPathLike): AssetInfo[] {
    const records = this.#index.atPath(VFSPath.from(path));
    return records.filter(({ state }) => state !== 'removed').map((record) => ({ ...record }));
  }

  /** Assets of one type, without removed ones. */
  ofType(type: string): AssetInfo[] {
    const records = this.#index.ofType(type);
    return records.filter(({ state }) => state !== 'removed').map((record) => ({ ...record }));
  }

  /**
   * Brings an asset into another state.
   *
   * @throws EclipticError `assets/unknown-asset`, `assets/illegal-transition`
   */
  setState(asset: string | Handle, state: AssetState): void {
    const record = this.#require(asset);
    const from = record.state;
    if (!canFollow(from, state)) {
      throw new EclipticError(
        'assets/illegal-transition',
        `Asset ${nameOfAsset(record)} can't become ${state}: it is ${from}`,
        { subjects: { uuid: record.uuid, from, to: state } },
      );
    }
    record.state = state;
    this.#emit({ kind: 'state', asset: { ...record }, from });
  }

  /**
   * Says what an asset uses, instead of what was said before. Unknown uuids may be named: they count
   * once they are registered.
   *
   * @throws EclipticError `assets/unknown-asset`
   */
  setDependencies(asset: string | Handle, uuids: Iterable<string>): void {
    this.#graph.set(this.#require(asset).uuid, uuids);
  }

  /** Uuids that an asset uses itself. */
  dependenciesOf(asset: string | Handle): string[] {
    return this.#graph.dependenciesOf(this.#find(asset)?.uuid ?? '');
  }

  /** Uuids that use an asset themselves. An unknown uuid may have some, too. */
  dependentsOf(asset: string | Handle): string[] {
    const uuid = typeof asset === 'string' ? asset : (this.#find(asset)?.uuid ?? '');
    return this.#graph.dependentsOf(uuid);
  }

  /**
   * Marks an asset and everything that uses it, directly or not, as stale: each that is loaded or failed,
   * once, dependents after what they use. Works on cycles.
   *
   * @returns uuids that became stale, in that order
   */
  markStale(asset: string | Handle): string[] {
    const marked: string[] = [];
    for (const uuid of this.#graph.withDependents(this.#require(asset).uuid)) {
      const state = this.stateOf(uuid);
      if (state !== 'loaded' && state !== 'failed') continue;
      this.setState(uuid, 'stale');
      marked.push(uuid);
    }
    return marked;
  }

  /**
   * Gives an asset another path, as when its file was moved with its sidecar.
   *
   * @throws EclipticError `assets/unknown-asset`, `assets/path-taken`
   */
  move(asset: string | Handle, path: VFSPathLike): void {
    const record = this.#require(asset);
    const to = VFSPath.from(path);
    if (record.path?.equals(to)) return;
    this.#requireFree(to, record.key, record.uuid);
    const from = record.path;
    this.#index.remove(record);
    record.path = to;
    this.#index.add(record);
    this.#emit({ kind: 'moved', asset: { ...record }, from });
  }

  /** Every asset, removed ones included, in order of registration. */
  *[Symbol.iterator](): IterableIterator<AssetInfo> {
    for (const record of this.#byUuid.values()) yield { ...record };
  }

  /**
   * Calls `listener` for every event, at once and in order. One that throws is logged, and stops neither
   * the change nor the others.
   *
   * @returns a function that ends it
   */
  subscribe(listener: (event: AssetEvent) => void): () => void {
    return this.#listeners.add(listener);
  }

  #registerAgain(known: AssetRecord, type: string, path: VFSPath | undefined, key: string): Handle {
    const isSame = known.type === type && known.key === key && known.path?.key === path?.key;
    if (known.state !== 'removed') {
      if (isSame) return known.handle;
      throw new EclipticError(
        'assets/uuid-taken',
        `Uuid ${known.uuid} is ${nameOfAsset(known)} already, a ${known.type}`,
        {
          subjects: { uuid: known.uuid, path: known.path?.text, key: known.key },
          fix: 'Scan the project, which gives copies new uuids, or move() the asset.',
        },
      );
    }
    this.#index.remove(known);
    this.#requireFree(path, key, known.uuid);
    known.type = type;
    known.path = path;
    known.key = key;
    this.#index.add(known);
    this.setState(known.uuid, 'registered');
    return known.handle;
  }

  #requireFree(path: VFSPath | undefined, key: string, uuid: string): void {
    const other = path && this.#index.at(path, key);
    if (!other || other.uuid === uuid) return;
    // Its place is free again.
    if (other.state === 'removed') {
      this.#index.remove(other);
      return;
    }
    throw new EclipticError(
      'assets/path-taken',
      `${nameOfAsset(other)} is asset ${other.uuid} already`,
      {
        subjects: { path: path.text, key, uuid, other: other.uuid },
        fix: 'Remove the other asset first.',
      },
    );
  }

  #find(asset: string | Handle): AssetRecord | undefined {
    return typeof asset === 'string' ? this.#byUuid.get(asset) : this.#table.get(asset);
  }

  #require(asset: string | Handle): AssetRecord {
    const record = this.#find(asset);
    if (record) return record;
    throw new EclipticError('assets/unknown-asset', `Asset ${asset} is not registered`, {
      subjects: { asset },
      fix: 'Register it first, or scan the project.',
    });
  }

  #emit(event: AssetEvent): void {
    this.#listeners.tell(event, { event: event.kind, uuid: event.asset.uuid });
  }
}
