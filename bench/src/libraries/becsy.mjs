import { System, Type, World } from '@lastolivegames/becsy/lib/perf.js';
import {
  CREATED,
  CROWD_ENTITIES,
  CROWD_KINDS,
  FRAGMENT,
  GROUP,
  LETTERS,
  crowdOf,
} from '../workloads.mjs';

// The performance build, without run-time checks. A component class belongs to one world.
const KINDS = {
  f32: Type.float32,
  f64: Type.float64,
  i32: Type.int32,
  u8: Type.uint8,
  i16: Type.int16,
  u32: Type.uint32,
};

const scalar = (kind = 'f32') =>
  class {
    static schema = { value: KINDS[kind] };
  };
const vector = () =>
  class {
    static schema = { x: Type.float32, y: Type.float32, z: Type.float32 };
  };

/** Sums fields of all entities of a component, when told to. */
function totalOf(Component, ...fields) {
  return class extends System {
    #entities = this.query((q) => q.current.with(Component).read);
    static results = [];
    static wanted = false;
    execute() {
      if (!this.constructor.wanted) return;
      this.constructor.results = [
        this.#entities.current.length,
        ...fields.map((field) =>
          this.#entities.current.reduce((sum, entity) => sum + entity.read(Component)[field], 0),
        ),
      ];
    }
  };
}

/** `defs` are components and systems in order of execution; `probes` are made by {@link totalOf}. */
async function makeWorld(maxEntities, components, systems, probes, fill) {
  for (let i = 1; i < systems.length; i++) {
    const previous = systems[i - 1];
    const Base = systems[i];
    systems[i] = class extends Base {
      sked = this.schedule((s) => s.after(previous));
    };
  }
  const world = await World.create({
    defs: [...components, ...systems, ...probes],
    maxEntities: maxEntities + 16,
    maxShapeChangesPerFrame: 4 * maxEntities + 100_000,
    maxLimboComponents: 4 * maxEntities + 100_000,
    threads: 1,
  });
  fill(world);
  await world.execute();
  return world;
}

async function probe(world, probes) {
  for (const p of probes) p.wanted = true;
  // a probe must not count as one of the runs: the systems see `paused`
  paused = true;
  await world.execute();
  paused = false;
  for (const p of probes) p.wanted = false;
  return probes.map((p) => p.results);
}
let paused = true;

function spawn(world, count, ...componentsAndValues) {
  const args = componentsAndValues.flatMap(([component, value]) => [component, { value }]);
  for (let n = 0; n < count; n++) world.createEntity(...args);
}

/** A system that walks the entities of `components`; `paused` keeps it still outside measured runs. */
async function iterate(entities, components, systems, sums, fill) {
  const probes = sums.map(([component, ...fields]) => totalOf(component, ...fields));
  const world = await makeWorld(entities, components, systems, probes, fill);
  paused = false;
  return {
    run: () => world.execute(),
    checksum: async () => (await probe(world, probes)).flatMap(([, ...totals]) => totals),
  };
}

function move(entities) {
  const P = vector();
  const V = vector();
  class Integrate extends System {
    moving = this.query((q) => q.current.with(P).write.and.with(V).read);
    execute() {
      if (paused) return;
      for (const entity of this.moving.current) {
        const p = entity.write(P);
        const v = entity.read(V);
        p.x += v.x;
        p.y += v.y;
        p.z += v.z;
      }
    }
  }
  return iterate(entities, [P, V], [Integrate], [[P, 'x', 'y', 'z']], (world) => {
    for (let n = 0; n < entities; n++) world.createEntity(P, V, { x: 1, y: 2, z: 3 });
  });
}

