import { World, createEntitySystem } from 'piecs';

export function run() {
  const world = new World();
  const Position = world.createComponentId();
  const Velocity = world.createComponentId();
  const positions = { x: new Float32Array(1_000), y: new Float32Array(1_000) };
  const velocities = { x: new Float32Array(1_000), y: new Float32Array(1_000) };
  const entity = world.createEntity(world.prefabricate([Position, Velocity]));
  positions.x[entity] = 1;
  velocities.x[entity] = 2;
  velocities.y[entity] = 3;
  world.registerSystem(
    createEntitySystem(
      (ids) => {
        for (const id of ids) {
          positions.x[id] += velocities.x[id];
          positions.y[id] += velocities.y[id];
        }
      },
      (q) => q.every(Position, Velocity),
    ),
  );
  world.initialize();
  world.update();
  return [positions.x[entity], positions.y[entity]];
}
