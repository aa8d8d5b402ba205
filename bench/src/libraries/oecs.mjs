import { ECS, SCHEDULE } from '@oasys/oecs';
import {
  CREATED,
  CROWD_ENTITIES,
  CROWD_KINDS,
  FRAGMENT,
  GROUP,
  LETTERS,
  crowdOf,
  sum,
} from '../workloads.mjs';

const scalar = (world, kind = 'f32') => world.register_component({ value: kind });
const vector = (world) => world.register_component({ x: 'f32', y: 'f32', z: 'f32' });

function spawn(world, count, ...defsAndValues) {
  const entries = defsAndValues.map(([def, value]) => ({ def, values: { value } }));
  for (let n = 0; n < count; n++) world.add_components(world.create_entity(), entries);
}

/** A world whose systems run in `update`; each is (components, function of query and context). */
function start(world, ...systems) {
  for (const [defs, fn] of systems) {
    world.add_systems(
      SCHEDULE.UPDATE,
      world.register_system(fn, (qb) => qb.every(...defs)),
    );
  }
  world.startup();
}

function total(world, def, field = 'value') {
  let result = 0;
  world.query(def).for_each((arch) => {
    result += sum(arch.get_column(def, field), arch.entity_count);
  });
  return result;
}

function move(entities) {
  const world = new ECS({ initial_capacity: entities });
  const P = vector(world);
  const V = vector(world);
  const entries = [
    { def: P, values: { x: 0, y: 0, z: 0 } },
    { def: V, values: { x: 1, y: 2, z: 3 } },
  ];
  for (let n = 0; n < entities; n++) world.add_components(world.create_entity(), entries);
  start(world, [
    [P, V],
    (q, ctx) => {
      q.for_each((arch) => {
        const px = arch.get_column_mut(P, 'x', ctx.world_tick);
        const py = arch.get_column_mut(P, 'y', ctx.world_tick);
        const pz = arch.get_column_mut(P, 'z', ctx.world_tick);
        const vx = arch.get_column(V, 'x');
        const vy = arch.get_column(V, 'y');
        const vz = arch.get_column(V, 'z');
        for (let i = 0, n = arch.entity_count; i < n; i++) {
          px[i] += vx[i];
          py[i] += vy[i];
          pz[i] += vz[i];
        }
      });
    },
  ]);
  return {
    run: () => world.update(0),
    checksum: () => ['x', 'y', 'z'].map((field) => total(world, P, field)),
  };
}

