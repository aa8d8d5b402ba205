import { World } from 'miniplex';

export function run() {
  const world = new World();
  const entity = world.add({ position: { x: 1, y: 0 }, velocity: { x: 2, y: 3 } });
  for (const { position, velocity } of world.with('position', 'velocity')) {
    position.x += velocity.x;
    position.y += velocity.y;
  }
  return [entity.position.x, entity.position.y];
}
