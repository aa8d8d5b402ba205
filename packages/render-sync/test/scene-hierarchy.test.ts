import {
  captureSnapshot,
  INVALID_ENTITY,
  read,
  restoreSnapshot,
  Scene,
  type EntityId,
} from '@ecliptic/ecs';
import { Name, Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadPoseKernel, SceneHierarchy } from '../src/index.js';

const operation = fc.record({
  kind: fc.constantFrom(
    'create',
    'destroy',
    'parent',
    'root',
    'lose',
    'gain',
    'move',
    'tag',
    'update',
  ),
  which: fc.nat(),
  other: fc.nat(),
  value: fc.integer({ min: -8, max: 8 }),
});

/** World x of an entity: positions add up along the parents that have a transform, as nothing is turned or scaled. */
function expectedX(scene: Scene, entity: EntityId): number {
  const own = scene.getComponent(entity, Transform)?.position.x ?? NaN;
  const parent = scene.parentOf(entity);
  const isRoot = parent === INVALID_ENTITY || !scene.hasComponent(parent, Transform);
  return isRoot ? own : own + expectedX(scene, parent);
}

test.each([
  ['packed', 'javascript'],
  ['packed', 'wasm'],
  ['ordered', 'wasm'],
] as const)(
  'whatever happens to the entities of a scene, whose rows are %s: world transforms are those of a naive recursion (%s)',
  async (rowOrder, backend) => {
    const kernel = await loadPoseKernel({ backend, capacity: 256 });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80, size: 'max' }), (operations) => {
        const scene = new Scene({ rowOrder, maxEntities: 256 });
        const hierarchy = new SceneHierarchy(scene, { kernel });
        const worlds = scene.query(read(Transform));
        let alive: EntityId[] = [];
        const wrong: unknown[] = [];
        for (const { kind, which, other, value } of [
          ...operations,
          { kind: 'update', which: 0, other: 0, value: 0 } as const,
        ]) {
          const entity = alive[which % Math.max(1, alive.length)] ?? INVALID_ENTITY;
          const target = alive[other % Math.max(1, alive.length)] ?? INVALID_ENTITY;
          if (kind === 'create') {
            alive.push(scene.createEntity([Transform, { position: [value, 0, 0] }]));
          } else if (kind === 'update') {
            hierarchy.updateWorld();
            hierarchy.updatePresentation();
            for (const table of worlds.tables()) {
              const { world } = table.column(Transform);
              for (let row = 0; row < table.count; row++) {
                const id = table.entities[row] as number;
                const want = expectedX(scene, id);
                const presented = hierarchy.current.world[hierarchy.nodeOf(id) * 16 + 12];
                if (world[row * 16 + 12] !== want || presented !== want) wrong.push({ id, want });
              }
            }
          } else if (entity !== INVALID_ENTITY) {
            if (kind === 'destroy') scene.destroyEntity(entity);
            else if (kind === 'parent' && !isBelow(scene, target, entity)) {
              scene.setParent(entity, target);
            } else if (kind === 'root') scene.setParent(entity, INVALID_ENTITY);
            else if (kind === 'lose') scene.removeComponent(entity, Transform);
            else if (kind === 'gain') scene.setComponent(entity, Transform);
            else if (kind === 'tag') scene.setComponent(entity, Name, { value: 'moved' });
            else if (kind === 'move' && scene.hasComponent(entity, Transform)) {
              scene.setComponent(entity, Transform, { position: [value, 0, 0] });
            }
            alive = alive.filter((id) => scene.isAlive(id));
          }
        }
        expect(wrong).toEqual([]);
        hierarchy.dispose();
        scene.dispose();
      }),
    );
  },
);

/** Whether an entity is another, or under it. */
function isBelow(scene: Scene, entity: EntityId, top: EntityId): boolean {
  for (let up = entity; up !== INVALID_ENTITY; up = scene.parentOf(up)) if (up === top) return true;
  return false;
}

test.each(['javascript', 'wasm'] as const)(
  'a scene that is wound back and simulated again has the world transforms that it had (%s)',
  async (backend) => {
    const scene = new Scene({ maxEntities: 64 });
    const kernel = await loadPoseKernel({ backend, capacity: 64 });
    const hierarchy = new SceneHierarchy(scene, { capacity: 64, kernel });
    const entity = scene.createEntity(Transform);
    const worldX = (): number | undefined => scene.getComponent(entity, Transform)?.world.at(12);
    const step = (x: number): number | undefined => {
      const transform = scene.getComponent(entity, Transform);
      if (transform) transform.position.x = x;
      hierarchy.updateWorld();
      scene.snapshotTransforms();
      return worldX();
    };
    step(1);
    const snapshot = captureSnapshot(scene);
    // It moves once and rests: each of the two sets has it there already when that is simulated again.
    expect([5, 5, 5].map(step)).toEqual([5, 5, 5]);
    restoreSnapshot(scene, snapshot);
    expect(worldX()).toBe(1);
    expect([5, 5, 5].map(step)).toEqual([5, 5, 5]);
    hierarchy.dispose();
    scene.dispose();
  },
);
