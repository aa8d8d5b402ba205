import { Query, Schedule, World, applyCommands } from 'thyseus';

class Vector {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }
}
class Position extends Vector {}
class Velocity extends Vector {}
class Update extends Schedule {}

export async function run() {
  const world = new World();
  const position = new Position(1, 0);
  world.commands.spawn().add(position).add(new Velocity(2, 3));
  const move = (query) => {
    for (const [p, v] of query) {
      p.x += v.x;
      p.y += v.y;
    }
  };
  // What the compiler plugin writes.
  move.getSystemArguments = (of) => [Query.intoArgument(of, [Position, Velocity])];
  world.addSystems(Update, [move]);
  await world.prepare();
  applyCommands(world);
  await world.runSchedule(Update);
  return [position.x, position.y];
}
