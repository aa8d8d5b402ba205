import type { MeshData } from '@ecliptic/assets';
import { EventLog } from '@ecliptic/core';
import { Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { mat4 } from 'wgpu-matrix';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { LevelOfDetail } from '../src/scene/level-of-detail.js';
import { ViewMatrices } from '../src/scene/view-matrices.js';
import { OffscreenBackend, type NodeGpu } from '../src/node.js';
import { createWebGpuBackend, type RenderSettings } from '../src/index.js';
import { tryGpu } from './fixtures/gpu.js';
import { sphere, uuid } from './fixtures/meshes.js';
import { stage } from './fixtures/stage.js';

vi.setConfig({ testTimeout: 120_000 });
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

describe('the level of detail', () => {
  const levels = [0.01, 0.02, 0.08].map((error) => ({ firstIndex: 0, indexCount: 3, error }));
  const eye = Float32Array.from([5, 0, 0]);
  const camera = {
    id: 1,
    transform: Float32Array.from(identity.with(3, 5)),
    fovY: Math.PI / 2,
    near: 1,
    far: 1_000,
    aspect: 1,
    projection: 0,
    orthographicHeight: 10,
  };
  /** Of a sphere of radius 2 on the camera's x, at a distance. */
  const levelAt = (distance: number, tolerance = 1, look = camera): number => {
    const detail = new LevelOfDetail(eye);
    detail.setLens(look, 100, tolerance);
    return detail.levelOf(levels, Float32Array.from([5, 0, -distance, 2]), 0);
  };

  test('is the coarsest that is off by no more than a pixel at the near side of its sphere', () => {
    // A metre at distance d has 50 / d pixels; an error of 0.01 is one of 0.02 metres.
    expect([2.9, 3.1, 3.9, 4.1, 9.9, 10.1].map((distance) => levelAt(distance))).toEqual([
      0, 1, 1, 2, 2, 3,
    ]);
    expect(levelAt(1)).toBe(0);
  });

  test('is coarser where more may be off, and the mesh itself where nothing may', () => {
    expect(levelAt(9.9, 2)).toBe(3);
    expect(levelAt(1_000, 0)).toBe(0);
  });

  test('does not depend on the distance from an orthographic camera', () => {
    const box = { ...camera, projection: 1 };
    // Ten pixels a metre.
    for (const distance of [1, 10, 900]) expect(levelAt(distance, 1, box)).toBe(2);
  });

  test('is never finer further away', () => {
    const anywhere = fc.double({ min: 0.1, max: 500, noNaN: true });
    fc.assert(
      fc.property(anywhere, anywhere, (a, b) => {
        expect(levelAt(Math.max(a, b))).toBeGreaterThanOrEqual(levelAt(Math.min(a, b)));
      }),
    );
  });

  test('is the mesh itself for a sphere that is nowhere', () => {
    const detail = new LevelOfDetail(eye);
    detail.setLens(camera, 100, 1);
    for (let i = 0; i < 4; i++) {
      const sphere = Float32Array.from([5, 0, -900, 2].with(i, Number.NaN));
      expect(detail.levelOf(levels, sphere, 0)).toBe(0);
    }
  });

  test('is what projecting the errors says, for any lens, size, distance and tolerance', () => {
    const positive = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    const angle = positive(-3, 3);
    fc.assert(
      fc.property(
        fc.record({
          fovY: positive(0.01, 3.1),
          orthographicHeight: positive(0.01, 1_000),
          projection: fc.constantFrom(0, 1),
          height: fc.integer({ min: 1, max: 4_000 }),
          tolerance: positive(0.05, 20),
          radius: positive(1e-3, 100),
          away: positive(1e-3, 5_000),
          turns: fc.tuple(angle, angle, angle),
        }),
        ({ radius, away, turns, height, tolerance, ...lens }) => {
          const place = mat4.rotationX(turns[0]);
          mat4.rotateY(place, turns[1], place);
          const [x = 0, y = 0, z = 0] = [8, 9, 10].map((k) => place[k]);
          const distance = away + radius;
          const center = [5 - x * distance, -y * distance, -z * distance];
          const look = { ...camera, ...lens, near: 1e-3, far: 1e6 };
          const detail = new LevelOfDetail(eye);
          detail.setLens(look, height, tolerance);
          const level = detail.levelOf(levels, Float32Array.from([...center, radius]), 0);

          // A camera there that looks at the sphere: how far apart are a point of its near side and one off by the error?
          const rows = [0, 1, 2].flatMap((row) => [0, 4, 8].map((k) => place[k + row] ?? 0));
          const view = new ViewMatrices();
          view.setCamera({
            ...look,
            transform: Float32Array.from(
              [0, 1, 2].flatMap((row) => [...rows.slice(row * 3, row * 3 + 3), eye[row] ?? 0]),
            ),
          });
          const up = [1, 4, 7].map((k) => rows[k] ?? 0);
          const near = [5 - x * away, -y * away, -z * away];
          const pixelsOf = (error: number): number => {
            const moved = near.map((value, axis) => value + (up[axis] ?? 0) * error * radius);
            return (Math.abs(screenY(view, moved) - screenY(view, near)) * height) / 2;
          };
          const pixels = levels.map(({ error }) => pixelsOf(error));
          // Too close to the limit to tell in single precision.
          fc.pre(pixels.every((off) => Math.abs(off / tolerance - 1) > 0.01));
          expect(level).toBe(pixels.findLastIndex((off) => off <= tolerance) + 1);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('is the mesh itself from inside of its sphere, and where a sphere has no size', () => {
    const detail = new LevelOfDetail(eye);
    detail.setLens(camera, 100, 1_000);
    expect(detail.levelOf(levels, Float32Array.from([5, 0, -1, 2]), 0)).toBe(0);
    expect(detail.levelOf(levels, Float32Array.from([5, 0, 0, 0]), 0)).toBe(0);
    const pointlike = [{ firstIndex: 0, indexCount: 3, error: Infinity }];
    expect(detail.levelOf(pointlike, Float32Array.from([5, 0, -9, 0]), 0)).toBe(0);
  });
});

/** Height of a point in the picture, −1 to 1. */
function screenY({ viewProjection: m }: ViewMatrices, point: readonly number[]): number {
  const [x = 0, y = 0, z = 0] = point;
  const row = (r: number): number =>
    (m[r] ?? 0) * x + (m[4 + r] ?? 0) * y + (m[8 + r] ?? 0) * z + (m[12 + r] ?? 0);
  return row(1) / row(3);
}

/** A mesh, and simpler versions of it with so many triangles each, off by so much. */
function withLods(
  mesh: MeshData,
  ...lods: readonly (readonly [triangles: number, error: number])[]
) {
  return {
    ...mesh,
    lods: lods.map(([triangles, error]) => ({
      error,
      indices: mesh.indices.slice(0, triangles * 3),
      ranges: [{ firstIndex: 0, indexCount: triangles * 3 }],
    })),
  };
}

describe.skipIf(gpu === undefined)(
  `meshes with lods${why ? ` (no WebGPU here: ${why})` : ''}`,
  () => {
    const size = { width: 32, height: 20 };
    const ball = sphere(undefined, 16, 8);
    const FULL = 16 * 8 * 2;
    const set = async (settings: Partial<RenderSettings> = {}) => {
      const backend = new OffscreenBackend({
        gpu: gpu as NodeGpu,
        log: new EventLog('test'),
        settings: { shadowMapSize: 64, ...settings },
      });
      const scenery = await stage(backend, size);
      scenery.camera();
      /** Triangles of the next frame. */
      const triangles = async (): Promise<number> => {
        await backend.settled();
        expect(scenery.frame()).toBe('drawn');
        expect(backend.stats.errors).toBe(0);
        return backend.stats.triangles;
      };
      const upload = (mesh: MeshData, n = 2): void =>
        scenery.upload({ kind: 'mesh', uuid: uuid(n), mesh });
      return { ...scenery, backend, triangles, upload };
    };

    test('are drawn in a simpler version where nobody can tell, each instance in its own', async () => {
      const s = await set();
      s.upload(withLods(ball, [32, 0.05]));
      s.mesh(uuid(2), [0, 0, 3]);
      expect(await s.triangles()).toBe(FULL);
      for (const z of [-55, -65]) s.mesh(uuid(2), [0, 0, z]);
      expect(await s.triangles()).toBe(FULL + 2 * 32);
      await s.close();
    });

    test('a simpler version that is the same mesh gives the same picture', async () => {
      const pictureOf = async (mesh: MeshData, lodError: number): Promise<Uint8Array> => {
        const s = await set({ lodError });
        s.upload(mesh);
        s.light('directional', { intensity: 2, castsShadow: true });
        for (const x of [-1, 0.5]) s.mesh(uuid(2), [x, 0, 1]);
        s.frame();
        const pixels = await s.backend.readPixels();
        await s.close();
        return pixels.data;
      };
      const mesh = sphere(undefined, 8, 4);
      const picture = await pictureOf(mesh, 0);
      expect(picture.some((value) => value > 100)).toBe(true);
      expect(await pictureOf(withLods(mesh, [mesh.indices.length / 3, 0]), 1)).toEqual(picture);
    });

    test('that is imported again with more versions, fewer, or none, is drawn in those', async () => {
      const s = await set();
      s.mesh(uuid(2), [0, 0, -55]);
      s.mesh(uuid(2), [1, 0, -55], [-1, 1, 1]);
      const kinds = [
        [],
        [[64, 0.01]],
        [
          [64, 0.01],
          [32, 0.02],
          [16, 0.05],
        ],
        [[16, 0.05]],
        [],
      ] as const;
      const seen: number[] = [];
      for (const lods of kinds) {
        s.upload(withLods(ball, ...lods));
        seen.push(await s.triangles());
      }
      expect(seen).toEqual([FULL, 64, 16, 16, FULL].map((count) => 2 * count));
      await s.close();
    });

    test('the largest scale decides, also of what is mirrored', async () => {
      const s = await set();
      s.upload(withLods(ball, [32, 0.05]));
      const near = s.mesh(uuid(2), [0, 0, -20]);
      expect(await s.triangles()).toBe(32);
      for (const scale of [
        [0.1, 30, 0.1],
        [0.1, 0.1, -30],
      ] as const) {
        s.scene.setComponent(near, Transform, { position: [0, 0, -20], scale: [...scale] });
        expect(await s.triangles()).toBe(FULL);
      }
      await s.close();
    });

    test('with a version that has no triangles disappears where it is smaller than that', async () => {
      const s = await set();
      s.upload(withLods(ball, [0, 1]));
      s.mesh(uuid(2), [0, 0, -30]);
      expect(await s.triangles()).toBe(0);
      s.mesh(uuid(2), [0, 0, 0]);
      expect(await s.triangles()).toBe(FULL);
      await s.close();
    });

    test('are picked as what they are drawn as, whichever version that is', async () => {
      const s = await set();
      // Half a ball: its other half is a hole through which the wall behind is seen.
      s.upload(withLods(ball, [FULL / 2, 0]));
      s.upload(ball, 3);
      const top = s.mesh(uuid(2), [0, 0, 0]);
      const wall = s.mesh(uuid(3), [0, 0, -20], [12, 12, 12]);
      const pick = async (y: number): Promise<unknown> => {
        const asked = s.sync.pick(16, y);
        await s.triangles();
        return asked;
      };
      expect([await pick(6), await pick(14)]).toEqual([top, wall]);
      // From inside of its sphere it is whole.
      s.scene.setComponent(top, Transform, { position: [0, 0, 3.6] });
      expect(await pick(14)).toBe(top);
      await s.close();
    });

    test('with morph weights of their own are drawn in full: errors are of the mesh as it was modelled', async () => {
      const s = await set();
      const data = new Float32Array(ball.vertexCount * 3).fill(0.1);
      const morphTargets = [
        { name: 'up', streams: [{ semantic: 'POSITION', components: 3, data }] },
      ];
      s.mesh(uuid(2), [0, 0, -55]);
      const seen: number[] = [];
      for (const weight of [0, 0.5]) {
        s.upload({ ...withLods(ball, [32, 0.05]), morphTargets, morphWeights: [weight] });
        seen.push(await s.triangles());
      }
      expect(seen).toEqual([32, FULL]);
      await s.close();
    });
  },
);

test.each([
  ['lodError', -1, 'Give 0 or more, or leave it out for 1.'],
  ['lodError', Number.NaN, 'Give 0 or more, or leave it out for 1.'],
  ['exposure', -1, 'Give 0 or more, or leave it out for 1.'],
  ['exposure', Infinity, 'Give 0 or more, or leave it out for 1.'],
  ['shadowMapSize', 0.5, 'Give a whole number of pixels, 0 or more, or leave it out for 2048.'],
] as const)('a setting of %s: %d is refused by name', (setting, value, fix) => {
  const target = () => {
    throw new Error('not reached');
  };
  expect(() =>
    createWebGpuBackend({
      device: () => Promise.reject(new Error()),
      target,
      settings: { [setting]: value },
    }),
  ).toThrow(
    expect.objectContaining({
      code: 'render-webgpu/setting-invalid',
      subjects: { setting, value },
      fix,
    }),
  );
});
