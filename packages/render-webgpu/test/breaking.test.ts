import { EventLog } from '@ecliptic/core';
import { Camera } from '@ecliptic/ecs/components';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { OffscreenBackend, type NodeGpu } from '../src/node.js';
import { tryGpu } from './fixtures/gpu.js';
import { material, paint } from './fixtures/images.js';
import { ground, sphere, textureRef, uuid } from './fixtures/meshes.js';
import { stage } from './fixtures/stage.js';

vi.setConfig({ testTimeout: 300_000 });
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());

type Call = 'resize' | 'uploadMeshes' | 'renderScene' | 'executeGraph';

/** Loses its device inside one call of a frame, once. */
class Fragile extends OffscreenBackend {
  breakIn: Call | undefined;

  override resize(...size: Parameters<OffscreenBackend['resize']>): void {
    this.#break('resize');
    super.resize(...size);
  }

  override uploadMeshes(...meshes: Parameters<OffscreenBackend['uploadMeshes']>): void {
    this.#break('uploadMeshes');
    super.uploadMeshes(...meshes);
  }

  override renderScene(...view: Parameters<OffscreenBackend['renderScene']>): void {
    this.#break('renderScene');
    super.renderScene(...view);
  }

  override executeGraph(...overlay: Parameters<OffscreenBackend['executeGraph']>): void {
    this.#break('executeGraph');
    super.executeGraph(...overlay);
  }

  #break(now: Call): void {
    if (this.breakIn !== now) return;
    this.breakIn = undefined;
    this.device?.destroy();
  }
}

describe.skipIf(gpu === undefined)(`bad luck${why ? ` (no WebGPU here: ${why})` : ''}`, () => {
  const set = async (cameras: readonly [number, number, number][] = [[0, 0, 5]]) => {
    const backend = new Fragile({
      gpu: gpu as NodeGpu,
      log: new EventLog('test'),
      settings: { shadowMapSize: 64 },
    });
    const scenery = await stage(backend, { width: 32, height: 20 });
    for (const position of cameras) scenery.camera(position);
    scenery.sync.renderScene.sky.set({ kind: 'color', color: [0, 0, 1] });
    scenery.light('directional', { intensity: 3, castsShadow: true });
    scenery.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere(undefined, 8, 4) });
    const seen = scenery.mesh(uuid(1));
    /** A frame, and all that follows from it. */
    const frame = async (): Promise<string> => {
      const outcome = scenery.frame();
      await backend.settled();
      return outcome;
    };
    return { ...scenery, backend, seen, frame };
  };

  test('a device that is lost in some call of a frame is replaced, and the same picture comes again', async () => {
    const s = await set();
    await s.frame();
    const wanted = (await s.backend.readPixels()).data;
    const calls = ['resize', 'uploadMeshes', 'renderScene', 'executeGraph'] as const;
    for (const [losses, call] of calls.entries()) {
      s.backend.breakIn = call;
      const lost = s.backend.device;
      if (call === 'resize') s.sync.setTarget({ width: 16, height: 20, pixelRatio: 1 });
      s.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere(undefined, 8, 4) });
      await s.frame();
      await lost?.lost;
      await s.backend.settled();
      expect([call, s.backend.stats.losses]).toEqual([call, losses + 1]);
      s.sync.setTarget({ width: 32, height: 20, pixelRatio: 1 });
      // The frame in which the device went may still count as one in flight.
      const outcomes = [await s.frame(), await s.frame()];
      expect([call, ...outcomes]).toContain('drawn');
      expect([call, (await s.backend.readPixels()).data]).toEqual([call, wanted]);
    }
    await s.close();
  });

  test('another size in each frame, also none, ends with a whole picture of the last size', async () => {
    const s = await set();
    for (let i = 0; i < 24; i++) {
      const width = (i * 37) % 50;
      s.sync.setTarget({ width, height: (i * 13) % 20, pixelRatio: 1 });
      await s.frame();
    }
    s.sync.setTarget({ width: 40, height: 24, pixelRatio: 1 });
    expect(await s.frame()).toBe('drawn');
    expect(await s.backend.readPixels()).toMatchObject({ width: 40, height: 24 });
    expect(s.backend.stats.errors).toBe(0);
    await s.close();
  });

  test('what is replaced or freed while frames with it are in flight is no error', async () => {
    const s = await set();
    const image = paint(4, () => [0, 255, 0]);
    const look = material({ alphaMode: 'blend', baseColorTexture: textureRef(uuid(70)) });
    s.mesh(uuid(2), [0, 0, 1], [1, 1, 1], uuid(60));
    for (let i = 0; i < 12; i++) {
      s.upload({ kind: 'mesh', uuid: uuid(2), mesh: i % 2 === 0 ? ground() : sphere() });
      s.upload({ kind: 'texture', uuid: uuid(70), texture: image });
      s.upload({ kind: 'material', uuid: uuid(60), material: look });
      // Not waited for: up to two are in flight.
      s.sync.sync();
      s.sync.publish({ tick: i, tickTime: 0, stepDuration: 0, alpha: 0, frameTime: 0 });
      s.loop.runOnce();
      for (const resource of ['mesh', 'texture', 'material'] as const) {
        const freed = { mesh: uuid(2), texture: uuid(70), material: uuid(60) }[resource];
        if (i % 3 === 0) s.upload({ kind: 'free', resource, uuid: freed });
      }
      if (i % 4 === 3) await s.backend.settled();
    }
    s.upload({ kind: 'reset-geometry' });
    await s.frame();
    expect(s.backend.stats).toMatchObject({ errors: 0, meshes: 0 });
    await s.close();
  });

  test.each([
    ['without a camera', [], 0],
    ['with cameras of which none is the main one', [false, false], 1],
    ['with one main camera', [false, true], 1],
    ['with two main cameras', [true, true], 1],
  ] as const)('%s it draws', async (_, mains, visible) => {
    const s = await set([]);
    for (const isMain of mains) {
      const entity = s.camera([0, 0, 6]);
      const camera = s.scene.getComponent(entity, Camera);
      if (camera) camera.isMain = isMain;
    }
    expect(await s.frame()).toBe('drawn');
    expect(s.backend.stats).toMatchObject({ instances: 1, visible, errors: 0 });
    const data = (await s.backend.readPixels()).data;
    const pixel = (x: number, y: number): string =>
      data
        .slice((y * 32 + x) * 4)
        .slice(0, 4)
        .join();
    // The ball is in the middle; the sky, of one colour, is everywhere else.
    expect(data[2]).toBeGreaterThan(200);
    expect(pixel(16, 10) === pixel(0, 0)).toBe(visible === 0);
    await s.close();
  });
});
