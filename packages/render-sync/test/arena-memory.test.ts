import { Arena, ManualClock } from '@ecliptic/core';
import { Scene, type EntityId } from '@ecliptic/ecs';
import { Mesh, Transform } from '@ecliptic/ecs/components';
import { describe, expect, test } from 'vitest';
import {
  createInlineRender,
  loadPoseKernel,
  NullBackend,
  SceneHierarchy,
  type FrameBudget,
  type PoseKernel,
  type RenderSync,
} from '../src/index.js';
import { uuid } from './fixtures/triangle.js';

const OWNER = 'render-sync hierarchy';

function syncOf(scene: Scene, kernel: PoseKernel, budget?: Partial<FrameBudget>): RenderSync {
  const backend = new NullBackend();
  const clock = new ManualClock();
  return createInlineRender({ scene, clock, backend, kernel, ...(budget && { budget }) }).sync;
}

function x({ hierarchy }: RenderSync, entity: EntityId): number | undefined {
  return hierarchy.current.world[hierarchy.nodeOf(entity) * 16 + 12];
}

function held({ arena }: Scene): number {
  return arena.stats().owners.find(({ owner }) => owner === OWNER)?.bytes ?? 0;
}

describe('a hierarchy whose arrays are in the arena of its scene', () => {
  test('is made whatever room there is, in at most half of it', async () => {
    const used = new Set<boolean>();
    for (let bytes = 4_096; bytes < 20_000; bytes += 512) {
      const kernel = await loadPoseKernel({ backend: 'wasm', capacity: 1 });
      const arena = new Arena();
      const scene = new Scene({ arena, maxEntities: 1 });
      const entity = scene.createEntity([Transform, { position: [1, 2, 3] }]);
      arena.allocate(arena.stats().largestFree - bytes, 'somebody else');
      const sync = syncOf(scene, kernel, { instances: 1 });
      sync.sync();
      sync.hierarchy.updateWorld();
      expect(x(sync, entity)).toBe(1);
      expect(held(scene)).toBeLessThanOrEqual(bytes / 2);
      used.add(held(scene) > 0);
      sync.dispose();
      scene.dispose();
    }
    expect(used).toEqual(new Set([false, true]));
  });

  test('is elsewhere when the render scene may have more instances than there is room for', async () => {
    const kernel = await loadPoseKernel({ backend: 'wasm', capacity: 100 });
    const scene = new Scene({ maxEntities: 100, arenaBudget: 2_000_000 });
    const sync = syncOf(scene, kernel);
    expect([sync.renderScene.budget.instances, held(scene)]).toEqual([65_536, 0]);
  });

  test('gives all of it back, however often', async () => {
    const kernel = await loadPoseKernel({ backend: 'wasm', capacity: 100 });
    const scene = new Scene({ maxEntities: 100, arenaBudget: 400_000 });
    for (let n = 0; n < 50; n++) {
      const entity = scene.createEntity([Transform, { position: [n, 0, 0] }]);
      const sync = syncOf(scene, kernel, { instances: 100 });
      sync.sync();
      sync.hierarchy.updateWorld();
      expect(x(sync, entity)).toBe(n);
      expect(held(scene)).toBeGreaterThan(0);
      sync.dispose();
      expect(held(scene)).toBe(0);
    }
  });

  test('leaves nothing in it, and follows nobody, when it can’t be made', async () => {
    const kernel = await loadPoseKernel({ backend: 'wasm', capacity: 4 });
    const scene = new Scene({ maxEntities: 100 });
    for (let n = 0; n < 5; n++) scene.createEntity(Transform);
    expect(() => new SceneHierarchy(scene, { kernel, capacity: 4 })).toThrow(
      expect.objectContaining({ code: 'render-sync/tree-full' }),
    );
    expect(held(scene)).toBe(0);
    expect(() => scene.createEntity(Transform)).not.toThrow();
  });

  test('writes to none of it once it is given back', async () => {
    const kernel = await loadPoseKernel({ backend: 'wasm', capacity: 100 });
    const arena = new Arena();
    const scene = new Scene({ arena, maxEntities: 100 });
    const entity = scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1) }]);
    const sync = syncOf(scene, kernel, { instances: 100 });
    sync.sync();
    const size = held(scene);
    const { hierarchy, renderScene } = sync;
    const poseSets = [hierarchy.previous, hierarchy.current];
    sync.dispose();
    const { offset } = arena.allocate(size, 'somebody else');
    const theirs = new Uint8Array(arena.buffer, offset, size).fill(7);
    for (const poses of poseSets) {
      const one = new Float32Array(4).fill(1);
      for (let node = 0; node < 100; node++) {
        poses.set(node, one, 0, one, 0, one, 0);
        poses.reset(node);
        poses.markDirty(node);
      }
      expect([poses.update(), poses.quarantined()]).toEqual([0, []]);
      poses.clear();
    }
    expect(() => hierarchy.tree.add(entity)).toThrow(
      expect.objectContaining({ code: 'render-sync/tree-full' }),
    );
    hierarchy.tree.setParent(1, 0);
    hierarchy.tree.clear();
    for (let n = 0; n < 100; n++) {
      renderScene.setHidden(renderScene.createInstance({ meshUuid: uuid(1) }), true);
    }
    renderScene.clear();
    expect(sync.hierarchy.nodeOf(entity)).toBe(-1);
    expect(() => sync.sync()).toThrow(
      expect.objectContaining({ code: 'render-sync/hierarchy-disposed' }),
    );
    sync.dispose();
    expect(theirs.every((byte) => byte === 7)).toBe(true);
  });
});
