import { VFSContext, type VFSContextOptions } from '@ecliptic/vfs';
import type { EngineContext } from '../engine/engine-context.js';
import type { SubsystemPlugin } from '../lifecycle/lifecycle-step.js';
import { ENGINE_ASSETS_MOUNT, ENGINE_ASSETS_PRIORITY } from '../platform/asset-manifest.js';
import { CLOCK, MOUNTS } from '../services/engine-tokens.js';
import { createToken, type Token } from '../services/token.js';

/** The files of the engine and of the project. */
export const VFS: Token<VFSContext> = createToken<VFSContext>('vfs.context');

/**
 * The virtual file system: the mounts that `createEngine` is given, and the engine's own assets at `/Ecliptic`, where the
 * platform has them. Changes to files are delivered once a frame.
 *
 * Binds {@link VFS}.
 */
export function vfs(options: VFSContextOptions = {}): SubsystemPlugin {
  return {
    id: 'ecliptic.vfs',
    configure(services) {
      services.bindFactory(VFS, [CLOCK], (clock) => new VFSContext({ clock, ...options }));
    },
    steps: [
      {
        name: 'VFSContext',
        at: 'vfs',
        initialize({ get, frame }) {
          const context = get(VFS);
          frame.on('vfs', 'deliver file changes', () => void context.tick());
        },
        cleanups: [{ at: 'vfs', cleanup: ({ get }) => get(VFS).dispose() }],
      },
      { name: 'engine assets', at: 'vfs', initialize: mountEngineAssets },
      {
        name: 'mounts',
        at: 'vfs',
        initialize({ get }) {
          for (const { at, backend, ...options } of get(MOUNTS)) {
            get(VFS).mount(at, backend, { owned: true, ...options });
          }
        },
      },
    ],
  };
}

async function mountEngineAssets({ get, platform, log }: EngineContext): Promise<void> {
  const assets = await platform.packagedAssets?.();
  if (assets === undefined) return;
  const backend = await assets.open();
  get(VFS).mount(ENGINE_ASSETS_MOUNT, backend, {
    priority: ENGINE_ASSETS_PRIORITY,
    readOnly: true,
    owned: true,
  });
  log.info('engine_assets_mounted', { at: ENGINE_ASSETS_MOUNT, root: assets.root });
}
