import {
  World,
  addComponent,
  createEntity,
  defineComponent,
  defineQuery,
  defineSystem,
  field,
  removeComponent,
  removeEntity,
} from '@woven-ecs/core';
import {
  CREATED,
  CROWD_ENTITIES,
  CROWD_KINDS,
  FRAGMENT,
  GROUP,
  LETTERS,
  crowdOf,
} from '../workloads.mjs';

const KINDS = {
  f32: () => field.float32(),
  f64: () => field.float64(),
  i32: () => field.int32(),
  u8: () => field.uint8(),
  i16: () => field.int16(),
  u32: () => field.uint32(),
};
const scalar = (kind = 'f32') => defineComponent({ value: KINDS[kind]().default(0) });
const axis = () => field.float32().default(0);
const vector = () => defineComponent({ x: axis(), y: axis(), z: axis() });

const makeWorld = (components, maxEntities) => new World(components, { maxEntities, threads: 1 });
const having = (...components) => defineQuery((q) => q.with(...components));

/** Runs `fill` once, as a function: a system that no longer runs would keep removed ids from being used again. */
const inWorld = (world, fill) => world.execute(fill);

function spawn(ctx, count, ...componentsAndValues) {
  for (let n = 0; n < count; n++) {
    const eid = createEntity(ctx);
    for (const [component, value] of componentsAndValues)
      addComponent(ctx, eid, component, { value });
  }
}

/** Reads totals of one field in the next execution. */
async function totals(world, pairs) {
  const result = [];
  await inWorld(world, (ctx) => {
    for (const [component, name] of pairs) {
      let total = 0;
      for (const eid of having(component).current(ctx)) total += component.read(ctx, eid)[name];
      result.push(total);
    }
  });
  return result;
}

const values = (world, components) =>
  totals(
    world,
    components.map((component) => [component, 'value']),
  );

async function counts(world, ...components) {
  const result = [];
  await inWorld(world, (ctx) => {
    for (const component of components) result.push(having(component).current(ctx).length);
  });
  return result;
}

async function move(entities) {
  const P = vector();
  const V = vector();
  const world = makeWorld([P, V], entities);
  await inWorld(world, (ctx) => {
    for (let n = 0; n < entities; n++) {
      const eid = createEntity(ctx);
      addComponent(ctx, eid, P);
      addComponent(ctx, eid, V, { x: 1, y: 2, z: 3 });
    }
  });
  const moving = having(P, V);
  const integrate = defineSystem((ctx) => {
    for (const eid of moving.current(ctx)) {
      const p = P.write(ctx, eid);
      const v = V.read(ctx, eid);
      p.x += v.x;
      p.y += v.y;
      p.z += v.z;
    }
  });
  return {
    run: () => world.execute(integrate),
    checksum: () =>
      totals(
        world,
        ['x', 'y', 'z'].map((name) => [P, name]),
      ),
  };
}

