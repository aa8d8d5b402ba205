import { EventLog, ManualClock } from '@ecliptic/core';
import { captureSnapshot, INVALID_ENTITY, read, restoreSnapshot, Scene } from '@ecliptic/ecs';
import { Camera, Light, Material, Mesh, Name, Transform } from '@ecliptic/ecs/components';
import { describe, expect, test, vi } from 'vitest';
import {
  createInlineRender,
  LOCAL_FLOATS,
  NO_INSTANCE,
  NullBackend,
  SceneHierarchy,
} from '../src/index.js';
import { inlineScene, STEP } from './fixtures/inline-scene.js';
import { turn } from './fixtures/transforms.js';
import { material, triangle, uuid } from './fixtures/triangle.js';

describe('from components to frames', () => {
  test('an entity with a mesh is drawn where it is', async () => {
    const { entity, frame, backend, scene, sync } = await inlineScene();
    const rock = entity([1, 2, 3]);
    scene.addComponent(rock, Name, { value: 'rock' });
    frame();
    expect(backend.seen.at(-1)?.rows.get('rock')).toEqual([1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3]);
    expect(scene.getComponent(rock, Mesh)?.renderInstanceId).toBe(sync.bindings.instanceOf(rock));
  });

  test('the presentation pair rotates, so interpolation really interpolates: 60 Hz shown at 144 Hz (46)', async () => {
    const { entity, frame, step, backend, scene, clock } = await inlineScene();
    const ball = entity();
    scene.addComponent(ball, Name, { value: 'ball' });
    const seen: number[] = [];
    let steps = 0;
    const interval = 6_944_444;
    for (let time = 0; time < 1_000_000_000; time += interval) {
      clock.jump(time);
      for (; steps < Math.floor(time / STEP); steps++) {
        step(() => {
          const transform = scene.getComponent(ball, Transform);
          if (transform) transform.position.x += 1;
        });
      }
      frame((time - steps * STEP) / STEP);
      if (steps > 1) seen.push(backend.x('ball') ?? NaN);
    }
    expect(seen.length).toBeGreaterThan(130);
    for (const [i, x] of seen.slice(1).entries()) {
      expect(x - (seen[i] ?? NaN)).toBeCloseTo(interval / STEP, 3);
    }
  });

  test('new, recycled and teleported entities snap (47)', async () => {
    const { entity, frame, step, backend, scene } = await inlineScene();
    const move = (id: number, x: number): void => {
      const transform = scene.getComponent(id, Transform);
      if (transform) transform.position.x = x;
    };
    const first = entity([5, 0, 0]);
    scene.addComponent(first, Name, { value: 'first' });
    step();
    frame(0.25);
    expect(backend.x('first')).toBe(5);
    step(() => move(first, 9));
    frame(0.25);
    expect(backend.x('first')).toBe(6);
    step(() => {
      move(first, 1_000);
      scene.snapTransform(first);
    });
    frame(0.25);
    expect(backend.x('first')).toBe(1_000);

    scene.destroyEntity(first);
    const second = entity([-3, 0, 0]);
    scene.addComponent(second, Name, { value: 'second' });
    step();
    frame(0.5);
    expect(backend.x('second')).toBe(-3);
    expect(backend.x('first')).toBeUndefined();
  });

  test('what a parent teleports with it snaps too', async () => {
    const { entity, frame, step, backend, scene } = await inlineScene();
    const ship = entity();
    const gun = entity([1, 0, 0]);
    scene.addComponent(gun, Name, { value: 'gun' });
    scene.setParent(gun, ship);
    step();
    frame(0.5);
    expect(backend.x('gun')).toBe(1);
    step(() => {
      const transform = scene.getComponent(ship, Transform);
      if (transform) transform.position.x = 100;
      scene.snapTransform(ship);
    });
    frame(0.5);
    expect(backend.x('gun')).toBe(101);
  });

  test('rotation is slerped, also that of a child about its parent (47)', async () => {
    const { entity, frame, step, backend, scene } = await inlineScene();
    const wheel = entity();
    scene.addComponent(wheel, Name, { value: 'wheel' });
    step();
    step(() => scene.setComponent(wheel, Transform, { rotation: [...turn([0, 0, 1], 2)] }));
    frame(0.25);
    const rows = backend.seen.at(-1)?.rows.get('wheel') ?? [];
    expect(Math.atan2(rows[4] ?? 0, rows[0] ?? 0)).toBeCloseTo(0.5, 5);
  });

  test('two or more steps in one frame: only the last one is interpolated', async () => {
    const { entity, frame, step, backend, scene } = await inlineScene();
    const ball = entity();
    scene.addComponent(ball, Name, { value: 'ball' });
    step();
    frame(0);
    for (let n = 0; n < 3; n++) {
      step(() => {
        const transform = scene.getComponent(ball, Transform);
        if (transform) transform.position.x += 10;
      });
    }
    frame(0.5);
    expect(backend.x('ball')).toBe(25);
    step();
    frame(0.5);
    expect(backend.x('ball')).toBe(30);
  });

  test('what is moved outside the fixed steps, as by a camera controller, is shown at once', async () => {
    const { entity, frame, step, backend, scene } = await inlineScene();
    const camera = entity();
    scene.addComponent(camera, Camera, { isMain: true });
    step();
    frame(0.5);
    const transform = scene.getComponent(camera, Transform);
    if (transform) transform.position.x = 7;
    frame(0.5);
    expect(backend.seen.at(-1)?.cameraRows[3]).toBe(7);
  });

  test('an entity that is created, changed, hidden and destroyed is one instance, and then none', async () => {
    const { entity, frame, backend, scene, sync } = await inlineScene();
    const rock = entity();
    frame();
    const id = sync.bindings.instanceOf(rock);
    expect(backend.stats.instances).toBe(1);

    scene.setComponent(rock, Mesh, { meshUuid: uuid(2) });
    frame();
    expect(sync.renderScene.instance(id)?.meshUuid).toBe(uuid(2));
    expect(backend.stats.instances).toBe(0); // not resident
    scene.setComponent(rock, Mesh, { meshUuid: uuid(1) });
    scene.addComponent(rock, Material, { materialUuid: uuid(9) });
    frame();
    expect(sync.renderScene.instance(id)?.materialUuid).toBe(uuid(9));
    expect(backend.stats.instances).toBe(1);
    scene.removeComponent(rock, Material);
    scene.setComponent(rock, Mesh, { visible: false });
    frame();
    expect(sync.renderScene.instance(id)?.materialUuid).toBeUndefined();
    expect(backend.stats.instances).toBe(0);
    scene.setComponent(rock, Mesh, { visible: true });
    frame();
    expect(backend.stats.instances).toBe(1);

    scene.removeComponent(rock, Transform);
    frame();
    expect(backend.stats.instances).toBe(0);
    expect(scene.getComponent(rock, Mesh)?.renderInstanceId).toBe(NO_INSTANCE);
    scene.addComponent(rock, Transform, { position: [4, 0, 0] });
    scene.addComponent(rock, Name, { value: 'back' });
    frame();
    scene.setComponent(rock, Mesh, { visible: true });
    frame();
    expect(backend.x('back')).toBe(4);
    scene.destroyEntity(rock);
    frame();
    expect([backend.stats.instances, sync.renderScene.instanceCount]).toEqual([0, 0]);
    expect(sync.bindings.size).toBe(0);
  });

  test('a mesh of nil draws nothing', async () => {
    const { scene, frame, sync } = await inlineScene();
    scene.createEntity(Transform, Mesh);
    frame();
    expect(sync.renderScene.instanceCount).toBe(0);
  });

  test('a saved renderInstanceId of another run means nothing', async () => {
    const { scene, frame, sync } = await inlineScene();
    const rock = scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1), renderInstanceId: 77 }]);
    frame();
    expect(scene.getComponent(rock, Mesh)?.renderInstanceId).toBe(sync.bindings.instanceOf(rock));
    expect(sync.renderScene.instanceCount).toBe(1);
  });

  test('replacing the scene binds everything anew, in a new epoch', async () => {
    const { entity, frame, scene, sync, backend } = await inlineScene();
    for (let n = 0; n < 5; n++) entity([n, 0, 0]);
    frame();
    const ticket = sync.epochs.capture('scene');
    scene.clear();
    for (let n = 0; n < 3; n++) entity([n, 0, 0]);
    sync.replaceScene({ resetGeometry: true });
    frame();
    expect(ticket.isCurrent).toBe(false);
    expect(sync.renderScene.instanceCount).toBe(3);
    expect(backend.stats).toMatchObject({ geometryResets: 1, instances: 0, residentMeshes: 0 });
  });

  test('deleting an entity takes its children, instances, and what nothing else uses', async () => {
    const { entity, frame, scene, sync, backend } = await inlineScene();
    sync.outbox.post({
      kind: 'material',
      uuid: uuid(9),
      material,
    });
    const tree = entity();
    const bird = entity();
    const other = entity();
    scene.setParent(bird, tree);
    scene.addComponent(bird, Material, { materialUuid: uuid(9) });
    frame();
    expect(backend.stats).toMatchObject({ instances: 3, residentMeshes: 1, residentMaterials: 1 });
    sync.deleteEntity(tree);
    expect([scene.isAlive(tree), scene.isAlive(bird), scene.isAlive(other)]).toEqual([
      false,
      false,
      true,
    ]);
    for (let n = 0; n < 4; n++) frame();
    expect(backend.stats).toMatchObject({ instances: 1, residentMeshes: 1, residentMaterials: 0 });
    sync.deleteEntity(other);
    for (let n = 0; n < 4; n++) frame();
    expect(backend.stats).toMatchObject({ instances: 0, residentMeshes: 0 });
  });

  test('more entities than the budget are drawn as far as it goes, reported once, and drawn when there is room', async () => {
    const warn = vi.spyOn(EventLog.prototype, 'warn');
    const { entity, frame, scene, backend } = await inlineScene({ instances: 4 });
    const all = [0, 1, 2, 3, 4, 5].map((x) => entity([x, 0, 0]));
    frame();
    frame();
    expect(backend.stats.instances).toBe(4);
    expect(warn.mock.calls.filter(([event]) => event === 'instances_over_budget')).toHaveLength(1);
    scene.destroyEntity(all[0] as number);
    scene.destroyEntity(all[1] as number);
    frame();
    expect(backend.stats.instances).toBe(4);
    warn.mockRestore();
  });

  test('lights arrive with all their numbers', async () => {
    const { scene, frame, sync, backend } = await inlineScene();
    scene.createEntity(
      [Transform, { position: [0, 5, 0] }],
      [Light, { kind: 'spot', intensity: 3, color: [1, 0.5, 0.25, 1] }],
    );
    scene.createEntity(Transform, [Light, { kind: 'directional' }]);
    frame();
    expect(backend.stats.lights).toBe(2);
    expect(sync.renderScene.lights.count).toBe(2);
  });

  test('exactly one main camera is quiet; none and two are reported once, and one is chosen', async () => {
    const warn = vi.spyOn(EventLog.prototype, 'warn');
    const events = (): unknown[] => warn.mock.calls.map(([event]) => event);
    const { scene, frame, sync, backend } = await inlineScene();
    frame();
    expect(events()).toEqual(['no_main_camera']);
    expect(backend.seen.at(-1)?.camera).toBeUndefined();
    const first = scene.createEntity(Transform, [Camera, { isMain: true }]);
    frame();
    expect(backend.seen.at(-1)?.camera).toBe(first);
    const second = scene.createEntity(Transform, [Camera, { isMain: true }]);
    frame();
    frame();
    expect(events()).toEqual(['no_main_camera', 'several_main_cameras']);
    expect(sync.cameraSync.mainCameras).toEqual([first, second]);
    expect(backend.seen.at(-1)?.camera).toBe(first);
    scene.setComponent(first, Camera, { isMain: false });
    frame();
    expect(backend.seen.at(-1)?.camera).toBe(second);
    expect(events()).toHaveLength(2);
    warn.mockRestore();
  });

  test('an overlay is drawn until there is another, and a late one never holds up the state', async () => {
    const { entity, frame, overlays, backend } = await inlineScene();
    entity();
    const late = overlays.begin(); // not published yet
    frame();
    expect(backend.stats).toMatchObject({ frames: 1, overlayQuads: 0, instances: 1 });
    late.quadCount = 3;
    overlays.publish();
    frame();
    frame();
    expect(backend.stats).toMatchObject({ frames: 3, overlayQuads: 3 });
    overlays.begin().quadCount = 5;
    frame();
    expect(backend.stats).toMatchObject({ frames: 4, overlayQuads: 3 });
  });

  test('minimised, with a target of no size: nothing is drawn, and drawing goes on afterwards (48)', async () => {
    const { entity, frame, sync, backend } = await inlineScene();
    entity();
    frame();
    sync.setTarget({ width: 0, height: 0, pixelRatio: 1 });
    frame();
    frame();
    expect(backend.stats.frames).toBe(1);
    sync.setTarget({ width: 64, height: 64, pixelRatio: 1 });
    frame();
    expect(backend.stats).toMatchObject({ frames: 2, instances: 1 });
  });

  test('restoring a snapshot brings instances, parents and places back, without further ado', async () => {
    const { entity, frame, step, scene, sync, backend } = await inlineScene();
    const [ship, gun, rock] = [entity([10, 0, 0]), entity([1, 0, 0]), entity([5, 0, 0])];
    for (const [id, value] of [
      [ship, 'ship'],
      [gun, 'gun'],
      [rock, 'rock'],
    ] as const) {
      scene.addComponent(id, Name, { value });
    }
    scene.setParent(gun, ship);
    step();
    frame(1);
    const drawn = (): unknown =>
      [...(backend.seen.at(-1)?.rows ?? [])]
        .map(([name, rows]) => [name, rows[3]])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b)));
    const before = [
      ['gun', 11],
      ['rock', 5],
      ['ship', 10],
    ];
    expect(drawn()).toEqual(before);
    const snapshot = captureSnapshot(scene);

    scene.destroyEntity(rock);
    scene.setParent(gun, INVALID_ENTITY);
    scene.setComponent(ship, Transform, { position: [70, 0, 0] });
    for (let n = 0; n < 5; n++) entity([n, 9, 9]);
    step();
    frame(1);
    expect(backend.stats.instances).toBe(7);

    restoreSnapshot(scene, snapshot);
    step();
    frame(1);
    expect(drawn()).toEqual(before);
    expect(sync.bindings.size).toBe(3);
    for (const id of [ship, gun, rock]) {
      expect(scene.getComponent(id, Mesh)?.renderInstanceId).toBe(sync.bindings.instanceOf(id));
    }
  });

  test('two renderers in one process share nothing', async () => {
    const a = await inlineScene();
    const b = await inlineScene();
    a.entity();
    a.frame();
    b.frame();
    expect([a.backend.stats.instances, b.backend.stats.instances]).toEqual([1, 0]);
  });
});

