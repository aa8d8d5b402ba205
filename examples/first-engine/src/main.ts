import { Actor } from '@ecliptic/actors';
import { defineComponent, query, read, vec3, write } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { createEngine, headlessPlatform, type EnginePlugin } from '@ecliptic/engine';
import { ACTORS, actors, ecs, SCENE, scheduler, WORLD_TICK } from '@ecliptic/engine/plugins';
import { defineSystem } from '@ecliptic/scheduler';

const Velocity = defineComponent('Velocity', { linear: vec3() });

const move = defineSystem({
  name: 'game.move',
  queries: { movers: query(write(Transform), read(Velocity)) },
  update({ movers }, { dt }) {
    movers.forEach((_entity, transform, velocity) => {
      transform.position.y += velocity.linear.y * dt;
    });
  },
});

/** One of a kind: a class with a life of its own, around an entity. */
class Rocket extends Actor {
  override onCreate(): void {
    this.addComponent(Transform);
    this.addComponent(Velocity, { linear: [0, 100, 0] });
  }
}

const game: EnginePlugin = {
  id: 'game',
  requires: ['ecliptic.ecs', 'ecliptic.worldTick', 'ecliptic.actors'],
  initialize: ({ get }) => void get(WORLD_TICK).registerSystem(move),
  start({ get, frame, requestClose }) {
    const rocket = get(ACTORS).create(Rocket);
    // A thousand sparks: bare entities, visited by the same system.
    for (let i = 0; i < 1_000; i++) {
      get(SCENE).createEntity(Transform, [Velocity, { linear: [0, i / 100, 0] }]);
    }
    frame.on('update', 'watch the rocket', () => {
      const height = get(ACTORS).access(rocket)?.getComponent(Transform)?.position.y ?? 0;
      if (height > 50) requestClose('the rocket is high enough');
    });
  },
};

const engine = createEngine({
  platform: headlessPlatform(),
  plugins: [ecs(), scheduler(), actors(), game],
});
await engine.initialize();
await engine.run(); // until requestClose(), an AbortSignal, or the window closes
await engine.shutdown();
console.log(`${engine.time.stepCount} steps of 1/60 s`);
