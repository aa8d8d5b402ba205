import { ManualClock } from '@ecliptic/core';
import { createEngine, headlessPlatform } from '@ecliptic/engine';
import { ecs, RENDER_SYNC, renderSync, SCENE } from '@ecliptic/engine/plugins';
import { Mesh, Name, Transform } from '@ecliptic/ecs/components';
import { NullBackend } from '@ecliptic/render-sync';
import { expect, test } from 'vitest';
import { captureScene } from '../src/index.js';
import { EDITOR_SESSION, editing } from '../src/plugin.js';
import { uuidOf } from './support.js';

test('in an engine, edits run between frames, and a scene that comes or comes back is drawn', async () => {
  const clock = new ManualClock();
  const target = { width: 640, height: 480, pixelRatio: 1 };
  const engine = createEngine({
    platform: headlessPlatform(),
    clock,
    plugins: [ecs(), renderSync({ backend: new NullBackend(), target }), editing({ clock })],
  });
  await engine.initialize();
  const scene = engine.get(SCENE);
  const sync = engine.get(RENDER_SYNC);
  const session = engine.get(EDITOR_SESSION);
  const frame = async (): Promise<void> => {
    clock.advance(16_666_667);
    await engine.runFrame();
  };
  for (const component of [Mesh, Name, Transform]) scene.registerComponent(component);
  const create = (n: number): Promise<void> =>
    session.submit(() =>
      session.edit({
        label: 'Create',
        edits: [
          {
            kind: 'create',
            entity: uuidOf(n),
            components: { Mesh: { meshUuid: uuidOf(90) }, Transform: {} },
          },
        ],
      }),
    );
  const created = create(1);
  expect(scene.entityCount).toBe(0);
  await frame();
  await created;
  expect(sync.bindings.size).toBe(1);
  const document = captureScene(scene);

  // Play mode: another one comes, the first goes.
  session.play();
  const spawned = create(2);
  await frame();
  await spawned;
  scene.destroyEntity(session.entityOf(uuidOf(1)));
  await frame();
  expect(sync.bindings.size).toBe(1);
  const before = sync.epochs.capture('scene');
  session.stop();
  expect(before.isCurrent).toBe(false);
  await frame();
  expect(session.entityOf(uuidOf(2))).toBe(0);
  expect(sync.bindings.size).toBe(1);
  const drawn = (): number => sync.bindings.instanceOf(session.entityOf(uuidOf(1)));
  expect(sync.renderScene.instance(drawn())?.meshUuid).toBe(uuidOf(90));

  // Loaded from a document, with the time that loading took not simulated.
  const steps = engine.time.stepCount;
  session.load(document);
  clock.advance(10_000_000_000);
  await engine.runFrame();
  expect(engine.time.stepCount - steps).toBeLessThan(2);
  expect(sync.bindings.size).toBe(1);
  expect(sync.renderScene.instance(drawn())?.meshUuid).toBe(uuidOf(90));
  await engine.shutdown();
});