export default {
  label: '@lastolivegames/becsy, perf',
  async crowd() {
    const components = Array.from({ length: 20 }, (_, k) =>
      scalar(CROWD_KINDS[k % CROWD_KINDS.length]),
    );
    const systems = crowdOf(
      ['System', 'A', 'B'],
      `return class System$k extends System {
        entities = this.query((q) => q.current.with(A).write.and.with(B).read);
        execute() {
          for (const entity of this.entities.current) { const a = entity.write(A); a.value = a.value + entity.read(B).value * $c; }
        }
      };`,
      (k, next) => [System, components[k], components[next]],
    );
    const world = await makeWorld(21 * CROWD_ENTITIES, components, systems, [], (target) => {
      components.forEach((component, k) => {
        spawn(target, CROWD_ENTITIES, [component, k], [components[(k + 1) % 20], 1]);
      });
    });
    return () => world.execute();
  },
  workloads: {
    packed_5() {
      const components = Array.from({ length: 5 }, () => scalar());
      const [A, B, C, D, E] = components;
      class DoubleA extends System {
        q = this.query((q) => q.current.with(A).write);
        execute() {
          if (!paused) for (const entity of this.q.current) entity.write(A).value *= 2;
        }
      }
      class DoubleB extends System {
        q = this.query((q) => q.current.with(B).write);
        execute() {
          if (!paused) for (const entity of this.q.current) entity.write(B).value *= 2;
        }
      }
      class DoubleC extends System {
        q = this.query((q) => q.current.with(C).write);
        execute() {
          if (!paused) for (const entity of this.q.current) entity.write(C).value *= 2;
        }
      }
      class DoubleD extends System {
        q = this.query((q) => q.current.with(D).write);
        execute() {
          if (!paused) for (const entity of this.q.current) entity.write(D).value *= 2;
        }
      }
      class DoubleE extends System {
        q = this.query((q) => q.current.with(E).write);
        execute() {
          if (!paused) for (const entity of this.q.current) entity.write(E).value *= 2;
        }
      }
      return iterate(
        GROUP,
        components,
        [DoubleA, DoubleB, DoubleC, DoubleD, DoubleE],
        components.map((component) => [component, 'value']),
        (world) => spawn(world, GROUP, ...components.map((component, i) => [component, i + 1])),
      );
    },
    simple_iter() {
      const components = Array.from({ length: 5 }, () => scalar());
      const [A, B, C, D, E] = components;
      class SwapAB extends System {
        q = this.query((q) => q.current.with(A, B).write);
        execute() {
          if (paused) return;
          for (const entity of this.q.current) {
            const a = entity.write(A),
              b = entity.write(B);
            const x = a.value;
            a.value = b.value;
            b.value = x;
          }
        }
      }
      class SwapCD extends System {
        q = this.query((q) => q.current.with(C, D).write);
        execute() {
          if (paused) return;
          for (const entity of this.q.current) {
            const c = entity.write(C),
              d = entity.write(D);
            const x = c.value;
            c.value = d.value;
            d.value = x;
          }
        }
      }
      class SwapCE extends System {
        q = this.query((q) => q.current.with(C, E).write);
        execute() {
          if (paused) return;
          for (const entity of this.q.current) {
            const c = entity.write(C),
              e = entity.write(E);
            const x = c.value;
            c.value = e.value;
            e.value = x;
          }
        }
      }
      return iterate(
        4 * GROUP,
        components,
        [SwapAB, SwapCD, SwapCE],
        components.map((component) => [component, 'value']),
        (world) => {
          spawn(world, GROUP, [A, 1], [B, 2]);
          spawn(world, GROUP, [A, 1], [B, 2], [C, 3]);
          spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [D, 4]);
          spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [E, 5]);
        },
      );
    },
    frag_iter() {
      const letters = LETTERS.map(() => scalar());
      const Data = scalar();
      const Z = letters[25];
      class DoubleData extends System {
        q = this.query((q) => q.current.with(Data).write);
        execute() {
          if (!paused) for (const entity of this.q.current) entity.write(Data).value *= 2;
        }
      }
      class DoubleZ extends System {
        q = this.query((q) => q.current.with(Z).write);
        execute() {
          if (!paused) for (const entity of this.q.current) entity.write(Z).value *= 2;
        }
      }
      return iterate(
        LETTERS.length * FRAGMENT,
        [...letters, Data],
        [DoubleData, DoubleZ],
        [Data, Z, letters[0]].map((component) => [component, 'value']),
        (world) => {
          for (const letter of letters) spawn(world, FRAGMENT, [letter, 1], [Data, 1]);
        },
      );
    },
    async entity_cycle() {
      const A = scalar();
      const B = scalar();
      let destroyed = 0;
      class Birth extends System {
        q = this.query((q) => q.current.with(A).read);
        using = this.query((q) => q.using(B).write);
        execute() {
          if (!paused)
            for (const entity of this.q.current)
              this.createEntity(B, { value: entity.read(A).value });
        }
      }
      class Death extends System {
        q = this.query((q) => q.current.with(B).write);
        using = this.query((q) => q.usingAll.write);
        execute() {
          if (paused) return;
          for (const entity of this.q.current) {
            entity.delete();
            destroyed++;
          }
        }
      }
      const probes = [totalOf(A), totalOf(B)];
      const world = await makeWorld(8 * GROUP, [A, B], [Birth, Death], probes, (w) =>
        spawn(w, GROUP, [A, 1]),
      );
      paused = false;
      return {
        run: () => world.execute(),
        async checksum() {
          const [[a], [b]] = await probe(world, probes);
          return [a, b, destroyed];
        },
      };
    },
    async add_remove() {
      const A = scalar();
      const B = scalar();
      let most = 0;
      class Add extends System {
        q = this.query((q) => q.current.with(A).write.using(B).write);
        execute() {
          if (!paused) for (const entity of this.q.current) entity.add(B, { value: 2 });
        }
      }
      class Remove extends System {
        q = this.query((q) => q.current.with(B).write);
        execute() {
          if (paused) return;
          most = Math.max(most, this.q.current.length);
          for (const entity of this.q.current) entity.remove(B);
        }
      }
      const probes = [totalOf(A), totalOf(B)];
      const world = await makeWorld(8 * GROUP, [A, B], [Add, Remove], probes, (w) =>
        spawn(w, GROUP, [A, 1]),
      );
      paused = false;
      return {
        run: () => world.execute(),
        async checksum() {
          const [[a], [b]] = await probe(world, probes);
          return [a, most, b];
        },
      };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let world, P, V, probes;
      return {
        async prepare() {
          await world?.terminate();
          P = vector();
          V = vector();
          probes = [totalOf(P, 'x'), totalOf(V, 'x')];
          world = await makeWorld(CREATED, [P, V], [], probes, () => {});
        },
        run() {
          for (let n = 0; n < CREATED; n++) {
            world.createEntity(P, { x: n, y: 0, z: 0 }, V, { x: 1, y: 1, z: 1 });
          }
          return world.execute(); // new entities are seen by queries from here on
        },
        async checksum() {
          const [[entities, x], [, v]] = await probe(world, probes);
          return [entities, x, v];
        },
      };
    },
  },
};
