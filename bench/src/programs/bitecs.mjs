import { addComponents, addEntity, createWorld, query } from 'bitecs';

const Position = { x: new Float32Array(1_000), y: new Float32Array(1_000) };
const Velocity = { x: new Float32Array(1_000), y: new Float32Array(1_000) };

export function run() {
  const world = createWorld();
  const entity = addEntity(world);
  addComponents(world, entity, Position, Velocity);
  Position.x[entity] = 1;
  Velocity.x[entity] = 2;
  Velocity.y[entity] = 3;
  for (const eid of query(world, [Position, Velocity])) {
    Position.x[eid] += Velocity.x[eid];
    Position.y[eid] += Velocity.y[eid];
  }
  return [Position.x[entity], Position.y[entity]];
}
