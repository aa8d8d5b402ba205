import {
  ArtifactStore,
  AssetHotReload,
  AssetIdentity,
  AssetManager,
  AssetRegistry,
  ImportCoordinator,
  scanAssets,
  type ImportCoordinatorOptions,
  type Importer,
} from '@ecliptic/assets';
import type { VFSPathLike } from '@ecliptic/vfs';
import type { EngineContext } from '../engine/engine-context.js';
import type { LifecycleStep, SubsystemPlugin } from '../lifecycle/lifecycle-step.js';
import { ENGINE_ASSETS_MOUNT } from '../platform/asset-manifest.js';
import { CLOCK, CONFIG } from '../services/engine-tokens.js';
import { createToken, type Token } from '../services/token.js';
import { VFS } from './vfs.js';

/** All assets by uuid: states and what depends on what. */
export const ASSET_REGISTRY: Token<AssetRegistry> = createToken<AssetRegistry>('assets.registry');
/** Data of the assets that are loaded. */
export const ASSET_MANAGER: Token<AssetManager> = createToken<AssetManager>('assets.manager');
/** Identities of assets, in their sidecars. */
export const ASSET_IDENTITY: Token<AssetIdentity> = createToken<AssetIdentity>('assets.identity');
/** Cooked artifacts; bound only where the plugin is told where to keep them. */
export const ARTIFACT_STORE: Token<ArtifactStore> = createToken<ArtifactStore>('assets.artifacts');
/** Imports in the background. */
export const IMPORT_COORDINATOR: Token<ImportCoordinator> = createToken<ImportCoordinator>(
  'assets.importCoordinator',
);
/** Imports again what changes on disk; bound unless the plugin is told not to. */
export const ASSET_HOT_RELOAD: Token<AssetHotReload> =
  createToken<AssetHotReload>('assets.hotReload');
/** The importers: a plugin adds its own in `configure`, after `ecliptic.assets`. */
export const IMPORTERS: Token<Importer[]> = createToken<Importer[]>('assets.importers');

/** Options of {@link assets}. */
export interface AssetsOptions extends Pick<
  ImportCoordinatorOptions,
  'dispatchPerTick' | 'timeout' | 'onReport'
> {
  /** Folder for cooked artifacts, on a writable mount, so that what has not changed needn't be imported again. */
  readonly cache?: VFSPathLike;
  /** Import again what changes on disk; default `true`. */
  readonly hotReload?: boolean;
  /**
   * Give every asset of the project its identity at the start, and queue its import behind all others; the engine's own assets
   * are left out. Default `false`: what is needed is queued by path.
   */
  readonly scan?: boolean;
}

/**
 * Assets: imports go on in the background, a few started each frame; changed files are imported again.
 *
 * Binds {@link ASSET_MANAGER}, {@link ASSET_REGISTRY}, {@link ASSET_IDENTITY}, {@link IMPORT_COORDINATOR},
 * {@link IMPORTERS} and, with a cache, {@link ARTIFACT_STORE}; needs {@link VFS}.
 *
 * @param importers - of those that take one extension, the first is the default
 */
export function assets(
  importers: readonly Importer[] = [],
  options: AssetsOptions = {},
): SubsystemPlugin {
  const { cache, hotReload = true, scan = false, ...imports } = options;
  return {
    id: 'ecliptic.assets',
    after: ['ecliptic.vfs'],
    configure(services) {
      services.bindValue(IMPORTERS, [...importers]);
      services.bindFactory(ASSET_REGISTRY, [CONFIG], ({ memory }) => {
        return new AssetRegistry({ capacity: memory.assets });
      });
      services.bindFactory(ASSET_IDENTITY, [VFS], (vfs) => new AssetIdentity({ vfs }));
      if (cache === undefined) {
        services.bindFactory(ASSET_MANAGER, [ASSET_REGISTRY, CONFIG], (registry, { memory }) => {
          return new AssetManager({ registry, budget: memory.assetBytes });
        });
      } else {
        services.bindFactory(ARTIFACT_STORE, [VFS], (vfs) => {
          return new ArtifactStore({ vfs, root: cache });
        });
        services.bindFactory(
          ASSET_MANAGER,
          [ASSET_REGISTRY, ARTIFACT_STORE, CONFIG],
          (registry, store, { memory }) =>
            new AssetManager({
              registry,
              budget: memory.assetBytes,
              load: (uuid) => store.load(uuid),
            }),
        );
      }
      const needs = [VFS, ASSET_REGISTRY, ASSET_IDENTITY, ASSET_MANAGER, IMPORTERS, CLOCK] as const;
      services.bindFactory(
        IMPORT_COORDINATOR,
        needs,
        (vfs, registry, identity, manager, all, clock) => {
          const store = services.find(ARTIFACT_STORE);
          return new ImportCoordinator({
            ...imports,
            ...(store ? { store } : {}),
            vfs,
            registry,
            identity,
            manager,
            clock,
            importers: all,
          });
        },
      );
      if (!hotReload) return;
      services.bindFactory(
        ASSET_HOT_RELOAD,
        [VFS, ASSET_REGISTRY, ASSET_IDENTITY, IMPORT_COORDINATOR],
        (vfs, registry, identity, coordinator) => {
          const ignore = [ENGINE_ASSETS_MOUNT, ...(cache === undefined ? [] : [cache])];
          return new AssetHotReload({ vfs, registry, identity, coordinator, ignore });
        },
      );
    },
    steps: [
      {
        name: 'AssetManager',
        at: 'assetManager',
        needs: ['vfs'],
        initialize: ({ get }) => void get(ASSET_MANAGER),
      },
      {
        name: 'ImportCoordinator',
        at: 'importCoordinator',
        needs: ['assetManager'],
        initialize({ get, frame }) {
          const coordinator = get(IMPORT_COORDINATOR);
          frame.on('imports', 'start imports', () => void coordinator.tick());
        },
        cleanups: [
          {
            at: 'assetManager',
            async cleanup({ get }) {
              get(IMPORT_COORDINATOR).dispose();
              await get(IMPORT_COORDINATOR).settled();
            },
          },
        ],
      },
      ...(hotReload ? [FILE_WATCHER] : []),
    ],
    ...(scan ? { start: queueEverything } : {}),
  };
}

/** Follows changes of files. Where they can't be watched, everything else works: so that is reported, and no more. */
const FILE_WATCHER: LifecycleStep = {
  name: 'file watcher',
  at: 'fileWatcher',
  needs: ['vfs', 'importCoordinator'],
  async initialize({ get, log }) {
    try {
      await get(ASSET_HOT_RELOAD).start();
    } catch (error) {
      log.error('files_not_watched', { error, fix: 'Restart to see changes of these files.' });
    }
  },
  cleanups: [
    {
      at: 'vfs',
      async cleanup({ get }) {
        get(ASSET_HOT_RELOAD).dispose();
        await get(ASSET_HOT_RELOAD).settled();
      },
    },
  ],
};

function isNoAsset(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules';
}

async function queueEverything({ get, signal, log }: EngineContext): Promise<void> {
  const coordinator = get(IMPORT_COORDINATOR);
  const report = await scanAssets({
    vfs: get(VFS),
    identity: get(ASSET_IDENTITY),
    isAsset: (path) => coordinator.importers.takes(path),
    ignore: (path) => path.text === ENGINE_ASSETS_MOUNT || isNoAsset(path.name),
    signal,
  });
  for (const diagnostic of report.diagnostics) log.warn('asset_scan', { diagnostic });
  for (const { path } of report.assets) void coordinator.enqueue(path, { priority: 'background' });
}
