import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  captureScene,
  formatScene,
  identifyEntities,
  loadScene,
  readScene,
  saveScene,
} from '@ecliptic/authoring';
import { ManualClock } from '@ecliptic/core';
import { Scene } from '@ecliptic/ecs';
import { ASSET_REGISTRY, RENDER_SYNC, SCENE } from '@ecliptic/engine/plugins';
import { createInlineRender, NullBackend } from '@ecliptic/render-sync';
import { memoryBackend, VFSContext } from '@ecliptic/vfs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTarget } from '../src/open-target.js';
import { runOrrery } from '../src/run-orrery.js';

const home = fileURLToPath(new URL('../project', import.meta.url));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'orrery-'));
  await cp(home, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test(
  'the orrery can be saved and loaded: the same scene, with everything that is drawn',
  { timeout: 120_000 },
  async () => {
    const target = await openTarget(undefined, folder);
    const { engine } = await runOrrery({ target, seconds: 0.5, fps: 60, asteroids: 200 });
    const scene = engine.get(SCENE);
    expect(identifyEntities(scene)).toBe(241);
    const vfs = new VFSContext();
    vfs.mount('/', memoryBackend());
    await saveScene(vfs, '/orrery.scene.json', scene);
    await saveScene(vfs, '/orrery.scene', scene, { format: 'binary' });
    const text = formatScene(captureScene(scene));
    expect(await vfs.readText('/orrery.scene.json')).toBe(text);
    for (const path of ['/orrery.scene.json', '/orrery.scene']) {
      const loaded = new Scene();
      const registry = engine.get(ASSET_REGISTRY);
      const report = loadScene(loaded, await readScene(vfs, path), {
        components: scene.componentTypes,
        hasAsset: (uuid) => registry.get(uuid) !== undefined,
        missingAssets: 'error',
      });
      expect(report).toEqual({ entities: 241, repairs: [], warnings: [] });
      expect(formatScene(captureScene(loaded))).toBe(text);
      const { sync } = createInlineRender({
        scene: loaded,
        clock: new ManualClock(),
        backend: new NullBackend(),
      });
      sync.sync();
      expect(sync.bindings.size).toBe(engine.get(RENDER_SYNC).bindings.size);
      expect(sync.bindings.size).toBe(216);
    }
    await engine.shutdown();
  },
);
