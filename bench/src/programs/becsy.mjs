import { System, Type, World } from '@lastolivegames/becsy/lib/perf.js';

class Position {
  static schema = { x: Type.float32, y: Type.float32 };
}
class Velocity {
  static schema = { x: Type.float32, y: Type.float32 };
}

export async function run() {
  const result = [];
  class Move extends System {
    #moving = this.query((q) => q.current.with(Position).write.with(Velocity).read);
    execute() {
      for (const entity of this.#moving.current) {
        const position = entity.write(Position);
        const velocity = entity.read(Velocity);
        position.x += velocity.x;
        position.y += velocity.y;
        result.push(position.x, position.y);
      }
    }
  }
  const world = await World.create({ defs: [Position, Velocity, Move], threads: 1 });
  world.createEntity(Position, { x: 1 }, Velocity, { x: 2, y: 3 });
  await world.execute();
  return result;
}
