import { ManualClock } from '@ecliptic/core';
import { Commands, query, read, Scene, write } from '@ecliptic/ecs';
import { Camera, Light, Mesh, Name, Transform } from '@ecliptic/ecs/components';
import { defineSystem, WorldTick } from '@ecliptic/scheduler';
import { describe, expect, test } from 'vitest';
import { createInlineRender, RENDER_SYSTEMS } from '../src/index.js';
import { RecordingBackend, STEP } from './fixtures/inline-scene.js';
import { triangle, uuid } from './fixtures/triangle.js';

/** Systems, renderer and the order of a frame as the engine has it. */
async function world() {
  const scene = new Scene();
  const clock = new ManualClock();
  const backend = new RecordingBackend();
  const { sync, loop } = createInlineRender({
    scene,
    clock,
    backend,
    budget: { instances: 64, lights: 4, cameras: 4 },
  });
  await loop.initialize();
  sync.setTarget({ width: 8, height: 8, pixelRatio: 1 });
  sync.outbox.post({ kind: 'mesh', uuid: uuid(1), mesh: triangle });
  const worldTick = new WorldTick(scene);
  const commands = new Commands(scene);
  const order: string[] = [];
  let fail = false;
  worldTick.registerSystem(
    defineSystem({
      name: 'game.move',
      phase: 'physics',
      queries: { movers: query(write(Transform)) },
      update: ({ movers }) => {
        if (fail) throw new Error('stumbled');
        order.push('systems');
        movers.each((row, { position }) => {
          position[row * 3] = (position[row * 3] as number) + 1;
        });
      },
    }),
  );
  for (const system of sync.systems()) worldTick.registerSystem(system);
  worldTick.commit();
  let tick = 0;
  return {
    scene,
    backend,
    sync,
    order,
    setFailing: (value: boolean): void => void (fail = value),
    /** One fixed step, as the engine runs it; a step that throws is not counted. */
    step: (actors: () => void = () => {}): void => {
      void worldTick.tick(STEP / 1e9, commands);
      commands.flush();
      order.push('flush');
      actors();
      order.push('actors');
      scene.snapshotTransforms();
      order.push('snapshot');
      tick++;
    },
    frame: (alpha: number): void => {
      void worldTick.tickFrame(1 / 60, commands);
      sync.publish({ tick, tickTime: 0, stepDuration: STEP, alpha, frameTime: clock.now() });
      loop.runOnce();
    },
  };
}

describe('the systems of render-sync', () => {
  test('commit beside a game’s systems, without conflicts, and sync each frame', async () => {
    const { scene, backend, step, frame } = await world();
    scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1) }], [Name, { value: 'ball' }]);
    scene.createEntity(Transform, Light);
    const camera = scene.createEntity(Transform, [Camera, { isMain: true }]);
    step();
    step();
    frame(0.5);
    expect(backend.x('ball')).toBe(1.5);
    expect(backend.stats.lights).toBe(1);
    expect(backend.seen.at(-1)?.camera).toBe(camera);
  });

  test('what actors do after the systems is in the same step’s presentation: systems → flush → actors → snapshot (45)', async () => {
    const { scene, backend, step, frame, order } = await world();
    const ball = scene.createEntity(
      Transform,
      [Mesh, { meshUuid: uuid(1) }],
      [Name, { value: 'ball' }],
    );
    step();
    step(() => {
      const transform = scene.getComponent(ball, Transform);
      if (transform) transform.position.x += 100;
    });
    expect(order).toEqual([
      'systems',
      'flush',
      'actors',
      'snapshot',
      'systems',
      'flush',
      'actors',
      'snapshot',
    ]);
    frame(1);
    expect(backend.x('ball')).toBe(102);
    frame(0);
    expect(backend.x('ball')).toBe(1);
  });

  test('a step that throws is not snapshotted: the last good pair stays on screen (48)', async () => {
    const { scene, backend, step, frame, setFailing } = await world();
    scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1) }], [Name, { value: 'ball' }]);
    step();
    step();
    setFailing(true);
    expect(() => step()).toThrow(/stumbled|game\.move/);
    frame(0.5);
    expect(backend.x('ball')).toBe(1.5);
    setFailing(false);
    step();
    frame(0.5);
    expect(backend.x('ball')).toBe(2.5);
  });

  test('Transform.world is right after the step, and only what moved is computed', async () => {
    const scene = new Scene();
    const { sync } = createInlineRender({
      scene,
      clock: new ManualClock(),
      backend: new RecordingBackend(),
      budget: { instances: 8 },
    });
    const still = scene.createEntity(Transform);
    const mover = scene.createEntity(Transform);
    const worlds = scene.query(read(Transform));
    sync.hierarchy.updateWorld();
    scene.setComponent(mover, Transform, { position: [4, 0, 0] });
    expect(sync.hierarchy.updateWorld()).toBe(1);
    const at = new Map<number, number>();
    for (const table of worlds.tables()) {
      for (let row = 0; row < table.count; row++) {
        at.set(table.entities[row] as number, table.column(Transform).world[row * 16 + 12] ?? NaN);
      }
    }
    expect([at.get(still), at.get(mover)]).toEqual([0, 4]);
  });

  test('have names that others can be ordered by', () => {
    expect(Object.values(RENDER_SYSTEMS)).toEqual([
      'ecliptic.animation',
      'ecliptic.hierarchy',
      'ecliptic.transformSync',
      'ecliptic.lightSync',
      'ecliptic.cameraSync',
      'ecliptic.deformSync',
    ]);
  });
});