export default {
  label: '@woven-ecs/core',
  async crowd() {
    const components = Array.from({ length: 20 }, (_, k) =>
      scalar(CROWD_KINDS[k % CROWD_KINDS.length]),
    );
    const world = makeWorld(components, 21 * CROWD_ENTITIES);
    await inWorld(world, (ctx) => {
      components.forEach((component, k) => {
        spawn(ctx, CROWD_ENTITIES, [component, k], [components[(k + 1) % 20], 1]);
      });
    });
    const systems = crowdOf(
      ['defineSystem', 'query', 'A', 'B'],
      `return defineSystem((ctx) => {
        for (const eid of query.current(ctx)) { const a = A.write(ctx, eid); a.value = a.value + B.read(ctx, eid).value * $c; }
      });`,
      (k, next) => [
        defineSystem,
        having(components[k], components[next]),
        components[k],
        components[next],
      ],
    );
    return () => world.execute(...systems);
  },
  workloads: {
    async packed_5() {
      const components = Array.from({ length: 5 }, () => scalar());
      const [A, B, C, D, E] = components;
      const world = makeWorld(components, GROUP);
      await inWorld(world, (ctx) => spawn(ctx, GROUP, ...components.map((c, i) => [c, i + 1])));
      const [qa, qb, qc, qd, qe] = components.map((component) => having(component));
      const systems = [
        defineSystem((ctx) => {
          for (const eid of qa.current(ctx)) A.write(ctx, eid).value *= 2;
        }),
        defineSystem((ctx) => {
          for (const eid of qb.current(ctx)) B.write(ctx, eid).value *= 2;
        }),
        defineSystem((ctx) => {
          for (const eid of qc.current(ctx)) C.write(ctx, eid).value *= 2;
        }),
        defineSystem((ctx) => {
          for (const eid of qd.current(ctx)) D.write(ctx, eid).value *= 2;
        }),
        defineSystem((ctx) => {
          for (const eid of qe.current(ctx)) E.write(ctx, eid).value *= 2;
        }),
      ];
      return { run: () => world.execute(...systems), checksum: () => values(world, components) };
    },
    async simple_iter() {
      const components = Array.from({ length: 5 }, () => scalar());
      const [A, B, C, D, E] = components;
      const world = makeWorld(components, 4 * GROUP);
      await inWorld(world, (ctx) => {
        spawn(ctx, GROUP, [A, 1], [B, 2]);
        spawn(ctx, GROUP, [A, 1], [B, 2], [C, 3]);
        spawn(ctx, GROUP, [A, 1], [B, 2], [C, 3], [D, 4]);
        spawn(ctx, GROUP, [A, 1], [B, 2], [C, 3], [E, 5]);
      });
      const ab = having(A, B),
        cd = having(C, D),
        ce = having(C, E);
      const systems = [
        defineSystem((ctx) => {
          for (const eid of ab.current(ctx)) {
            const a = A.write(ctx, eid),
              b = B.write(ctx, eid);
            const x = a.value;
            a.value = b.value;
            b.value = x;
          }
        }),
        defineSystem((ctx) => {
          for (const eid of cd.current(ctx)) {
            const c = C.write(ctx, eid),
              d = D.write(ctx, eid);
            const x = c.value;
            c.value = d.value;
            d.value = x;
          }
        }),
        defineSystem((ctx) => {
          for (const eid of ce.current(ctx)) {
            const c = C.write(ctx, eid),
              e = E.write(ctx, eid);
            const x = c.value;
            c.value = e.value;
            e.value = x;
          }
        }),
      ];
      return { run: () => world.execute(...systems), checksum: () => values(world, components) };
    },
    async frag_iter() {
      const letters = LETTERS.map(() => scalar());
      const Data = scalar();
      const world = makeWorld([...letters, Data], LETTERS.length * FRAGMENT);
      await inWorld(world, (ctx) => {
        for (const letter of letters) spawn(ctx, FRAGMENT, [letter, 1], [Data, 1]);
      });
      const Z = letters[25];
      const qd = having(Data),
        qz = having(Z);
      const systems = [
        defineSystem((ctx) => {
          for (const eid of qd.current(ctx)) Data.write(ctx, eid).value *= 2;
        }),
        defineSystem((ctx) => {
          for (const eid of qz.current(ctx)) Z.write(ctx, eid).value *= 2;
        }),
      ];
      return {
        run: () => world.execute(...systems),
        checksum: () => values(world, [Data, Z, letters[0]]),
      };
    },
    async entity_cycle() {
      const A = scalar();
      const B = scalar();
      const world = makeWorld([A, B], 8 * GROUP);
      await inWorld(world, (ctx) => spawn(ctx, GROUP, [A, 1]));
      const qa = having(A),
        qb = having(B);
      let destroyed = 0;
      // ids of removed entities come back after some executions: room for eight thousand
      const birth = defineSystem((ctx) => {
        for (const eid of qa.current(ctx)) {
          addComponent(ctx, createEntity(ctx), B, { value: A.read(ctx, eid).value });
        }
      });
      const death = defineSystem((ctx) => {
        for (const eid of qb.current(ctx)) {
          removeEntity(ctx, eid);
          destroyed++;
        }
      });
      return {
        // a system sees what was done before its execution began: two executions
        async run() {
          await world.execute(birth);
          await world.execute(death);
        },
        checksum: async () => [...(await counts(world, A, B)), destroyed],
      };
    },
    async add_remove() {
      const A = scalar();
      const B = scalar();
      const world = makeWorld([A, B], GROUP);
      await inWorld(world, (ctx) => spawn(ctx, GROUP, [A, 1]));
      const qa = having(A),
        qb = having(B);
      let most = 0;
      const add = defineSystem((ctx) => {
        for (const eid of qa.current(ctx)) addComponent(ctx, eid, B, { value: 2 });
      });
      const remove = defineSystem((ctx) => {
        const list = qb.current(ctx);
        most = Math.max(most, list.length);
        for (const eid of list) removeComponent(ctx, eid, B);
      });
      return {
        async run() {
          await world.execute(add);
          await world.execute(remove);
        },
        async checksum() {
          const [withA, withB] = await counts(world, A, B);
          return [withA, most, withB];
        },
      };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let world, P, V, fill;
      return {
        async prepare() {
          world?.dispose();
          P = vector();
          V = vector();
          world = makeWorld([P, V], CREATED);
          const moving = having(P, V);
          fill = defineSystem((ctx) => {
            for (let n = 0; n < CREATED; n++) {
              const eid = createEntity(ctx);
              addComponent(ctx, eid, P, { x: n, y: 0, z: 0 });
              addComponent(ctx, eid, V, { x: 1, y: 1, z: 1 });
            }
          });
          await inWorld(world, (ctx) => void moving.current(ctx));
        },
        run: () => world.execute(fill),
        async checksum() {
          const [entities] = await counts(world, P);
          return [
            entities,
            ...(await totals(world, [
              [P, 'x'],
              [V, 'x'],
            ])),
          ];
        },
      };
    },
  },
};
