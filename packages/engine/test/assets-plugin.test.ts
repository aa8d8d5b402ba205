import { ManualClock } from '@ecliptic/core';
import type { Importer } from '@ecliptic/assets';
import { memoryBackend } from '@ecliptic/vfs';
import { describe, expect, test } from 'vitest';
import type { PluginOption } from '../src/index.js';
import {
  ASSET_HOT_RELOAD,
  ASSET_MANAGER,
  ASSET_REGISTRY,
  assets,
  IMPORT_COORDINATOR,
  IMPORTERS,
  vfs,
  VFS,
} from '../src/plugins.js';
import { settle, testEngine } from './support/recorder.js';

/** Takes `.txt` files for textures of the name that is their text. */
const texts: Importer = {
  name: 'test.texts',
  version: 1,
  type: 'texture',
  extensions: ['.txt'],
  settings: {},
  import: async ({ source, uuid }) => {
    const name = new TextDecoder().decode(source);
    if (name === 'bad') throw new Error('bad');
    const size = { mime: 'image/png', width: 1, height: 1, colorSpace: 'srgb' } as const;
    const data = { ...size, name, bytes: new Uint8Array([1]) };
    return [{ key: '', uuid, type: 'texture', dependencies: [], data }];
  },
};

async function running(plugins: readonly PluginOption[], files: Record<string, string>) {
  const clock = new ManualClock();
  const { engine } = testEngine({
    clock,
    plugins: [vfs(), ...plugins],
    mounts: [{ at: '/', backend: memoryBackend({ files }) }],
  });
  await engine.initialize();
  /**
   * Runs frames until `done` holds. Other threads hash, in their own time: the engine's clock must not run ahead of it, or
   * imports time out.
   */
  const framesUntil = async (done: () => boolean): Promise<void> => {
    while (!done()) {
      clock.advance(1_000_000);
      await engine.runFrame();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  /** Runs frames until `work` has ended, and gives its result. */
  const framesFor = async <T>(work: Promise<T>): Promise<T> => {
    let ended = false;
    void work.finally(() => (ended = true)).catch(() => {});
    await framesUntil(() => ended);
    return work;
  };
  return { engine, framesUntil, framesFor };
}

describe('assets as a plugin', () => {
  test('imports are started in frames, and a failed one fails alone', async () => {
    const { engine, framesFor } = await running([assets([texts], { hotReload: false })], {
      '/a.txt': 'rock',
      '/b.txt': 'bad',
    });
    const coordinator = engine.get(IMPORT_COORDINATOR);
    const reports = Promise.all(['/a.txt', '/b.txt'].map((path) => coordinator.enqueue(path)));
    await settle();
    expect(coordinator.pending).toBe(2);
    const [good, bad] = await framesFor(reports);
    expect([good?.status, bad?.status]).toEqual(['imported', 'failed']);
    expect(engine.get(ASSET_MANAGER).getTexture(good?.uuid ?? '').name).toBe('rock');
    await engine.shutdown();
  });

  test('what changes is imported again; the scan of the start queues the whole project', async () => {
    const { engine, framesUntil } = await running([assets([texts], { scan: true })], {
      '/a.txt': 'rock',
      '/deep/b.txt': 'moss',
      '/readme.md': '',
    });
    const registry = engine.get(ASSET_REGISTRY);
    const manager = engine.get(ASSET_MANAGER);
    const nameAt = (path: string) => {
      const uuid = registry.atPath(path)[0]?.uuid ?? '';
      return manager.get(uuid, 'texture')?.name;
    };
    await framesUntil(() => nameAt('/a.txt') === 'rock' && nameAt('/deep/b.txt') === 'moss');
    expect(registry.atPath('/readme.md')).toEqual([]);
    await engine.get(VFS).writeFile('/a.txt', 'granite');
    await framesUntil(() => nameAt('/a.txt') === 'granite');
    await engine.get(ASSET_HOT_RELOAD).settled();
    expect(nameAt('/deep/b.txt')).toBe('moss');
    await engine.shutdown();
  });

  test('another plugin brings its importer in configure', async () => {
    const { engine, framesFor } = await running(
      [
        assets([], { hotReload: false, cache: '/.cache' }),
        {
          id: 'acme.texts',
          after: ['ecliptic.assets'],
          configure: (services) => void services.get(IMPORTERS).push(texts),
        },
      ],
      { '/a.txt': 'rock' },
    );
    const report = engine.get(IMPORT_COORDINATOR).enqueue('/a.txt');
    expect((await framesFor(report)).status).toBe('imported');
    await engine.shutdown();
    expect(() => engine.get(IMPORT_COORDINATOR).enqueue('/a.txt')).toThrow(
      expect.objectContaining({ code: 'assets/disposed' }),
    );
  });
});
