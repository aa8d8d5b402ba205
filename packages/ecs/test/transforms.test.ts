import { Arena } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Commands, RenderableTransforms, Scene, write, type EntityId } from '../src/index.js';
import {
  Animator,
  Camera,
  Collider,
  Light,
  Material,
  Mesh,
  Name,
  NavAgent,
  NetReplicated,
  NO_BODY,
  NO_RENDER_INSTANCE,
  ParticleEmitter,
  RigidBody,
  Transform,
  Uuid,
  MorphWeights,
  PrefabNode,
  Skeleton,
} from '../src/components.js';
import { loadKernels } from '../src/kernels.js';
import { expectError } from './support.js';

const make = (): Scene => new Scene({ maxEntities: 256 });

/** What is drawn of one entity. */
function shown(
  scene: Scene,
  id: EntityId,
  alpha: number,
): { position: number[]; rotation: number[] } {
  const out = new RenderableTransforms();
  scene.fillRenderableTransforms(alpha, out);
  const i = out.entities.subarray(0, out.count).indexOf(id);
  return {
    position: Array.from(out.positions.subarray(3 * i, 3 * i + 3)),
    rotation: Array.from(out.rotations.subarray(4 * i, 4 * i + 4)),
  };
}

function move(scene: Scene, by: number): void {
  scene.query(write(Transform)).each((row, { position }) => {
    position[row * 3] = (position[row * 3] ?? 0) + by;
  });
}