export default {
  label: '@oasys/oecs',
  crowd() {
    const world = new ECS();
    const defs = Array.from({ length: 20 }, (_, k) =>
      scalar(world, CROWD_KINDS[k % CROWD_KINDS.length]),
    );
    const systems = crowdOf(
      ['A', 'B'],
      `return (q, ctx) => {
        q.for_each((arch) => {
          const a = arch.get_column_mut(A, 'value', ctx.world_tick);
          const b = arch.get_column(B, 'value');
          for (let i = 0; i < arch.entity_count; i++) a[i] = a[i] + b[i] * $c;
        });
      };`,
      (k, next) => {
        spawn(world, CROWD_ENTITIES, [defs[k], k], [defs[next], 1]);
        return [defs[k], defs[next]];
      },
    );
    start(world, ...systems.map((fn, k) => [[defs[k], defs[(k + 1) % 20]], fn]));
    return () => world.update(0);
  },
  workloads: {
    packed_5() {
      const world = new ECS({ initial_capacity: GROUP });
      const [A, B, C, D, E] = Array.from({ length: 5 }, () => scalar(world));
      const all = [A, B, C, D, E];
      spawn(world, GROUP, ...all.map((def, i) => [def, i + 1]));
      start(
        world,
        [
          [A],
          (q, ctx) =>
            q.for_each((arch) => {
              const v = arch.get_column_mut(A, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) v[i] *= 2;
            }),
        ],
        [
          [B],
          (q, ctx) =>
            q.for_each((arch) => {
              const v = arch.get_column_mut(B, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) v[i] *= 2;
            }),
        ],
        [
          [C],
          (q, ctx) =>
            q.for_each((arch) => {
              const v = arch.get_column_mut(C, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) v[i] *= 2;
            }),
        ],
        [
          [D],
          (q, ctx) =>
            q.for_each((arch) => {
              const v = arch.get_column_mut(D, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) v[i] *= 2;
            }),
        ],
        [
          [E],
          (q, ctx) =>
            q.for_each((arch) => {
              const v = arch.get_column_mut(E, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) v[i] *= 2;
            }),
        ],
      );
      return { run: () => world.update(0), checksum: () => all.map((def) => total(world, def)) };
    },
    simple_iter() {
      const world = new ECS({ initial_capacity: GROUP });
      const [A, B, C, D, E] = Array.from({ length: 5 }, () => scalar(world));
      spawn(world, GROUP, [A, 1], [B, 2]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [D, 4]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [E, 5]);
      start(
        world,
        [
          [A, B],
          (q, ctx) =>
            q.for_each((arch) => {
              const a = arch.get_column_mut(A, 'value', ctx.world_tick);
              const b = arch.get_column_mut(B, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) {
                const x = a[i];
                a[i] = b[i];
                b[i] = x;
              }
            }),
        ],
        [
          [C, D],
          (q, ctx) =>
            q.for_each((arch) => {
              const c = arch.get_column_mut(C, 'value', ctx.world_tick);
              const d = arch.get_column_mut(D, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) {
                const x = c[i];
                c[i] = d[i];
                d[i] = x;
              }
            }),
        ],
        [
          [C, E],
          (q, ctx) =>
            q.for_each((arch) => {
              const c = arch.get_column_mut(C, 'value', ctx.world_tick);
              const e = arch.get_column_mut(E, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) {
                const x = c[i];
                c[i] = e[i];
                e[i] = x;
              }
            }),
        ],
      );
      return {
        run: () => world.update(0),
        checksum: () => [A, B, C, D, E].map((def) => total(world, def)),
      };
    },
    frag_iter() {
      const world = new ECS({ initial_capacity: FRAGMENT });
      const letters = LETTERS.map(() => scalar(world));
      const Data = scalar(world);
      for (const letter of letters) spawn(world, FRAGMENT, [letter, 1], [Data, 1]);
      const Z = letters[25];
      start(
        world,
        [
          [Data],
          (q, ctx) =>
            q.for_each((arch) => {
              const v = arch.get_column_mut(Data, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) v[i] *= 2;
            }),
        ],
        [
          [Z],
          (q, ctx) =>
            q.for_each((arch) => {
              const v = arch.get_column_mut(Z, 'value', ctx.world_tick);
              for (let i = 0, n = arch.entity_count; i < n; i++) v[i] *= 2;
            }),
        ],
      );
      return {
        run: () => world.update(0),
        checksum: () => [Data, Z, letters[0]].map((def) => total(world, def)),
      };
    },
    entity_cycle() {
      const world = new ECS({ initial_capacity: GROUP });
      const A = scalar(world);
      const B = scalar(world);
      spawn(world, GROUP, [A, 1]);
      let destroyed = 0;
      start(
        world,
        [
          [A],
          (q, ctx) =>
            q.for_each((arch) => {
              const a = arch.get_column(A, 'value');
              for (let i = 0, n = arch.entity_count; i < n; i++) {
                ctx.add_component(ctx.create_entity(), B, { value: a[i] });
              }
              ctx.flush();
            }),
        ],
        [
          [B],
          (q, ctx) => {
            q.for_each((arch) => {
              const ids = arch.entity_ids;
              for (let i = 0, n = arch.entity_count; i < n; i++) {
                ctx.destroy_entity(ids[i]);
                destroyed++;
              }
            });
          },
        ],
      );
      return {
        run: () => world.update(0),
        checksum: () => [world.query(A).count(), world.query(B).count(), destroyed],
      };
    },
    add_remove() {
      const world = new ECS({ initial_capacity: GROUP });
      const A = scalar(world);
      const B = scalar(world);
      spawn(world, GROUP, [A, 1]);
      const values = { value: 2 };
      let before = 0;
      let between = 0;
      start(
        world,
        [
          [A],
          (q, ctx) => {
            before = q.count();
            q.for_each((arch) => {
              const ids = arch.entity_ids;
              for (let i = 0, n = arch.entity_count; i < n; i++)
                ctx.add_component(ids[i], B, values);
            });
            ctx.flush();
          },
        ],
        [
          [B],
          (q, ctx) => {
            between = q.count();
            q.for_each((arch) => {
              const ids = arch.entity_ids;
              for (let i = 0, n = arch.entity_count; i < n; i++) ctx.remove_component(ids[i], B);
            });
          },
        ],
      );
      return {
        run: () => world.update(0),
        checksum: () => [before, between, world.query(B).count()],
      };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let world, P, V;
      return {
        prepare() {
          world = new ECS({ initial_capacity: CREATED });
          P = vector(world);
          V = vector(world);
          world.query(P, V);
        },
        run() {
          for (let n = 0; n < CREATED; n++) {
            world.add_components(world.create_entity(), [
              { def: P, values: { x: n, y: 0, z: 0 } },
              { def: V, values: { x: 1, y: 1, z: 1 } },
            ]);
          }
        },
        checksum: () => [world.query(P, V).count(), total(world, P, 'x'), total(world, V, 'x')],
      };
    },
  },
};
