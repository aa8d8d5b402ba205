import { QUAD_FLOATS } from '@ecliptic/render-sync';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { OffscreenBackend } from '../src/node.js';
import { comparePicture } from './fixtures/golden.js';
import { tryGpu } from './fixtures/gpu.js';
import { bumps, checkers, material } from './fixtures/images.js';
import { sphere, textureRef, uuid } from './fixtures/meshes.js';
import { DOWNWARDS, shadowScene } from './fixtures/shadow-scene.js';
import { stage, type Stage } from './fixtures/stage.js';

// A software device on a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000 });
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());

interface Verdict {
  readonly errors: number;
  readonly picture: string;
}
const RIGHT: Verdict = { errors: 0, picture: 'as approved' };

/** Goldens were made by SwiftShader. */
const exact = gpu?.architecture === 'swiftshader';

describe.skipIf(gpu === undefined)(`pictures${why ? ` (no WebGPU here: ${why})` : ''}`, () => {
  /** @returns how many numbers of the picture, or their mean difference, are off; and errors of the device */
  const shoot = async (
    name: string,
    build: (stage: Stage) => void,
    settings: ConstructorParameters<typeof OffscreenBackend>[0]['settings'] = {},
  ): Promise<Verdict> => {
    if (!gpu) throw new Error(why);
    const backend = new OffscreenBackend({ gpu, settings: { shadowMapSize: 512, ...settings } });
    const set = await stage(backend);
    build(set);
    set.frame();
    const pixels = await backend.readPixels();
    const { errors } = backend.stats;
    await set.close();
    if (!pixels) throw new Error('nothing was drawn');
    return { errors, picture: comparePicture(name, pixels, exact) };
  };

  test('metals and plastics of several roughnesses under a directional, a point and a spot light', async () => {
    expect(
      await shoot('materials', (set) => {
        set.sync.renderScene.sky.set({ kind: 'analytic', intensity: 0.6 });
        set.camera([0, 0, 6]);
        set.light('directional', { intensity: 2 }, DOWNWARDS);
        set.light('point', { position: [3, 2, 3], intensity: 12, color: [1, 0.4, 0.2] });
        set.light('spot', { position: [-3, 0, 4], intensity: 20, color: [0.3, 0.5, 1] });
        set.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere() });
        for (let i = 0; i < 8; i++) {
          const metallic = i < 4 ? 0 : 1;
          const look = material({
            baseColor: [0.9, 0.6, 0.3, 1],
            metallic,
            roughness: 0.1 + (i % 4) * 0.25,
          });
          set.upload({ kind: 'material', uuid: uuid(10 + i), material: look });
          set.mesh(
            uuid(1),
            [(i % 4) * 1.5 - 2.25, i < 4 ? 0.8 : -0.8, 0],
            [0.65, 0.65, 0.65],
            uuid(10 + i),
          );
        }
      }),
    ).toEqual(RIGHT);
  });

  test('textures, a normal map and glow', async () => {
    expect(
      await shoot('textures', (set) => {
        set.camera([0, 0, 4]);
        set.light('directional', { intensity: 3 }, DOWNWARDS);
        set.upload({ kind: 'texture', uuid: uuid(50), texture: checkers() });
        set.upload({ kind: 'texture', uuid: uuid(51), texture: bumps() });
        set.upload({
          kind: 'material',
          uuid: uuid(20),
          material: material({
            baseColor: [1, 1, 1, 1],
            baseColorTexture: textureRef(uuid(50)),
            normalTexture: textureRef(uuid(51), 'linear'),
          }),
        });
        set.upload({
          kind: 'material',
          uuid: uuid(21),
          material: material({ emissive: [6, 3, 0.5] }),
        });
        set.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere(uuid(20)) });
        set.mesh(uuid(1), [-0.9, 0, 0]);
        set.mesh(uuid(1), [1.3, 0, 0], [0.5, 0.5, 0.5], uuid(21));
      }),
    ).toEqual(RIGHT);
  });

  test('the shadow of the main light', async () => {
    expect(await shoot('shadow', shadowScene)).toEqual(RIGHT);
  });

  test('a sky of one colour, a grid, and boxes over it', async () => {
    expect(
      await shoot(
        'overlay',
        (set) => {
          set.sync.renderScene.sky.set({ kind: 'color', color: [0.1, 0.2, 0.4] });
          set.camera([0, 1, 4]);
          const overlay = set.overlays.begin();
          overlay.quadCount = 2;
          overlay.sequence = 1;
          overlay.quads.set([10, 10, 60, 30, 0, 0, 160, 100, 0.8, 0.1, 0.1, 0.8, 8]);
          overlay.quads.set([90, 20, 50, 50, 90, 20, 40, 50, 1, 1, 1, 1, 4, 3], QUAD_FLOATS);
          set.overlays.publish();
        },
        { grid: true },
      ),
    ).toEqual(RIGHT);
  });

  test('what is missing is pink, and nothing breaks', async () => {
    expect(
      await shoot('missing', (set) => {
        set.camera([0, 0, 4]);
        set.light('directional', { intensity: 3 }, DOWNWARDS);
        const look = material({ baseColor: [1, 1, 1, 1], baseColorTexture: textureRef(uuid(99)) });
        set.upload({ kind: 'material', uuid: uuid(20), material: look });
        set.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere(uuid(20)) });
        set.mesh(uuid(1), [-1, 0, 0], [0.8, 0.8, 0.8]);
        set.mesh(uuid(1), [1, 0, 0], [0.8, 0.8, 0.8], uuid(98));
        set.mesh(uuid(97), [0, 0, 0]);
      }),
    ).toEqual(RIGHT);
  });
});
