import { Commands, Entity, Query, Schedule, World, applyCommands } from 'thyseus';
import { CREATED, CROWD_ENTITIES, FRAGMENT, GROUP, LETTERS, crowdOf } from '../workloads.mjs';

// Components are objects in the columns of tables. A compiler plugin writes `getSystemArguments` for
// TypeScript systems; here it is written by hand.
const scalar = () =>
  class {
    constructor(value) {
      this.value = value;
    }
  };
const vector = () =>
  class {
    constructor(x = 0, y = 0, z = 0) {
      this.x = x;
      this.y = y;
      this.z = z;
    }
  };

/** `parameters` are lists of components (a query), or Commands. */
function system(fn, ...parameters) {
  fn.getSystemArguments = (world) =>
    parameters.map((parameter) =>
      parameter === Commands
        ? Commands.intoArgument(world)
        : Query.intoArgument(world, parameter.length === 1 ? parameter[0] : parameter),
    );
  return fn;
}

/**
 * `applyCommands` under another identity, for a schedule takes a system once. Twice, because the cursor
 * into the free list is set before the spawned entities leave it: without the second call the next
 * spawn fails in 0.17.0.
 */
const applyInBetween = () =>
  Object.assign(
    (world) => {
      applyCommands(world);
      applyCommands(world);
    },
    { getSystemArguments: (world) => [world] },
  );

class Update extends Schedule {}

async function makeWorld(fill, systems) {
  const world = new World();
  fill(world.commands);
  world.addSystems(Update, systems);
  await world.prepare();
  applyCommands(world);
  applyCommands(world);
  return { world, run: () => world.runSchedule(Update) };
}

function spawn(commands, count, ...classesAndValues) {
  for (let n = 0; n < count; n++) {
    const entity = commands.spawn();
    for (const [Component, value] of classesAndValues) entity.add(new Component(value));
  }
}

// A query made later does not see the tables of now, so results are read from the tables.
function column(world, Component) {
  return world.tables
    .filter((table) => table.hasColumn(Component))
    .flatMap((table) => table.getColumn(Component).slice(0, table.length));
}

const total = (world, Component, field = 'value') =>
  column(world, Component).reduce((sum, component) => sum + component[field], 0);

const size = (world, Component) => column(world, Component).length;

async function move(entities) {
  const P = vector();
  const V = vector();
  const { world, run } = await makeWorld(
    (commands) => {
      for (let n = 0; n < entities; n++)
        commands
          .spawn(true)
          .add(new P())
          .add(new V(1, 2, 3));
    },
    [
      system(
        (query) => {
          query.forEach(([p, v]) => {
            p.x += v.x;
            p.y += v.y;
            p.z += v.z;
          });
        },
        [P, V],
      ),
      applyCommands,
    ],
  );
  return { run, checksum: () => ['x', 'y', 'z'].map((field) => total(world, P, field)) };
}

