// A small engine, the same for Node and browsers: an actor, bare entities, two systems, commands, a scene file, and a task on a worker.
import { Actor } from '@ecliptic/actors';
import { captureScene, EditorSession, formatScene, parseScene } from '@ecliptic/authoring';
import { createUuid } from '@ecliptic/core';
import { createTaskPool } from '@ecliptic/core/pool';
import { defineComponent, query, read, Scene, vec3, write } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { createEngine, headlessPlatform } from '@ecliptic/engine';
import {
  ACTORS,
  actors,
  COMMANDS,
  ecs,
  SCENE,
  scheduler,
  WORLD_TICK,
} from '@ecliptic/engine/plugins';
import { defineSystem } from '@ecliptic/scheduler';

const Velocity = defineComponent('Velocity', { linear: vec3() });

const move = defineSystem({
  name: 'consumer.move',
  queries: { movers: query(write(Transform), read(Velocity)) },
  update({ movers }, { dt }) {
    movers.each((row, transform, velocity) => {
      for (let i = row * 3; i < row * 3 + 3; i++) transform.position[i] += velocity.linear[i] * dt;
    });
  },
});

class Player extends Actor {
  ticks = 0;
  onCreate() {
    this.addComponent(Transform);
    this.addComponent(Velocity, { linear: [60, 0, 0] });
  }
  onTick() {
    this.ticks++;
  }
}

/** How many entities a scene file has, of a scene that was edited. */
function saved() {
  const scene = new Scene();
  const session = new EditorSession(scene);
  const edits = [{ kind: 'create', entity: createUuid(), components: {} }];
  session.edit({ label: 'Create', edits });
  return parseScene(formatScene(captureScene(scene))).entities.length;
}

/**
 * Runs it for a simulated second.
 *
 * @param worker - as `createTaskPool` takes it
 * @returns what was seen, or throws
 */
export async function play(worker) {
  let now = 0;
  const clock = {
    now: () => now,
    schedule: (delay, callback) => {
      const timer = setTimeout(() => callback(), delay / 1e6);
      return () => clearTimeout(timer);
    },
  };
  const engine = createEngine({
    platform: headlessPlatform(),
    clock,
    plugins: [
      ecs(),
      scheduler(),
      actors(),
      { id: 'consumer', initialize: ({ get }) => void get(WORLD_TICK).registerSystem(move) },
    ],
  });
  await engine.initialize();
  const scene = engine.get(SCENE);
  const player = engine.get(ACTORS).create(Player);
  for (let i = 0; i < 100; i++) scene.createEntity(Transform, [Velocity, { linear: [0, i, 0] }]);
  const spawned = engine.get(COMMANDS).createEntity();
  engine.get(COMMANDS).addComponent(spawned, Transform);
  for (let frame = 0; frame <= 60; frame++) {
    now = Math.round((frame * 1e9) / 60);
    await engine.runFrame();
  }
  const actor = engine.get(ACTORS).access(player);
  const x = actor.getComponent(Transform).position.x;
  const seen = { ticks: actor.ticks, x: Math.round(x * 1000) / 1000, entities: scene.entityCount };
  seen.saved = saved();
  await engine.shutdown();

  const pool = createTaskPool({ name: 'consumer', size: 1, worker });
  seen.doubled = await pool.run('double', 21);
  await pool.close();
  const expected = { ticks: 60, x: 60, entities: 102, saved: 1, doubled: 42 };
  if (JSON.stringify(seen) !== JSON.stringify(expected)) {
    throw new Error(`saw ${JSON.stringify(seen)}, expected ${JSON.stringify(expected)}`);
  }
  return seen;
}
