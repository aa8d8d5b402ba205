import { createEngine, headlessPlatform, type EnginePlugin } from '@ecliptic/engine';
import { ecs, SCENE, scheduler, WORLD_TICK } from '@ecliptic/engine/plugins';
import { defineComponent, f32, query, read, vec3, write } from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';

const Position = defineComponent('Position', { value: vec3() });
const Speed = defineComponent('Speed', { value: f32({ default: 1 }) });

const drift = defineSystem({
  name: 'game.drift',
  queries: { movers: query(write(Position), read(Speed)) },
  update({ movers }, { dt }) {
    movers.forEach((_entity, position, speed) => {
      position.value.x += speed.value * dt;
    });
  },
});

function game(): EnginePlugin {
  return {
    id: 'game',
    requires: ['ecliptic.ecs'],
    initialize({ get }) {
      get(WORLD_TICK).registerSystem(drift);
    },
    start({ get, frame, requestClose }) {
      const ship = get(SCENE).createEntity(Position, [Speed, { value: 2 }]);
      frame.on('update', 'look', () => {
        const position = get(SCENE).getComponent(ship, Position);
        if (position && position.value.x > 0.1) requestClose('the ship is far enough');
      });
    },
  };
}

const engine = createEngine({
  platform: headlessPlatform(),
  plugins: [ecs(), scheduler(), game()],
});
await engine.initialize();
await engine.run(); // until requestClose(), an AbortSignal, or the window closes
await engine.shutdown();
console.log(`${engine.time.stepCount} steps`);
