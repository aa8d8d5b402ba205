import { QUAD_FLOATS } from '@ecliptic/render-sync';
import { createOverlay, fontAtlas } from '@ecliptic/render-sync/overlay';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { OffscreenBackend } from '../src/node.js';
import { comparePicture } from './fixtures/golden.js';
import { room } from './fixtures/environment.js';
import { tryGpu } from './fixtures/gpu.js';
import { bumps, checkers, material } from './fixtures/images.js';
import { ground, sphere, textureRef, uuid } from './fixtures/meshes.js';
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
    build: (stage: Stage) => void | Promise<void>,
    settings: ConstructorParameters<typeof OffscreenBackend>[0]['settings'] = {},
  ): Promise<Verdict> => {
    if (!gpu) throw new Error(why);
    const backend = new OffscreenBackend({ gpu, settings: { shadowMapSize: 512, ...settings } });
    const set = await stage(backend);
    await build(set);
    set.frame();
    const pixels = await backend.readPixels();
    const { errors } = backend.stats;
    await set.close();
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
          overlay.quads.set([10, 10, 60, 30, 0, 0, 160, 100, 0.8, 0.1, 0.1, 0.8, 0, 0, 0, 0, 8]);
          overlay.quads.set(
            [90, 20, 50, 50, 90, 20, 40, 50, 1, 1, 1, 1, 0, 0, 0, 0, 4, 3],
            QUAD_FLOATS,
          );
          set.overlays.publish();
        },
        { grid: true },
      ),
    ).toEqual(RIGHT);
  });

  test('an environment map is the sky, and lights plastics and metals by their roughness', async () => {
    const environment = await room();
    expect(
      await shoot('environment', (set) => {
        set.sync.renderScene.sky.set({
          kind: 'environment',
          environmentUuid: uuid(40),
          rotation: 0.5,
        });
        set.upload({ kind: 'environment', uuid: uuid(40), environment });
        set.camera([0, 0, 6]);
        set.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere() });
        for (let i = 0; i < 8; i++) {
          const look = material({
            baseColor: [0.9, 0.9, 0.9, 1],
            metallic: i < 4 ? 0 : 1,
            roughness: (i % 4) / 3,
          });
          set.upload({ kind: 'material', uuid: uuid(10 + i), material: look });
          const place = [(i % 4) * 1.5 - 2.25, i < 4 ? 0.8 : -0.8, 0] as const;
          set.mesh(uuid(1), [...place], [0.65, 0.65, 0.65], uuid(10 + i));
        }
      }),
    ).toEqual(RIGHT);
  });

  test('blending surfaces let through what is behind them, in whatever order they were made', async () => {
    expect(
      await shoot('blending', (set) => {
        set.sync.renderScene.sky.set({ kind: 'analytic' });
        set.camera([0, 1.4, 5], [-0.13, 0, 0, 0.99]);
        set.light('directional', { intensity: 3, castsShadow: true }, DOWNWARDS);
        const glass = (n: number, color: [number, number, number, number], extensions = {}): void =>
          set.upload({
            kind: 'material',
            uuid: uuid(n),
            material: material({
              baseColor: color,
              alphaMode: 'blend',
              doubleSided: true,
              roughness: 0.2,
              extensions,
            }),
          });
        glass(20, [1, 0.1, 0.1, 0.4]);
        glass(21, [0.1, 1, 0.1, 0.4]);
        glass(22, [0.1, 0.1, 1, 0.7], { KHR_materials_unlit: {} });
        set.upload({ kind: 'mesh', uuid: uuid(1), mesh: sphere() });
        set.upload({ kind: 'mesh', uuid: uuid(2), mesh: ground() });
        set.mesh(uuid(2), [0, 0, 0], [4, 4, 4]);
        // From the front to the back, which is the wrong way round.
        set.mesh(uuid(1), [0.3, 0.7, 1.5], [0.5, 0.5, 0.5], uuid(20));
        set.mesh(uuid(1), [-0.3, 0.7, 0], [0.7, 0.7, 0.7], uuid(21));
        set.mesh(uuid(1), [0.7, 0.7, -1.5], [0.7, 0.7, 0.7], uuid(22));
        set.mesh(uuid(1), [-1.2, 0.5, -1.5], [0.5, 0.5, 0.5]);
      }),
    ).toEqual(RIGHT);
  });

  test('text in boxes', async () => {
    const overlay = await createOverlay();
    expect(
      await shoot('text', (set) => {
        set.sync.renderScene.sky.set({ kind: 'color', color: [0.1, 0.2, 0.4] });
        set.upload({ kind: 'texture', ...fontAtlas() });
        const panel = overlay.createBox({
          padding: 6,
          margin: 6,
          background: [0, 0, 0, 0.6],
          cornerRadius: 4,
          alignSelf: 'start',
        });
        panel.add(overlay.createBox({ text: 'Ecliptic: 60 f/s', fontSize: 13 }));
        panel.add(overlay.createBox({ text: 'Größe', fontSize: 34, textColor: [1, 0.5, 0.1, 1] }));
        overlay.root.add(panel);
        overlay.resize({ width: 160, height: 100, pixelRatio: 1 });
        overlay.publish(set.overlays);
      }),
    ).toEqual(RIGHT);
    overlay.dispose();
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
