import { Scene, defineComponent, f32, read, write } from '@ecliptic/ecs';

const Position = defineComponent('Position', { x: f32(), y: f32() });
const Velocity = defineComponent('Velocity', { x: f32(), y: f32() });

export function run() {
  const scene = new Scene();
  const entity = scene.createEntity([Position, { x: 1 }], [Velocity, { x: 2, y: 3 }]);
  scene.query(write(Position), read(Velocity)).each((row, position, velocity) => {
    position.x[row] += velocity.x[row];
    position.y[row] += velocity.y[row];
  });
  const { x, y } = scene.getComponent(entity, Position);
  return [x, y];
}
