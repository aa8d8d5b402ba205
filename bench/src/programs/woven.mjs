import {
  World,
  addComponent,
  createEntity,
  defineComponent,
  defineQuery,
  field,
} from '@woven-ecs/core';

const fields = () => ({ x: field.float32().default(0), y: field.float32().default(0) });
const Position = defineComponent(fields());
const Velocity = defineComponent(fields());
const moving = defineQuery((q) => q.with(Position, Velocity));

export async function run() {
  const world = new World([Position, Velocity], { threads: 1 });
  const result = [];
  await world.execute((ctx) => {
    const entity = createEntity(ctx);
    addComponent(ctx, entity, Position, { x: 1, y: 0 });
    addComponent(ctx, entity, Velocity, { x: 2, y: 3 });
  });
  await world.execute((ctx) => {
    for (const eid of moving.current(ctx)) {
      const position = Position.write(ctx, eid);
      const velocity = Velocity.read(ctx, eid);
      position.x += velocity.x;
      position.y += velocity.y;
      result.push(position.x, position.y);
    }
  });
  return result;
}