describe('the hierarchy of a scene', () => {
  const world = (scene: Scene, entity: number): number[] => {
    for (const table of scene.query(read(Transform)).tables()) {
      const row = table.entities.subarray(0, table.count).indexOf(entity);
      if (row >= 0)
        return [...table.column(Transform).world.subarray(row * 16 + 12, row * 16 + 15)];
    }
    return [];
  };

  test('a parent that is dead, or has no transform, makes a root; getting one makes a child', () => {
    const scene = new Scene();
    const hierarchy = new SceneHierarchy(scene);
    const parent = scene.createEntity();
    const child = scene.createEntity([Transform, { position: [1, 0, 0] }]);
    scene.setParent(child, parent);
    hierarchy.updateWorld();
    expect(world(scene, child)).toEqual([1, 0, 0]);
    scene.addComponent(parent, Transform, { position: [10, 0, 0] });
    hierarchy.updateWorld();
    expect(world(scene, child)).toEqual([11, 0, 0]);
    scene.removeComponent(parent, Transform);
    hierarchy.updateWorld();
    expect(world(scene, child)).toEqual([1, 0, 0]);
    scene.setParent(child, INVALID_ENTITY);
    scene.destroyEntity(parent);
    hierarchy.updateWorld();
    expect(world(scene, child)).toEqual([1, 0, 0]);
  });

  test('re-parenting moves the subtree', () => {
    const scene = new Scene();
    const hierarchy = new SceneHierarchy(scene);
    const at = (x: number): number => scene.createEntity([Transform, { position: [x, 0, 0] }]);
    const [leaf, middle, left, right] = [at(1), at(10), at(100), at(1_000)];
    scene.setParent(leaf, middle);
    scene.setParent(middle, left);
    hierarchy.updateWorld();
    expect(world(scene, leaf)).toEqual([111, 0, 0]);
    scene.setParent(middle, right);
    hierarchy.updateWorld();
    expect(world(scene, leaf)).toEqual([1_011, 0, 0]);
    expect(hierarchy.updateWorld()).toBe(0);
  });

  test('a transform that is not finite is reported once with its entity, and its children stay sane', () => {
    const warn = vi.spyOn(EventLog.prototype, 'warn');
    const scene = new Scene();
    const hierarchy = new SceneHierarchy(scene);
    const parent = scene.createEntity([Transform, { position: [3, 0, 0] }]);
    const child = scene.createEntity([Transform, { position: [1, 0, 0] }]);
    scene.setParent(child, parent);
    hierarchy.updateWorld();
    scene.forEach([Transform], (id, transform) => {
      if (id === parent) transform.position.x = NaN;
    });
    for (let n = 0; n < 3; n++) hierarchy.updateWorld();
    expect(world(scene, child)).toEqual([4, 0, 0]);
    expect(warn.mock.calls).toEqual([
      ['transform_not_finite', expect.objectContaining({ subject: parent })],
    ]);
    warn.mockRestore();
  });

  test('what exists before the hierarchy is in it, and 1,000 come and go', () => {
    const scene = new Scene();
    const before = scene.createEntity([Transform, { position: [2, 0, 0] }]);
    const hierarchy = new SceneHierarchy(scene);
    hierarchy.updateWorld();
    expect(world(scene, before)).toEqual([2, 0, 0]);
    for (let round = 0; round < 5; round++) {
      const all: number[] = [];
      for (let n = 0; n < 1_000; n++) {
        const entity = scene.createEntity([Transform, { position: [1, 0, 0] }]);
        const parent = all[n >> 1];
        if (parent !== undefined && n > 0) scene.setParent(entity, parent);
        all.push(entity);
      }
      hierarchy.updateWorld();
      expect(world(scene, all[999] as number)).toEqual([11, 0, 0]);
      scene.destroyEntity(all[0] as number);
      hierarchy.updateWorld();
      expect(hierarchy.tree.size).toBe(1);
    }
  });

  test('entities that are put under new parents one after the other are numbered anew once, not once each', () => {
    const scene = new Scene();
    const hierarchy = new SceneHierarchy(scene);
    const settle = vi.spyOn(hierarchy.tree, 'settle');
    const all = Array.from({ length: 50 }, () => scene.createEntity(Transform));
    for (const entity of all) {
      scene.setParent(entity, scene.createEntity([Transform, { position: [1, 0, 0] }]));
    }
    hierarchy.updateWorld();
    expect(settle.mock.results.filter(({ value }) => value !== undefined)).toHaveLength(1);
    for (const entity of all) expect(world(scene, entity)).toEqual([1, 0, 0]);
  });

  test('what changed and what was not finite before a rebuild is forgotten with it', () => {
    const scene = new Scene();
    const hierarchy = new SceneHierarchy(scene);
    scene.createEntity(Transform);
    hierarchy.updateWorld();
    const gone = hierarchy.tree.add(999);
    hierarchy.current.local[gone * LOCAL_FLOATS] = NaN;
    hierarchy.current.markDirty(gone);
    hierarchy.rebuild();
    expect(hierarchy.updateWorld()).toBe(1);
    expect(hierarchy.current.quarantined()).toEqual([]);
  });

  test('no entity has no instance', async () => {
    const { sync, entity, frame, scene } = await inlineScene();
    expect(sync.bindings.instanceOf(INVALID_ENTITY)).toBe(NO_INSTANCE);
    const body = entity();
    frame();
    expect(sync.bindings.instanceOf(body)).not.toBe(NO_INSTANCE);
    scene.destroyEntity(body);
    expect(sync.bindings.instanceOf(body)).toBe(NO_INSTANCE);
    expect(sync.bindings.instanceOf(INVALID_ENTITY)).toBe(NO_INSTANCE);
  });

  test('has room for as many entities as the scene, however many those are', async () => {
    for (const maxEntities of [2, 65_600]) {
      const scene = new Scene({ maxEntities });
      const backend = new NullBackend();
      const budget = { instances: 4 };
      const inline = createInlineRender({ scene, backend, budget, clock: new ManualClock() });
      await inline.loop.initialize();
      inline.sync.setTarget({ width: 4, height: 4, pixelRatio: 1 });
      inline.sync.outbox.post({ kind: 'mesh', uuid: uuid(1), mesh: triangle });
      while (scene.entityCount < maxEntities - 1) scene.createEntity();
      scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1) }]);
      inline.sync.sync();
      inline.sync.publish({ tick: 0, tickTime: 0, stepDuration: 0, alpha: 0, frameTime: 0 });
      expect([inline.loop.runOnce(), backend.stats.instances]).toEqual(['drawn', 1]);
      inline.sync.dispose();
    }
  });

  test('an entity beyond the capacity is a coded error', () => {
    const scene = new Scene();
    const hierarchy = new SceneHierarchy(scene, { capacity: 2 });
    scene.createEntity(Transform);
    scene.createEntity(Transform);
    expect(() => scene.createEntity(Transform)).toThrow(
      expect.objectContaining({ code: 'render-sync/tree-full' }),
    );
    hierarchy.dispose();
  });
});
