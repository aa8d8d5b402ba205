import { createWorld, trait } from 'koota';

const Position = trait({ x: 0, y: 0 });
const Velocity = trait({ x: 0, y: 0 });

export function run() {
  const world = createWorld();
  const entity = world.spawn(Position({ x: 1 }), Velocity({ x: 2, y: 3 }));
  world.query(Position, Velocity).updateEach(([position, velocity]) => {
    position.x += velocity.x;
    position.y += velocity.y;
  });
  const { x, y } = entity.get(Position);
  return [x, y];
}
