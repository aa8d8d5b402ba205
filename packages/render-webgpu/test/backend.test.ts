import { EventLog } from '@ecliptic/core';
import type { RenderView } from '@ecliptic/render-sync';
import { afterAll, describe, expect, test, vi } from 'vitest';
import {
  DEFAULT_PASSES,
  DEPTH_FORMAT,
  FRAME_TEXTURES,
  FRAME_WGSL,
  fullScreenPass,
  MESH_WGSL,
  MeshPipelines,
  TARGET,
  type RenderPassFactory,
} from '../src/index.js';
import { OffscreenBackend, type NodeGpu, type OffscreenOptions } from '../src/node.js';
import { tryGpu } from './fixtures/gpu.js';
import { material, paint } from './fixtures/images.js';
import { sphere, textureRef, uuid } from './fixtures/meshes.js';
import { stage } from './fixtures/stage.js';

vi.setConfig({ testTimeout: 120_000 });
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());

const small = { width: 32, height: 20 };

describe.skipIf(gpu === undefined)(`the backend${why ? ` (no WebGPU here: ${why})` : ''}`, () => {
  const set = async (options: Partial<OffscreenOptions> = {}, Backend = OffscreenBackend) => {
    const log = new EventLog('test');
    const warn = vi.spyOn(log, 'warnOnce');
    const backend = new Backend({
      gpu: gpu as NodeGpu,
      log,
      settings: { shadowMapSize: 64 },
      ...options,
    });
    const scenery = await stage(backend, small);
    scenery.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere(undefined, 8, 4) });
    const warnings = (): string[] => warn.mock.calls.map(([event]) => event);
    return { ...scenery, backend, warnings };
  };
  const pixel = async (backend: OffscreenBackend): Promise<number[]> => {
    const pixels = await backend.readPixels();
    const middle = ((small.height / 2) * small.width + small.width / 2) * 4;
    return [...pixels.data.subarray(middle, middle + 4)];
  };

  test('without a camera only the sky is drawn', async () => {
    const s = await set();
    s.sync.renderScene.sky.set({ kind: 'color', color: [0, 0, 1] });
    s.mesh(uuid(1));
    expect(s.frame()).toBe('drawn');
    const [red, , blue] = await pixel(s.backend);
    expect(blue).toBeGreaterThan(150);
    expect(red).toBeLessThan(60);
    expect(s.backend.stats).toMatchObject({ errors: 0, visible: 0 });
    await s.close();
  });

  test('a picture that is read before anything was drawn is refused by code, with and without a size', async () => {
    const refusal = expect.objectContaining({
      code: 'render-webgpu/nothing-drawn',
      fix: expect.stringContaining('a frame'),
    });
    const bare = new OffscreenBackend({ gpu: gpu as NodeGpu });
    await expect(bare.readPng()).rejects.toEqual(refusal);
    await expect(bare.readPixels()).rejects.toEqual(refusal);
    const s = await set();
    await expect(s.backend.readPng()).rejects.toEqual(refusal);
    s.camera();
    expect(s.frame()).toBe('drawn');
    const png = await s.backend.readPng();
    expect([...png.subarray(1, 4)]).toEqual([...new TextEncoder().encode('PNG')]);
    await s.close();
    await expect(s.backend.readPng()).rejects.toEqual(refusal);
  });

  test('a target without pixels is not drawn to, and drawing goes on when it has some', async () => {
    const s = await set();
    s.camera();
    s.sync.setTarget({ width: 0, height: 0, pixelRatio: 1 });
    expect(s.frame()).toBe('no-image');
    s.sync.setTarget({ width: 16, height: 8, pixelRatio: 1 });
    expect(s.frame()).toBe('drawn');
    expect(await s.backend.readPixels()).toMatchObject({ width: 16, height: 8 });
    expect(s.backend.stats.errors).toBe(0);
    await s.close();
  });

  test('what is outside the view is not drawn; one draw does for all of a mesh', async () => {
    const s = await set();
    s.camera();
    for (let i = 0; i < 6; i++) s.mesh(uuid(1), [i < 4 ? i / 4 : 1_000 * i, 0, 0], [0.1, 0.1, 0.1]);
    s.frame();
    expect(s.backend.stats).toMatchObject({
      instances: 6,
      visible: 4,
      buckets: 1,
      sorts: 1,
      triangles: 64 * 4,
    });
    await s.backend.settled();
    s.frame();
    expect(s.backend.stats.sorts).toBe(1);
    await s.close();
  });

  test('frames wait for the device when too many are in flight', async () => {
    const s = await set();
    s.camera();
    expect([s.frame(), s.frame(), s.frame()]).toEqual(['drawn', 'drawn', 'no-image']);
    await s.backend.settled();
    expect(s.frame()).toBe('drawn');
    await s.close();
  });

  test.each(['opaque', 'blend'] as const)(
    'the higher its index of refraction, the more a surface mirrors (%s)',
    async (alphaMode) => {
      const brightness: number[] = [];
      for (const ior of [1, 1.3, undefined, 1.5, 2.4]) {
        const s = await set();
        s.camera();
        s.light('directional', { intensity: 0.6 });
        const extensions = ior === undefined ? {} : { KHR_materials_ior: { ior } };
        const black = material({ baseColor: [0, 0, 0, 1], roughness: 0.5, alphaMode, extensions });
        s.upload({ kind: 'material', uuid: uuid(60), material: black });
        s.mesh(uuid(1), [0, 0, 0], [1, 1, 1], uuid(60));
        s.frame();
        brightness.push((await pixel(s.backend))[1] ?? NaN);
        expect(s.warnings()).toEqual([]);
        expect(s.backend.stats.errors).toBe(0);
        await s.close();
      }
      const [none = 0, little = 0, usual = 0, given = 0, much = 0] = brightness;
      expect(none).toBeLessThan(8);
      expect(little).toBeGreaterThan(none);
      expect(usual).toBeGreaterThan(little);
      expect(given).toBe(usual);
      expect(much).toBeGreaterThan(given);
    },
  );

  test('a texture, a material, an environment map or an extension that is missing is reported', async () => {
    const s = await set();
    s.camera();
    const look = material({
      baseColorTexture: textureRef(uuid(70)),
      extensions: { KHR_materials_sheen: {} },
    });
    s.upload({ kind: 'material', uuid: uuid(60), material: look });
    s.mesh(uuid(1), [0, 0, 0], [1, 1, 1], uuid(60));
    s.mesh(uuid(1), [0, 0, 0], [1, 1, 1], uuid(61));
    s.sync.renderScene.sky.set({ kind: 'environment', environmentUuid: uuid(62) });
    s.frame();
    await s.backend.settled();
    s.frame();
    expect(s.warnings()).toEqual(
      expect.arrayContaining([
        'texture_missing',
        'material_missing',
        'environment_missing',
        'material_extension_not_drawn',
      ]),
    );
    expect(s.backend.stats.errors).toBe(0);
    await s.close();
  });

  test('a broken image leaves the fallback and the other uploads alone', async () => {
    const s = await set();
    s.camera();
    s.upload({
      kind: 'texture',
      uuid: uuid(70),
      texture: { ...paint(4, () => [0, 0, 0]), bytes: new Uint8Array(9) },
    });
    s.upload({ kind: 'texture', uuid: uuid(71), texture: paint(4, () => [0, 255, 0]) });
    s.frame();
    expect(s.backend.stats).toMatchObject({ textures: 1, errors: 0 });
    await s.close();
  });

  test('a lost device is replaced, and the same picture comes from the next one', async () => {
    const s = await set();
    s.camera();
    s.light('directional', { intensity: 3 });
    s.upload({ kind: 'texture', uuid: uuid(70), texture: paint(4, () => [0, 255, 0]) });
    const look = material({ baseColor: [1, 1, 1, 1], baseColorTexture: textureRef(uuid(70)) });
    s.upload({ kind: 'material', uuid: uuid(60), material: look });
    s.mesh(uuid(1), [0, 0, 0], [1, 1, 1], uuid(60));
    s.frame();
    const before = await pixel(s.backend);
    expect(before[1]).toBeGreaterThan(150);
    const lost = s.backend.device;
    lost?.destroy();
    await lost?.lost;
    await s.backend.settled();
    expect(s.backend.device).not.toBe(lost);
    expect(s.frame()).toBe('drawn');
    expect(await pixel(s.backend)).toEqual(before);
    expect(s.backend.stats).toMatchObject({ losses: 1, errors: 0 });
    await s.close();
  });

  test('a device that cannot be replaced is an error of the next frame', async () => {
    let asked = 0;
    const once: NodeGpu = {
      ...(gpu as NodeGpu),
      requestDevice: () =>
        asked++ === 0 ? (gpu as NodeGpu).requestDevice() : Promise.reject(new Error('none left')),
    };
    const s = await set({ gpu: once });
    const lost = s.backend.device;
    lost?.destroy();
    await lost?.lost;
    await s.backend.settled();
    expect(() => s.frame()).toThrow(expect.objectContaining({ code: 'render-webgpu/device-lost' }));
    expect(asked).toBe(4);
    await s.close();
  });

  test('numbers that are not finite hide the instance, the light or the picture, and nothing else', async () => {
    let brokenCamera = false;
    // The hierarchy keeps such numbers to itself, so they are put into the view.
    const spoil = (view: RenderView): void => {
      view.transforms[3] = Number.NaN;
      view.lightTransforms[3] = Number.NaN;
      if (brokenCamera && view.camera) view.camera.transform[3] = Number.NaN;
    };
    class Spoiled extends OffscreenBackend {
      override renderScene(view: RenderView): void {
        spoil(view);
        super.renderScene(view);
      }
    }
    const s = await set({}, Spoiled);
    s.sync.renderScene.sky.set({ kind: 'color', color: [1, 0, 0] });
    s.camera();
    for (let i = 0; i < 2; i++) {
      s.light('directional', { intensity: 3 });
      s.mesh(uuid(1), [0, 0, 0]);
    }
    s.frame();
    expect(s.backend.stats).toMatchObject({ instances: 2, visible: 1, lights: 1 });
    await s.backend.settled();
    brokenCamera = true;
    s.frame();
    expect((await pixel(s.backend))[0]).toBeGreaterThan(150);
    expect(s.warnings()).toContain('camera_unusable');
    expect(s.backend.stats).toMatchObject({ visible: 0, errors: 0 });
    await s.close();
  });

  test('passes are timed on the device, where it can', async () => {
    const s = await set();
    s.camera();
    s.mesh(uuid(1));
    s.frame();
    await s.backend.settled();
    const timed = s.backend.device?.features.has('timestamp-query') ?? false;
    await vi.waitFor(() => {
      expect(Object.keys(s.backend.stats.gpuTimes).includes('lighting')).toBe(timed);
    });
    await s.close();
  });

  test('a pass of one’s own takes its place by what it reads and writes', async () => {
    const s = await set({
      passes: [
        (device) =>
          fullScreenPass(device, {
            name: 'green',
            reads: ['light'],
            writes: TARGET,
            code: `@group(1) @binding(0) var light: texture_2d<f32>;
              @fragment fn green(in: FullScreen) -> @location(0) vec4f {
                return textureLoad(light, vec2i(in.position.xy), 0) * 0.0 + vec4f(0.0, 1.0, 0.0, 1.0);
              }`,
            fragment: 'green',
          }),
        ...DEFAULT_PASSES,
      ],
    });
    s.frame();
    expect(s.backend.stats.passes.indexOf('green')).toBeGreaterThan(
      s.backend.stats.passes.indexOf('sky'),
    );
    await s.close();
  });

  test('a pass of one’s own that draws meshes draws those that the camera sees, and none without one', async () => {
    const white: RenderPassFactory = (device) => {
      const pipelines = new MeshPipelines(device, {
        label: 'white',
        code: `${FRAME_WGSL}${MESH_WGSL}
          @vertex fn at(vertex: Vertex) -> @invariant @builtin(position) vec4f {
            return surface(vertex, frame.viewProjection).clip;
          }
          @fragment fn white() -> @location(0) vec4f { return vec4f(1.0); }`,
        vertex: () => 'at',
        fragment: () => 'white',
        colors: [device.targetFormat],
        depth: { format: DEPTH_FORMAT, depthWriteEnabled: false, depthCompare: 'greater-equal' },
      });
      return {
        name: 'white',
        reads: [FRAME_TEXTURES.depth],
        writes: [TARGET],
        execute({ beginRenderPass, scene }) {
          const pass = beginRenderPass([TARGET], FRAME_TEXTURES.depth);
          scene.drawMeshes(pass, 'camera', pipelines);
          pass.end();
        },
      };
    };
    const s = await set({ passes: [...DEFAULT_PASSES, white] });
    // More than the buffers of a scene without a camera have room for.
    for (let i = 0; i < 200; i++) s.mesh(uuid(1), [0, 0, 0]);
    const seen: number[] = [];
    const look = async (): Promise<void> => {
      expect(s.frame()).toBe('drawn');
      seen.push((await pixel(s.backend))[0] ?? NaN);
    };
    await look();
    const camera = s.camera();
    await look();
    s.scene.destroyEntity(camera);
    await look();
    expect(seen).toEqual([0, 255, 0]);
    expect(s.backend.stats.errors).toBe(0);
    await s.close();
  });

  test('a pass that uses what it does not declare is an error', async () => {
    const s = await set({
      passes: [
        ...DEFAULT_PASSES,
        () => ({
          name: 'sneaky',
          reads: [],
          writes: [TARGET],
          execute: ({ view }) => void view('depth'),
        }),
      ],
    });
    expect(() => s.frame()).toThrow(
      expect.objectContaining({ code: 'render-webgpu/undeclared-access' }),
    );
    await s.close();
  });
});
