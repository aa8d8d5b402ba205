import { ECS, SCHEDULE } from '@oasys/oecs';

export function run() {
  const world = new ECS();
  const Position = world.register_component({ x: 'f32', y: 'f32' });
  const Velocity = world.register_component({ x: 'f32', y: 'f32' });
  world.add_components(world.create_entity(), [
    { def: Position, values: { x: 1, y: 0 } },
    { def: Velocity, values: { x: 2, y: 3 } },
  ]);
  const result = [];
  const move = (q, ctx) => {
    q.for_each((arch) => {
      const px = arch.get_column_mut(Position, 'x', ctx.world_tick);
      const py = arch.get_column_mut(Position, 'y', ctx.world_tick);
      const vx = arch.get_column(Velocity, 'x');
      const vy = arch.get_column(Velocity, 'y');
      for (let i = 0; i < arch.entity_count; i++) {
        px[i] += vx[i];
        py[i] += vy[i];
      }
      result.push(px[0], py[0]);
    });
  };
  world.add_systems(
    SCHEDULE.UPDATE,
    world.register_system(move, (qb) => qb.every(Position, Velocity)),
  );
  world.startup();
  world.update(0);
  return result;
}
