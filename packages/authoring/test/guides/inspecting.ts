import { editing, inspection } from '@ecliptic/authoring/plugin';
import { inspectorServer } from '@ecliptic/authoring/node';
import { defineComponent, f32, query, write } from '@ecliptic/ecs';
import { Name } from '@ecliptic/ecs/components';
import { createEngine, type EnginePlugin } from '@ecliptic/engine';
import { nodePlatform } from '@ecliptic/engine/node';
import { ecs, SCENE, scheduler, WORLD_TICK } from '@ecliptic/engine/plugins';
import { defineSystem } from '@ecliptic/scheduler';

const Orbit = defineComponent('Orbit', { angle: f32(), speed: f32({ default: 1, min: 0 }) });
const orbiting = defineSystem({
  name: 'orbit',
  queries: { planets: query(write(Orbit)) },
  update({ planets }, { dt }) {
    planets.forEach((_, orbit) => {
      orbit.angle += orbit.speed * dt;
    });
  },
});

const game: EnginePlugin = {
  id: 'game',
  requires: ['ecliptic.ecs'],
  initialize({ get }) {
    get(WORLD_TICK).registerSystem(orbiting);
    const scene = get(SCENE);
    const sun = scene.createEntity([Name, { value: 'Sun' }]);
    scene.setParent(scene.createEntity([Name, { value: 'Red planet' }], Orbit), sun);
  },
};

const engine = createEngine({
  platform: nodePlatform(),
  plugins: [
    ecs(),
    scheduler(),
    game,
    editing(),
    inspection(),
    inspectorServer({ onListening: (endpoint) => console.error(endpoint) }),
  ],
});
await engine.initialize();
await engine.run(); // until Ctrl+C
await engine.shutdown();