export default {
  label: 'thyseus',
  async crowd() {
    const components = Array.from({ length: 20 }, scalar);
    const systems = crowdOf(
      ['system', 'A', 'B'],
      `return system((query) => {
        query.forEach(([a, b]) => { a.value = a.value + b.value * $c; });
      }, [A, B]);`,
      (k, next) => [system, components[k], components[next]],
    );
    const { run } = await makeWorld(
      (commands) => {
        components.forEach((component, k) => {
          spawn(commands, CROWD_ENTITIES, [component, k], [components[(k + 1) % 20], 1]);
        });
      },
      [...systems, applyCommands],
    );
    return run;
  },
  workloads: {
    async packed_5() {
      const components = Array.from({ length: 5 }, scalar);
      const [A, B, C, D, E] = components;
      const { world, run } = await makeWorld(
        (commands) =>
          spawn(commands, GROUP, ...components.map((component, i) => [component, i + 1])),
        [
          system(
            (query) =>
              query.forEach((a) => {
                a.value *= 2;
              }),
            [A],
          ),
          system(
            (query) =>
              query.forEach((b) => {
                b.value *= 2;
              }),
            [B],
          ),
          system(
            (query) =>
              query.forEach((c) => {
                c.value *= 2;
              }),
            [C],
          ),
          system(
            (query) =>
              query.forEach((d) => {
                d.value *= 2;
              }),
            [D],
          ),
          system(
            (query) =>
              query.forEach((e) => {
                e.value *= 2;
              }),
            [E],
          ),
          applyCommands,
        ],
      );
      return { run, checksum: () => components.map((component) => total(world, component)) };
    },
    async simple_iter() {
      const components = Array.from({ length: 5 }, scalar);
      const [A, B, C, D, E] = components;
      const { world, run } = await makeWorld(
        (commands) => {
          spawn(commands, GROUP, [A, 1], [B, 2]);
          spawn(commands, GROUP, [A, 1], [B, 2], [C, 3]);
          spawn(commands, GROUP, [A, 1], [B, 2], [C, 3], [D, 4]);
          spawn(commands, GROUP, [A, 1], [B, 2], [C, 3], [E, 5]);
        },
        [
          system(
            (query) =>
              query.forEach(([a, b]) => {
                const x = a.value;
                a.value = b.value;
                b.value = x;
              }),
            [A, B],
          ),
          system(
            (query) =>
              query.forEach(([c, d]) => {
                const x = c.value;
                c.value = d.value;
                d.value = x;
              }),
            [C, D],
          ),
          system(
            (query) =>
              query.forEach(([c, e]) => {
                const x = c.value;
                c.value = e.value;
                e.value = x;
              }),
            [C, E],
          ),
          applyCommands,
        ],
      );
      return { run, checksum: () => components.map((component) => total(world, component)) };
    },
    async frag_iter() {
      const letters = LETTERS.map(scalar);
      const Data = scalar();
      const { world, run } = await makeWorld(
        (commands) => {
          for (const letter of letters) spawn(commands, FRAGMENT, [letter, 1], [Data, 1]);
        },
        [
          system(
            (query) =>
              query.forEach((data) => {
                data.value *= 2;
              }),
            [Data],
          ),
          system(
            (query) =>
              query.forEach((z) => {
                z.value *= 2;
              }),
            [letters[25]],
          ),
          applyCommands,
        ],
      );
      return {
        run,
        checksum: () => [Data, letters[25], letters[0]].map((component) => total(world, component)),
      };
    },
    async entity_cycle() {
      const A = scalar();
      const B = scalar();
      let destroyed = 0;
      const applySpawns = applyInBetween();
      const { world, run } = await makeWorld(
        (commands) => spawn(commands, GROUP, [A, 1]),
        [
          system(
            (query, commands) =>
              query.forEach((a) => {
                commands.spawn(true).add(new B(a.value));
              }),
            [A],
            Commands,
          ),
          applySpawns,
          system(
            (query, commands) =>
              query.forEach(([entity]) => {
                commands.despawn(entity);
                destroyed++;
              }),
            [Entity, B],
            Commands,
          ),
          applyCommands,
        ],
      );
      return { run, checksum: () => [size(world, A), size(world, B), destroyed] };
    },
    async add_remove() {
      const A = scalar();
      const B = scalar();
      let most = 0;
      const applyAdds = applyInBetween();
      const { world, run } = await makeWorld(
        (commands) => spawn(commands, GROUP, [A, 1]),
        [
          system(
            (query, commands) =>
              query.forEach(([entity]) => {
                commands.get(entity, true).add(new B(2));
              }),
            [Entity, A],
            Commands,
          ),
          applyAdds,
          system(
            (query, commands) => {
              most = Math.max(most, query.length);
              query.forEach(([entity]) => {
                commands.get(entity, true).remove(B);
              });
            },
            [Entity, B],
            Commands,
          ),
          applyCommands,
        ],
      );
      return { run, checksum: () => [size(world, A), most, size(world, B)] };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let made, P, V;
      return {
        async prepare() {
          P = vector();
          V = vector();
          made = await makeWorld(() => {}, [
            system((commands) => {
              for (let n = 0; n < CREATED; n++)
                commands
                  .spawn(true)
                  .add(new P(n, 0, 0))
                  .add(new V(1, 1, 1));
            }, Commands),
            applyCommands,
          ]);
        },
        run: () => made.run(),
        checksum: () => [size(made.world, P), total(made.world, P, 'x'), total(made.world, V, 'x')],
      };
    },
  },
};
