import { EventLog, systemClock } from '@ecliptic/core';
import {
  captureSnapshot,
  INVALID_ENTITY,
  read,
  restoreSnapshot,
  Scene,
  type EntityId,
} from '@ecliptic/ecs';
import { Mesh, Name, Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AFFINE_FLOATS,
  createInlineRender,
  INSTANCE_MOVING,
  loadPoseKernel,
  matrixToRows,
  NullBackend,
  SceneHierarchy,
  type PoseKernel,
} from '../src/index.js';
import { inlineScene } from './fixtures/inline-scene.js';
import { uuid } from './fixtures/triangle.js';

const CAPACITY = 128;
const IDENTITY_ROWS = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

const operation = fc.record({
  kind: fc.constantFrom(
    'create',
    'createUnseen',
    'destroy',
    'parent',
    'root',
    'lose',
    'gain',
    'move',
    'move',
    'turn',
    'teleport',
    'write pair',
    'tag',
    'hide',
    'world',
    'capture',
    'restore',
    'step',
    'step',
    'step',
    'frame',
    'frame',
    'frame',
  ),
  which: fc.nat(),
  other: fc.nat(),
  value: fc.integer({ min: -8, max: 8 }),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Applies operations to a scene, and compares each frame with a hierarchy that is made for it alone. */
function wrongFrames(
  operations: readonly Operation[],
  kernel: PoseKernel,
  fresh: () => PoseKernel,
): unknown[] {
  const scene = new Scene({ maxEntities: CAPACITY });
  const { sync } = createInlineRender({
    scene,
    clock: systemClock(),
    backend: new NullBackend(),
    budget: { instances: CAPACITY },
    kernel,
  });
  const wrong: unknown[] = [];
  let alive: EntityId[] = [];
  let saved: { readonly alive: readonly EntityId[]; readonly snapshot: Uint8Array } | undefined;
  const compareFrame = (at: number): void => {
    sync.sync();
    const { hierarchy, bindings, renderScene } = sync;
    const reference = new SceneHierarchy(scene, { capacity: CAPACITY, kernel: fresh() });
    reference.updatePresentation();
    const previous = new Float32Array(AFFINE_FLOATS);
    const current = new Float32Array(AFFINE_FLOATS);
    for (const entity of alive) {
      const node = hierarchy.nodeOf(entity);
      const own = reference.nodeOf(entity);
      if (node < 0 !== own < 0) wrong.push({ at, entity, node, own });
      if (node < 0) continue;
      for (const [poses, expected] of [
        [hierarchy.previous, reference.previous],
        [hierarchy.current, reference.current],
      ] as const) {
        const seen = [...poses.world.subarray(node * 16, node * 16 + 16)];
        const wanted = [...expected.world.subarray(own * 16, own * 16 + 16)];
        if (!same(seen, wanted)) wrong.push({ at, entity, seen, wanted });
      }
      const dense = renderScene.denseIndex(bindings.instanceOf(entity));
      if (dense < 0) continue;
      matrixToRows(previous, 0, reference.previous.world, own * 16);
      matrixToRows(current, 0, reference.current.world, own * 16);
      const rows = (of: Float32Array) => of.subarray(dense * 12, dense * 12 + 12);
      const flag = ((renderScene.instanceFlags[dense] as number) & INSTANCE_MOVING) !== 0;
      if (!same(rows(renderScene.instancePrevious), previous)) wrong.push({ at, entity, previous });
      if (!same(rows(renderScene.instanceCurrent), current)) wrong.push({ at, entity, current });
      if (flag === same(previous, current)) wrong.push({ at, entity, flag });
    }
    reference.dispose();
  };
  const transforms = scene.query(read(Transform));
  const compareColumns = (at: number): void => {
    sync.hierarchy.updateWorld();
    const reference = new SceneHierarchy(scene, { capacity: CAPACITY, kernel: fresh() });
    reference.updatePresentation();
    for (const table of transforms.tables()) {
      const { world } = table.column(Transform);
      for (let row = 0; row < table.count; row++) {
        const node = reference.nodeOf(table.entities[row] as EntityId) * 16;
        const stored = [...world.subarray(row * 16, row * 16 + 16)];
        const wanted = [...reference.current.world.subarray(node, node + 16)];
        if (!same(stored, wanted)) wrong.push({ at, row, stored, wanted });
      }
    }
    reference.dispose();
  };
  for (const [at, { kind, which, other, value }] of operations.entries()) {
    const entity = alive[which % Math.max(1, alive.length)] ?? INVALID_ENTITY;
    const target = alive[other % Math.max(1, alive.length)] ?? INVALID_ENTITY;
    if (kind === 'frame') compareFrame(at);
    else if (kind === 'world') compareColumns(at);
    else if (kind === 'capture') saved = { alive: [...alive], snapshot: captureSnapshot(scene) };
    else if (kind === 'restore' && saved) {
      restoreSnapshot(scene, saved.snapshot);
      alive = [...saved.alive];
    } else if (kind === 'step') {
      if (other % 4 > 0) sync.hierarchy.updateWorld();
      scene.snapshotTransforms();
    } else if (kind === 'create' && alive.length < CAPACITY / 2) {
      alive.push(
        scene.createEntity([Transform, { position: [value, 1, 0] }], [Mesh, { meshUuid: uuid(1) }]),
      );
    } else if (kind === 'createUnseen' && alive.length < CAPACITY / 2) {
      alive.push(scene.createEntity([Transform, { position: [0, value, 0] }]));
    } else if (entity !== INVALID_ENTITY) {
      const transform = scene.getComponent(entity, Transform);
      if (kind === 'destroy') scene.destroyEntity(entity);
      else if (kind === 'parent' && !isBelow(scene, target, entity)) {
        scene.setParent(entity, target);
      } else if (kind === 'root') scene.setParent(entity, INVALID_ENTITY);
      else if (kind === 'lose') scene.removeComponent(entity, Transform);
      else if (kind === 'gain') scene.setComponent(entity, Transform);
      else if (kind === 'tag') scene.setComponent(entity, Name, { value: 'moved' });
      else if (kind === 'hide') {
        if (scene.hasComponent(entity, Mesh)) {
          scene.setComponent(entity, Mesh, { visible: value > 0 });
        }
      } else if (kind === 'move' && transform) transform.position.x = value;
      else if (kind === 'turn' && transform) {
        transform.rotation.z = Math.sin(value);
        transform.rotation.w = Math.cos(value);
        transform.scale.y = 1 + value / 16;
      } else if (kind === 'teleport' && transform) {
        transform.position.z = value;
        scene.snapTransform(entity);
      } else if (kind === 'write pair' && transform) {
        transform.previousPosition.x = value;
        transform.currentPosition.y = other % 8;
      }
      alive = alive.filter((id) => scene.isAlive(id));
    }
  }
  compareFrame(operations.length);
  sync.dispose();
  scene.dispose();
  return wrong;
}

/** Whether an entity is another, or under it. */
function isBelow(scene: Scene, entity: EntityId, top: EntityId): boolean {
  for (let up = entity; up !== INVALID_ENTITY; up = scene.parentOf(up)) if (up === top) return true;
  return false;
}

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

describe('the presentation pair', () => {
  test.each(['javascript', 'wasm'] as const)(
    'whatever happens between frames of 0, 1 or more steps: it is that of a hierarchy made anew, by the %s kernel',
    async (backend) => {
      const load = () => loadPoseKernel({ backend, capacity: CAPACITY });
      await fc.assert(
        fc.asyncProperty(
          fc.array(operation, { maxLength: 120, size: 'max' }),
          async (operations) => {
            const own = await load();
            const frames = 1 + operations.filter(({ kind }) => /frame|world/.test(kind)).length;
            const others = await Promise.all(Array.from({ length: frames }, load));
            const fresh = (): PoseKernel => others.pop() as PoseKernel;
            expect(wrongFrames(operations, own, fresh)).toEqual([]);
          },
        ),
        { numRuns: backend === 'wasm' ? 20 : 60 },
      );
    },
  );

  test('what is not finite stays, with what is below it, where it was last seen', async () => {
    const { entity, frame, step, backend, scene } = await inlineScene();
    const parent = entity();
    const child = entity([1, 0, 0]);
    scene.addComponent(parent, Name, { value: 'parent' });
    scene.addComponent(child, Name, { value: 'child' });
    scene.setParent(child, parent);
    const seen: unknown[] = [];
    for (const x of [10, 20, 30, NaN, NaN, NaN, 40, 50]) {
      step(() => {
        const transform = scene.getComponent(parent, Transform);
        if (transform) transform.position.x = x;
      });
      for (const alpha of [0, 1]) {
        frame(alpha);
        seen.push([backend.x('parent'), backend.x('child')]);
      }
    }
    const pairs = [0, 10, 20, 30, 30, 30, 30, 40].flatMap((x, i) => [
      [x, x + 1],
      [[10, 20, 30, 30, 30, 30, 40, 50][i], ([10, 20, 30, 30, 30, 30, 40, 50][i] ?? NaN) + 1],
    ]);
    expect(seen).toEqual(pairs);
  });

  test('instances that are of no entity keep the ends that they were given', () => {
    const scene = new Scene();
    const { sync } = createInlineRender({
      scene,
      clock: systemClock(),
      backend: new NullBackend(),
      log: new EventLog('test'),
    });
    const { renderScene, bindings } = sync;
    const own = renderScene.createInstance({ meshUuid: uuid(1) });
    const ends = Float32Array.from([...IDENTITY_ROWS, ...IDENTITY_ROWS]);
    ends[12 + 3] = 5;
    renderScene.setTransform(own, ends, 0, ends, 12);
    const entity = scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1) }]);
    for (let x = 1; x < 4; x++) {
      const transform = scene.getComponent(entity, Transform);
      if (transform) transform.position.x = x;
      scene.snapshotTransforms();
      sync.sync();
      const at = (id: number) => {
        const dense = renderScene.denseIndex(id) * AFFINE_FLOATS + 3;
        return [renderScene.instancePrevious[dense], renderScene.instanceCurrent[dense]];
      };
      expect(at(own)).toEqual([0, 5]);
      expect(at(bindings.instanceOf(entity))).toEqual([x - 1, x]);
    }
    sync.dispose();
  });

  test('an entity that goes to and fro, and one that stands still, are seen so', async () => {
    const { entity, frame, step, backend, scene } = await inlineScene();
    const mover = entity();
    const rock = entity([7, 0, 0]);
    scene.addComponent(mover, Name, { value: 'mover' });
    scene.addComponent(rock, Name, { value: 'rock' });
    const seen: unknown[] = [];
    for (const x of [1, 0, 1, 0, 0, 0, 1]) {
      step(() => {
        const transform = scene.getComponent(mover, Transform);
        if (transform) transform.position.x = x;
      });
      frame(0);
      const from = backend.x('mover');
      frame(1);
      seen.push([from, backend.x('mover'), backend.x('rock')]);
    }
    expect(seen).toEqual([
      [0, 1, 7],
      [1, 0, 7],
      [0, 1, 7],
      [1, 0, 7],
      [0, 0, 7],
      [0, 0, 7],
      [0, 1, 7],
    ]);
  });
});