describe('snapshotTransforms', () => {
  it('rotates the presentation pair: previous ← current, current ← live (45)', () => {
    const scene = make();
    const id = scene.createEntity([Transform, { position: [1, 0, 0] }]);
    const pair = (): unknown[] => {
      const t = scene.getComponent(id, Transform);
      return [t?.previousPosition.x, t?.currentPosition.x, t?.position.x];
    };
    expect(pair()).toEqual([1, 1, 1]);
    move(scene, 1);
    expect(pair()).toEqual([1, 1, 2]);
    scene.snapshotTransforms();
    expect(pair()).toEqual([1, 2, 2]);
    move(scene, 1);
    scene.snapshotTransforms();
    expect(pair()).toEqual([2, 3, 3]);
    scene.snapshotTransforms();
    expect(pair()).toEqual([3, 3, 3]);
  });

  it('tells those who keep presentation pairs of other components, once done, until they leave', () => {
    const scene = make();
    const id = scene.createEntity(Transform);
    const seen: unknown[] = [];
    const look = (): void => {
      seen.push(scene.getComponent(id, Transform)?.currentPosition.x);
    };
    const stops = [scene.observeSnapshot(look), scene.observeSnapshot(look)];
    move(scene, 1);
    scene.snapshotTransforms();
    expect(seen).toEqual([1, 1]);
    stops[0]?.();
    move(scene, 1);
    scene.snapshotTransforms();
    expect(seen).toEqual([1, 1, 2]);
    stops[1]?.();
    scene.snapshotTransforms();
    expect(seen).toEqual([1, 1, 2]);
  });

  it('interpolation really interpolates: uniform motion at 60 Hz shown at 144 Hz is strictly increasing (46)', () => {
    const scene = make();
    const id = scene.createEntity(Transform);
    scene.snapshotTransforms();
    let steps = 0;
    let last = -Infinity;
    for (let frame = 1; frame <= 288; frame++) {
      const due = Math.floor((frame * 60) / 144);
      for (; steps < due; steps++) {
        move(scene, 1);
        scene.snapshotTransforms();
      }
      if (steps === 0) continue;
      const { position } = shown(scene, id, (frame * 60) / 144 - steps);
      expect(position[0]).toBeGreaterThan(last);
      last = position[0] ?? 0;
    }
    expect(last).toBeGreaterThan(117);
  });

  it('new and recycled entities snap, whichever way they come (47)', () => {
    const scene = new Scene({ maxEntities: 3 });
    const commands = new Commands(scene);
    const old = scene.createEntity([Transform, { position: [50, 0, 0] }]);
    scene.snapshotTransforms();
    scene.destroyEntity(old);
    const a = scene.createEntity([Transform, { position: [7, 0, 0] }]);
    const b = scene.createEntity();
    scene.setComponent(b, Transform, { position: [7, 0, 0] });
    const placeholder = commands.createEntity();
    commands.addComponent(placeholder, Transform, { position: [7, 0, 0] });
    commands.flush();
    for (const id of [a, b, commands.resolve(placeholder)]) {
      for (const alpha of [0, 0.5, 1]) expect(shown(scene, id, alpha).position[0]).toBe(7);
    }
    scene.snapshotTransforms();
    expect(shown(scene, a, 0.5).position[0]).toBe(7);
  });

  it('teleported entities snap (47)', () => {
    const scene = make();
    const id = scene.createEntity(Transform);
    const other = scene.createEntity(Transform);
    scene.setComponent(id, Transform, { position: [100, 0, 0] });
    scene.setComponent(other, Transform, { position: [100, 0, 0] });
    scene.snapTransform(id);
    expect(shown(scene, id, 0).position[0]).toBe(100);
    expect(shown(scene, other, 0).position[0]).toBe(0);
    scene.snapshotTransforms();
    expect(shown(scene, id, 0.5).position[0]).toBe(100);
    expect(shown(scene, other, 0.5).position[0]).toBe(50);
    scene.destroyEntity(id);
    expectError('ecs/stale-entity', () => scene.snapTransform(id));
  });

  it('rotation is slerped, on the shorter arc (47)', () => {
    const scene = make();
    const id = scene.createEntity(Transform);
    const turn = (angle: number): [number, number, number, number] => [
      0,
      Math.sin(angle / 2),
      0,
      Math.cos(angle / 2),
    ];
    scene.setComponent(id, Transform, { rotation: turn(Math.PI / 2) });
    scene.snapshotTransforms();
    for (const alpha of [0.25, 0.5, 0.75]) {
      const [, y, , w] = shown(scene, id, alpha).rotation;
      expect(2 * Math.atan2(y ?? 0, w ?? 0)).toBeCloseTo((alpha * Math.PI) / 2, 5);
    }
    scene.snapshotTransforms();
    const [x, y, z, w] = turn(Math.PI / 2 + 0.1);
    scene.setComponent(id, Transform, { rotation: [-x, -y, -z, -w] });
    scene.snapshotTransforms();
    const half = shown(scene, id, 0.5).rotation;
    expect(2 * Math.atan2(half[1] ?? 0, half[3] ?? 0)).toBeCloseTo(Math.PI / 2 + 0.05, 5);
  });

  it('rotations stay of unit length, and alpha is clamped to [0, 1] (47)', () => {
    const component = fc.float({ min: -1, max: 1, noNaN: true });
    const rotation = fc
      .tuple(component, component, component, component)
      .filter((q) => Math.hypot(...q) > 0.1)
      .map((q) => q.map((each) => each / Math.hypot(...q)) as [number, number, number, number]);
    fc.assert(
      fc.property(
        rotation,
        rotation,
        fc.double({ min: -2, max: 3, noNaN: true }),
        (from, to, alpha) => {
          const scene = make();
          const id = scene.createEntity([Transform, { rotation: from, position: [1, 0, 0] }]);
          scene.setComponent(id, Transform, { rotation: to, position: [3, 0, 0] });
          scene.snapshotTransforms();
          const { position, rotation: q } = shown(scene, id, alpha);
          expect(Math.hypot(...q)).toBeCloseTo(1, 4);
          expect(position[0]).toBeGreaterThanOrEqual(1);
          expect(position[0]).toBeLessThanOrEqual(3);
          const clamped = Math.min(1, Math.max(0, alpha));
          expect(position[0]).toBeCloseTo(1 + 2 * clamped, 5);
          scene.dispose();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('presentation is no part of the state (47)', () => {
    const scene = make();
    scene.createEntity(Transform);
    move(scene, 5);
    const before = scene.stateHash();
    scene.snapshotTransforms();
    expect(scene.stateHash()).toBe(before);
    move(scene, 1);
    expect(scene.stateHash()).not.toBe(before);
  });

  it('does nothing without transforms', () => {
    const scene = make();
    scene.createEntity();
    scene.snapshotTransforms();
    const out = new RenderableTransforms();
    scene.fillRenderableTransforms(0.5, out);
    expect(out.count).toBe(0);
    expect(scene.componentTypes).toEqual([]);
  });
});

describe('fillRenderableTransforms with kernels', () => {
  const number = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e3, max: 1e3 });
  const triple = fc.tuple(number, number, number);
  const unit = fc
    .tuple(number, number, number, number)
    .filter((q) => Math.hypot(...q) > 1e-3)
    .map((q) => q.map((element) => element / Math.hypot(...q)) as [number, number, number, number]);
  const pose = fc.record({ position: triple, rotation: unit, scale: triple });
  /** Two poses for which the shorter arc is beyond doubt. */
  const pair = fc
    .tuple(pose, pose)
    .filter(([a, b]) => Math.abs(dot(a.rotation, b.rotation)) > 1e-3);

  function dot(a: readonly number[], b: readonly number[]): number {
    return a.reduce((sum, element, i) => sum + element * (b[i] ?? 0), 0);
  }

  /** The columns of what is drawn, as plain numbers. */
  const drawn = (out: RenderableTransforms): Record<string, number[]> => ({
    entities: [...out.entities.subarray(0, out.count)],
    positions: [...out.positions.subarray(0, 3 * out.count)],
    rotations: [...out.rotations.subarray(0, 4 * out.count)],
    scales: [...out.scales.subarray(0, 3 * out.count)],
  });

  it.each(['wasm', 'javascript'] as const)(
    '%s: shows what the scene shows without them, in several tables',
    async (backend) => {
      const arena = new Arena({ budget: 1 << 24, backing: 'wasm' });
      const kernels = await loadKernels(arena, { backend });
      const tables = fc.array(fc.array(pair, { maxLength: 9 }), { minLength: 1, maxLength: 3 });
      fc.assert(
        fc.property(tables, fc.float({ noNaN: true, min: 0, max: 1 }), (groups, alpha) => {
          const scene = new Scene({ arena, kernels, maxEntities: 64 });
          const out = new RenderableTransforms(arena);
          const own = new RenderableTransforms();
          const plain = new Scene({ maxEntities: 64 });
          for (const [table, pairs] of groups.entries()) {
            const others = [[], [Name], [Uuid]][table] ?? [];
            for (const [before, after] of pairs) {
              for (const each of [scene, plain]) {
                const id = each.createEntity([Transform, before], ...others);
                each.setComponent(id, Transform, after);
              }
            }
          }
          scene.snapshotTransforms();
          plain.snapshotTransforms();
          scene.fillRenderableTransforms(alpha, out);
          plain.fillRenderableTransforms(alpha, own);
          const [byKernels, byHand] = [drawn(out), drawn(own)];
          expect(byKernels['entities']).toEqual(byHand['entities']);
          for (const name of ['positions', 'rotations', 'scales']) {
            const expected = byHand[name] ?? [];
            const tolerance = name === 'rotations' ? 4e-6 : 5e-4;
            expect(byKernels[name]).toHaveLength(expected.length);
            for (const [i, value] of (byKernels[name] ?? []).entries()) {
              expect(Math.abs(value - (expected[i] ?? 0))).toBeLessThan(tolerance);
            }
          }
          out.dispose();
          scene.dispose();
          plain.dispose();
        }),
        { numRuns: 60 },
      );
    },
  );

  it('ends in the very numbers of both steps at 0 and 1', async () => {
    const arena = new Arena({ budget: 1 << 24, backing: 'wasm' });
    const scene = new Scene({ arena, kernels: await loadKernels(arena), maxEntities: 64 });
    const id = scene.createEntity([Transform, { position: [1.1, 2.2, 3.3] }]);
    scene.setComponent(id, Transform, { position: [4.4, 5.5, 6.6] });
    scene.snapshotTransforms();
    const out = new RenderableTransforms(arena);
    for (const [alpha, x] of [
      [0, 1.1],
      [1, 4.4],
      [Number.NaN, 4.4],
    ] as const) {
      scene.fillRenderableTransforms(alpha, out);
      expect(out.positions[0]).toBe(Math.fround(x));
    }
  });

  it('does without them for a result in other memory, and refuses those of another arena', async () => {
    const arena = new Arena({ budget: 1 << 24, backing: 'wasm' });
    const other = new Arena({ budget: 1 << 20, backing: 'wasm' });
    const kernels = await loadKernels(arena, { backend: 'wasm' });
    const scene = new Scene({ arena, kernels, maxEntities: 64 });
    const id = scene.createEntity([Transform, { position: [1, 0, 0] }]);
    expect(shown(scene, id, 0.5).position).toEqual([1, 0, 0]);
    const foreign = new Scene({
      arena,
      kernels: await loadKernels(other, { backend: 'wasm' }),
      maxEntities: 64,
    });
    foreign.createEntity(Transform);
    expectError('ecs/kernel-memory', () =>
      foreign.fillRenderableTransforms(0.5, new RenderableTransforms(arena)),
    );
  });

  it('columns in an arena give its memory back', () => {
    const arena = new Arena({ budget: 1 << 20 });
    const before = arena.stats().used;
    const out = new RenderableTransforms(arena);
    out.reserve(100);
    out.reserve(1_000);
    expect(out.scales.buffer).toBe(arena.buffer);
    expect(() => out.reserve(1 << 20)).toThrow(/budget/i);
    expect(out.positions.length).toBeGreaterThanOrEqual(3_000);
    out.dispose();
    expect(arena.stats().used).toBe(before);
  });
});

describe('standard components', () => {
  it('have the defaults and fields that engines rely on', () => {
    const scene = make();
    const id = scene.createEntity(
      Transform,
      Mesh,
      Camera,
      Light,
      Material,
      [Name, { value: 'Player' }],
      Uuid,
      RigidBody,
      Collider,
      ParticleEmitter,
      NavAgent,
      NetReplicated,
      PrefabNode,
      Skeleton,
      MorphWeights,
      Animator,
    );
    expect(scene.getComponent(id, Transform)?.scale.toArray()).toEqual([1, 1, 1]);
    expect(scene.getComponent(id, Transform)?.currentScale.toArray()).toEqual([1, 1, 1]);
    expect(scene.getComponent(id, Mesh)?.renderInstanceId).toBe(NO_RENDER_INSTANCE);
    expect(scene.getComponent(id, RigidBody)?.bodyId).toBe(NO_BODY);
    expect(scene.getComponent(id, Camera)?.isMain).toBe(false);
    expect(scene.getComponent(id, Light)?.kind).toBe('directional');
    expect(scene.getComponent(id, Light)?.color.toArray()).toEqual([1, 1, 1, 1]);
    expect(scene.getComponent(id, Name)?.value).toBe('Player');
    expect(scene.getComponent(id, Animator)?.isPlaying).toBe(true);
    expect(scene.getComponent(id, MorphWeights)?.count).toBe(0);
    const runtime = [Transform, Mesh, RigidBody].flatMap(({ name, fields }) =>
      fields.filter(({ field }) => field.runtime).map((slot) => `${name}.${slot.name}`),
    );
    expect(runtime).toEqual([
      'Transform.previousPosition',
      'Transform.previousRotation',
      'Transform.previousScale',
      'Transform.currentPosition',
      'Transform.currentRotation',
      'Transform.currentScale',
      'Transform.world',
      'Mesh.renderInstanceId',
      'RigidBody.bodyId',
    ]);
  });
});
