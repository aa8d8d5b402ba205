import { afterAll, describe, expect, test, vi } from 'vitest';
import type { WarmUp } from '../src/index.js';
import { OffscreenBackend, type NodeGpu } from '../src/node.js';
import { tryGpu } from './fixtures/gpu.js';
import { material } from './fixtures/images.js';
import { sphere, uuid } from './fixtures/meshes.js';
import { stage } from './fixtures/stage.js';

vi.setConfig({ testTimeout: 120_000 });
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());

const GLASS = { alphaMode: 'blend', doubleSided: true } as const;

describe.skipIf(gpu === undefined)(`warming up${why ? ` (no WebGPU here: ${why})` : ''}`, () => {
  /** A sphere and one of glass: the picture, and how many pipelines their first frame made. */
  const firstFrame = async (warmUp?: WarmUp) => {
    const backend = new OffscreenBackend({
      gpu: gpu as NodeGpu,
      settings: { shadowMapSize: 64 },
      ...(warmUp ? { warmUp } : {}),
    });
    const set = await stage(backend, { width: 32, height: 20 });
    const { geometryBytes, materials } = backend.stats;
    const make = vi.spyOn(backend.device as GPUDevice, 'createRenderPipeline');
    set.sync.renderScene.sky.set({ kind: 'color', color: [0.1, 0.2, 0.4] });
    set.camera();
    set.light('directional', { intensity: 3, castsShadow: true });
    set.upload({ kind: 'material', uuid: uuid(8), material: material({ ...GLASS }) });
    set.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere(undefined, 8, 4) });
    set.mesh(uuid(1), [-0.5, 0, 0]);
    set.mesh(uuid(1), [0.5, 0, 1], [1, 1, 1], uuid(8));
    expect(set.frame()).toBe('drawn');
    const made = make.mock.calls.length;
    const pixels = await backend.readPixels();
    const { errors } = backend.stats;
    await set.close();
    return { made, picture: [...pixels.data], left: { geometryBytes, materials, errors } };
  };

  test('the first frame makes no pipeline, and looks the same', async () => {
    const cold = await firstFrame();
    const warm = await firstFrame({ sky: 'color', materials: [{}, GLASS] });
    expect(cold.made).toBeGreaterThan(3);
    expect(warm.made).toBe(0);
    expect(warm.picture).toEqual(cold.picture);
    expect(warm.left).toEqual({ geometryBytes: 0, materials: 0, errors: 0 });
  });

  test('for something else leaves the rest to the first frame', async () => {
    const { made, left } = await firstFrame({});
    expect(made).toBeGreaterThan(0);
    expect(left.errors).toBe(0);
  });
});
