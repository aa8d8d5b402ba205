import { Types, World, createComponent, createSystem } from 'elics';

const fields = {
  x: { type: Types.Float32, default: 0 },
  y: { type: Types.Float32, default: 0 },
};
const Position = createComponent('Position', fields);
const Velocity = createComponent('Velocity', fields);

class Move extends createSystem({ moving: { required: [Position, Velocity] } }) {
  update() {
    for (const { index } of this.queries.moving.entities) {
      Position.data.x[index] += Velocity.data.x[index];
      Position.data.y[index] += Velocity.data.y[index];
    }
  }
}

export function run() {
  const world = new World();
  world.registerComponent(Position).registerComponent(Velocity).registerSystem(Move);
  const { index } = world
    .createEntity()
    .addComponent(Position, { x: 1 })
    .addComponent(Velocity, { x: 2, y: 3 });
  world.update(0, 0);
  return [Position.data.x[index], Position.data.y[index]];
}
