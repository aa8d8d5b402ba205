import { EventLog } from '@ecliptic/core';
import {
  VFSPath,
  type VFSChange,
  type VFSContext,
  type VFSPathLike,
  type VFSSubscription,
} from '@ecliptic/vfs';
import type { ImportCoordinator } from '../coordinator/import-coordinator.js';
import { isMetaPath, type AssetIdentity } from '../identity/asset-identity.js';
import { META_SUFFIX } from '../identity/asset-meta.js';
import type { AssetRegistry } from '../registry/asset-registry.js';

/** Options of {@link AssetHotReload}. */
export interface AssetHotReloadOptions {
  readonly vfs: VFSContext;
  readonly registry: AssetRegistry;
  readonly identity: AssetIdentity;
  readonly coordinator: ImportCoordinator;
  /** Where to watch. Default `/`. */
  readonly root?: VFSPathLike;
  /** Folders that are no concern, as the artifact store's. Names that start with a dot never are. */
  readonly ignore?: readonly VFSPathLike[];
  readonly log?: EventLog;
}

/**
 * Follows changes of files: what changed is imported again with priority `immediate`, what uses it is told. A file
 * that was rewritten with the same bytes is no change.
 *
 * Changes come in `vfs.tick()`, imports happen in `coordinator.tick()`: call both each frame, in that order.
 *
 * @example
 * ```ts
 * const hotReload = new AssetHotReload({ vfs, registry, identity, coordinator, ignore: [store.root] });
 * await hotReload.start();
 * ```
 */
export class AssetHotReload {
  readonly #options: AssetHotReloadOptions;
  readonly #root: VFSPath;
  readonly #ignored: readonly VFSPath[];
  readonly #log: EventLog;
  readonly #running = new Set<Promise<void>>();
  #subscription: VFSSubscription | undefined;

  constructor(options: AssetHotReloadOptions) {
    this.#options = options;
    this.#root = VFSPath.from(options.root ?? '/');
    this.#ignored = (options.ignore ?? []).map((path) => VFSPath.from(path));
    this.#log = options.log ?? new EventLog('assets');
  }

  /**
   * Begins to watch; what changes once the promise settles is followed. Scan after it, not before, so that
   * nothing falls in between.
   *
   * @throws VFSError where a mount can't be watched; the others are
   */
  async start(): Promise<void> {
    this.#subscription ??= this.#options.vfs.watch(this.#root, (change) => this.#follow(change));
    await this.#subscription.ready;
  }

  /** Resolves once the changes of the ticks so far are in the coordinator's queue. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Stops watching. Idempotent. */
  dispose(): void {
    this.#subscription?.dispose();
    this.#subscription = undefined;
  }

  #follow(change: VFSChange): void {
    if (change.entry === 'folder' && change.kind !== 'modified') return;
    const running = this.#handle(change)
      .catch((error: unknown) => {
        this.#log.error('hot_reload_failed', { path: change.path.text, error });
      })
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #handle({ kind, path, from }: VFSChange): Promise<void> {
    if (kind === 'renamed' && from) await this.#renamed(from, path);
    else if (this.#isIgnored(path)) return;
    else if (isMetaPath(path)) await this.#metaChanged(path, kind === 'removed');
    else if (kind === 'removed') this.#removed(path);
    else await this.#changed(path);
  }

  async #metaChanged(path: VFSPath, isRemoved: boolean): Promise<void> {
    const { vfs, identity, coordinator } = this.#options;
    const owner = path.parent.join(path.name.slice(0, -META_SUFFIX.length));
    if (!coordinator.importers.takes(owner) || !(await vfs.exists(owner))) return;
    if (isRemoved || (await identity.hasChanged(owner))) {
      void coordinator.enqueue(owner, { priority: 'immediate', changed: true });
    }
  }

  async #changed(path: VFSPath): Promise<void> {
    if (isMetaPath(path)) {
      await this.#metaChanged(path, false);
      return;
    }
    const { coordinator } = this.#options;
    if (coordinator.importers.takes(path)) {
      void coordinator.enqueue(path, { priority: 'immediate', changed: true });
    }
    this.#tellReaders(path);
  }

  #removed(path: VFSPath): void {
    const { registry, coordinator } = this.#options;
    const users = new Map<string, VFSPath>();
    for (const { uuid } of registry.atPath(path)) {
      for (const marked of registry.markStale(uuid)) {
        const user = registry.get(marked)?.path;
        if (user && !user.equals(path)) users.set(user.key, user);
      }
    }
    coordinator.remove(path);
    for (const user of users.values()) void coordinator.enqueue(user);
    this.#tellReaders(path);
  }

  /** An asset that was renamed with its sidecar keeps its identity, which its import finds out; else it is another one. */
  async #renamed(from: VFSPath, to: VFSPath): Promise<void> {
    const { coordinator } = this.#options;
    if (!this.#isIgnored(to)) await this.#changed(to);
    if (this.#isIgnored(from) || isMetaPath(from)) return;
    this.#tellReaders(from);
    const { importers } = coordinator;
    if (!importers.takes(from)) return;
    const arrived =
      importers.takes(to) && !this.#isIgnored(to) ? coordinator.enqueue(to) : undefined;
    void Promise.resolve(arrived).then(() => this.#removeIfGone(from));
  }

  async #removeIfGone(path: VFSPath): Promise<void> {
    const { vfs, registry } = this.#options;
    if (registry.atPath(path).length > 0 && !(await vfs.exists(path))) this.#removed(path);
  }

  #tellReaders(path: VFSPath): void {
    const { coordinator } = this.#options;
    for (const reader of coordinator.readersOf(path)) {
      void coordinator.enqueue(reader, { priority: 'immediate', changed: true });
    }
  }

  #isIgnored(path: VFSPath): boolean {
    return (
      path.components.some((name) => name.startsWith('.')) ||
      this.#ignored.some((folder) => path.isWithin(folder))
    );
  }
}
