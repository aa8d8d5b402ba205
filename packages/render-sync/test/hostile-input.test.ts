import { EclipticError } from '@ecliptic/core';
import { INVALID_ENTITY, read, type EntityId } from '@ecliptic/ecs';
import { Camera, Light, MorphWeights, Skeleton, Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NullBackend, type RenderBackend } from '../src/index.js';
import { inlineScene } from './fixtures/inline-scene.js';
import { rig } from './fixtures/rig.js';
import { renderPair } from './fixtures/render-pair.js';

const hostile = fc.oneof(
  fc.constantFrom(NaN, Infinity, -Infinity, 0, -0, 3e38, -3e38, 1e-45, -1),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
);

/** Puts values into every float column of a component, as a faulty system would. */
function poison(columns: object, values: readonly number[]): void {
  let next = 0;
  for (const column of Object.values(columns)) {
    if (!(column instanceof Float32Array)) continue;
    const length = Math.min(column.length, 300);
    for (let i = 0; i < length; i++) column[i] = values[next++ % values.length] ?? 0;
  }
}

const operation = fc.record({
  kind: fc.constantFrom('body', 'destroy', 'parent', 'poison', 'bend', 'step', 'frame'),
  which: fc.nat(),
  other: fc.nat(),
  values: fc.array(hostile, { minLength: 1, maxLength: 7 }),
});

describe('whatever systems write', () => {
  test('no frame fails: poisoned columns, destroyed joints, parents that go while children move', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 25 }), async (operations) => {
        const { scene, body, step, frame, backend, loop } = await rig({ joints: 7, deforms: 3 });
        const entities: EntityId[] = [];
        const pick = (n: number): EntityId => entities[n % entities.length] ?? INVALID_ENTITY;
        scene.createEntity(Transform, [Camera, { isMain: true }]);
        entities.push(scene.createEntity(Transform, Light));
        for (const { kind, which, other, values } of operations) {
          const entity = pick(which);
          if (kind === 'body') entities.push(...Object.values(body(values[0])));
          if (kind === 'destroy' && scene.isAlive(entity)) scene.destroyEntity(entity);
          if (kind === 'bend' && scene.isAlive(entity)) {
            scene.setComponent(entity, MorphWeights, { count: 60 });
            scene.setComponent(entity, Skeleton, { root: pick(other) });
          }
          const canMove = scene.isAlive(entity) && scene.isAlive(pick(other));
          // A cycle is refused by the scene, at the call.
          if (kind === 'parent' && canMove) attempt(() => scene.setParent(entity, pick(other)));
          if (kind === 'poison') {
            for (const component of [Transform, Camera, Light, MorphWeights]) {
              for (const table of scene.query(read(component)).tables()) {
                poison(table.column(component), values);
              }
            }
          }
          if (kind === 'step') step();
          if (kind === 'frame') frame(values[0]);
        }
        frame();
        // Drawn each time, by a backend that refuses whatever isn't finite.
        expect(backend.stats.frames).toBe(loop.stats.frames);
        expect(backend.stats.frames).toBeGreaterThan(0);
      }),
      { numRuns: 40 },
    );
  });

  test.each([
    ['a field of view that is no number', { fovY: NaN }],
    ['a far plane before the near one', { near: 5, far: 1 }],
    ['an infinite far plane', { far: Infinity }],
    ['a flat orthographic view', { projection: 1, orthographicHeight: 0 }],
  ])('a camera with %s is left out and reported, and the other one draws', async (_, fault) => {
    const { scene, frame, backend } = await inlineScene();
    const broken = scene.createEntity(Transform, [Camera, { isMain: true }]);
    const other = scene.createEntity(Transform, Camera);
    frame();
    expect(backend.seen.at(-1)?.camera).toBe(broken);
    for (const [field, value] of Object.entries(fault)) {
      scene.query(read(Camera)).each((row, columns) => {
        if (row === 0)
          (columns as unknown as Record<string, Float32Array>)[field]?.fill(value, 0, 1);
      });
    }
    frame();
    expect(backend.seen.at(-1)?.camera).toBe(other);
  });

  test('a light that is not finite is left out, the others shine', async () => {
    const { scene, frame, backend } = await inlineScene();
    scene.createEntity(Transform, Light);
    scene.createEntity(Transform, Light);
    scene.query(read(Light)).each((row, { intensity }) => {
      if (row === 0) (intensity as Float32Array)[row] = Infinity;
    });
    frame();
    expect(backend.stats.lights).toBe(1);
  });

  test('a target that is no size is refused at the call; fractions of pixels are cut', async () => {
    const { sync, frame, backend } = await inlineScene();
    for (const size of [{ width: NaN }, { height: -1 }, { width: Infinity }, { pixelRatio: 0 }]) {
      expect(() => sync.setTarget({ width: 8, height: 8, pixelRatio: 1, ...size })).toThrow(
        expect.objectContaining({ code: 'render-sync/target-invalid' }),
      );
    }
    sync.setTarget({ width: 8.9, height: 8.1, pixelRatio: 1.5 });
    frame();
    expect(backend.size).toEqual({ width: 8, height: 8, pixelRatio: 1.5 });
  });

  test('times that are no numbers show the last step', async () => {
    const { sync, loop, backend, frame } = await inlineScene();
    frame(NaN);
    const times = { tick: 0, tickTime: NaN, stepDuration: 5, alpha: 0.5, frameTime: NaN };
    sync.publish({ ...times, timeScale: NaN });
    loop.runOnce();
    expect(backend.seen.map(({ alpha }) => alpha)).toEqual([1, 1]);
  });
});

test('a loop that is disposed of while its backend prepares stays ended', async () => {
  let ready: () => void = () => {};
  const backend: RenderBackend = new NullBackend();
  backend.initialize = () => new Promise((resolve) => (ready = resolve));
  const { loop } = renderPair(backend);
  const preparing = loop.initialize();
  await loop.dispose();
  ready();
  await preparing;
  expect(() => loop.runOnce()).toThrow(/disposed/);
});

function attempt(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof EclipticError && error.code.startsWith('ecs/'))) throw error;
  }
}
