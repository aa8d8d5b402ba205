import { createQuery, createWorld, trait } from 'koota';
import { CREATED, CROWD_ENTITIES, FRAGMENT, GROUP, LETTERS, crowdOf } from '../workloads.mjs';

export const scalar = () => trait({ value: 0 });
export const vector = () => trait({ x: 0, y: 0, z: 0 });

function spawn(world, count, ...traitsAndValues) {
  for (let n = 0; n < count; n++) world.spawn(...traitsAndValues.map(([t, value]) => t({ value })));
}

function total(world, t, field = 'value') {
  let result = 0;
  world.query(t).readEach(([state]) => {
    result += state[field];
  });
  return result;
}

/** Crowds and the iteration workloads differ in how a query is walked; `level` has a function for each. */
export function kootaIteration(level) {
  const move = (entities) => {
    const world = createWorld();
    const P = vector();
    const V = vector();
    for (let n = 0; n < entities; n++) world.spawn(P, V({ x: 1, y: 2, z: 3 }));
    return {
      run: level.move(world, P, V),
      checksum: () => ['x', 'y', 'z'].map((field) => total(world, P, field)),
    };
  };
  return {
    crowd() {
      const world = createWorld();
      const traits = Array.from({ length: 20 }, scalar);
      const systems = crowdOf(['world', 'query', 'A', 'B'], level.crowd, (k, next) => {
        spawn(world, CROWD_ENTITIES, [traits[k], k], [traits[next], 1]);
        return [world, createQuery(traits[k], traits[next]), traits[k], traits[next]];
      });
      return () => {
        for (const system of systems) system();
      };
    },
    workloads: {
      packed_5() {
        const world = createWorld();
        const traits = Array.from({ length: 5 }, scalar);
        spawn(world, GROUP, ...traits.map((t, i) => [t, i + 1]));
        return {
          run: level.packed(world, traits),
          checksum: () => traits.map((t) => total(world, t)),
        };
      },
      simple_iter() {
        const world = createWorld();
        const traits = Array.from({ length: 5 }, scalar);
        const [A, B, C, D, E] = traits;
        spawn(world, GROUP, [A, 1], [B, 2]);
        spawn(world, GROUP, [A, 1], [B, 2], [C, 3]);
        spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [D, 4]);
        spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [E, 5]);
        return {
          run: level.simple(world, traits),
          checksum: () => traits.map((t) => total(world, t)),
        };
      },
      frag_iter() {
        const world = createWorld();
        const letters = LETTERS.map(scalar);
        const Data = scalar();
        for (const letter of letters) spawn(world, FRAGMENT, [letter, 1], [Data, 1]);
        return {
          run: level.frag(world, Data, letters[25]),
          checksum: () => [Data, letters[25], letters[0]].map((t) => total(world, t)),
        };
      },
      move_1k: () => move(1_000),
      move_100k: () => move(100_000),
      move_1m: () => move(1_000_000),
    },
  };
}

// Stores as structures of arrays, the way for "performance-critical operations".
const stores = {
  crowd: `return () => {
    world.query(query).useStores(([a, b], entities) => {
      for (let i = 0; i < entities.length; i++) { const id = entities[i].id(); a.value[id] = a.value[id] + b.value[id] * $c; }
    });
  };`,
  packed(world, [A, B, C, D, E]) {
    const qa = createQuery(A),
      qb = createQuery(B),
      qc = createQuery(C),
      qd = createQuery(D),
      qe = createQuery(E);
    const doubleA = ([a], list) => {
      for (let i = 0; i < list.length; i++) a.value[list[i].id()] *= 2;
    };
    const doubleB = ([b], list) => {
      for (let i = 0; i < list.length; i++) b.value[list[i].id()] *= 2;
    };
    const doubleC = ([c], list) => {
      for (let i = 0; i < list.length; i++) c.value[list[i].id()] *= 2;
    };
    const doubleD = ([d], list) => {
      for (let i = 0; i < list.length; i++) d.value[list[i].id()] *= 2;
    };
    const doubleE = ([e], list) => {
      for (let i = 0; i < list.length; i++) e.value[list[i].id()] *= 2;
    };
    return () => {
      world.query(qa).useStores(doubleA);
      world.query(qb).useStores(doubleB);
      world.query(qc).useStores(doubleC);
      world.query(qd).useStores(doubleD);
      world.query(qe).useStores(doubleE);
    };
  },
  simple(world, [A, B, C, D, E]) {
    const ab = createQuery(A, B),
      cd = createQuery(C, D),
      ce = createQuery(C, E);
    const swapAB = ([a, b], list) => {
      for (let i = 0; i < list.length; i++) {
        const id = list[i].id();
        const x = a.value[id];
        a.value[id] = b.value[id];
        b.value[id] = x;
      }
    };
    const swapCD = ([c, d], list) => {
      for (let i = 0; i < list.length; i++) {
        const id = list[i].id();
        const x = c.value[id];
        c.value[id] = d.value[id];
        d.value[id] = x;
      }
    };
    const swapCE = ([c, e], list) => {
      for (let i = 0; i < list.length; i++) {
        const id = list[i].id();
        const x = c.value[id];
        c.value[id] = e.value[id];
        e.value[id] = x;
      }
    };
    return () => {
      world.query(ab).useStores(swapAB);
      world.query(cd).useStores(swapCD);
      world.query(ce).useStores(swapCE);
    };
  },
  frag(world, Data, Z) {
    const qd = createQuery(Data),
      qz = createQuery(Z);
    const doubleData = ([data], list) => {
      for (let i = 0; i < list.length; i++) data.value[list[i].id()] *= 2;
    };
    const doubleZ = ([z], list) => {
      for (let i = 0; i < list.length; i++) z.value[list[i].id()] *= 2;
    };
    return () => {
      world.query(qd).useStores(doubleData);
      world.query(qz).useStores(doubleZ);
    };
  },
  move(world, P, V) {
    const q = createQuery(P, V);
    const integrate = ([p, v], list) => {
      for (let i = 0; i < list.length; i++) {
        const id = list[i].id();
        p.x[id] += v.x[id];
        p.y[id] += v.y[id];
        p.z[id] += v.z[id];
      }
    };
    return () => {
      world.query(q).useStores(integrate);
    };
  },
};

const iteration = kootaIteration(stores);

export default {
  label: 'koota, useStores',
  crowd: () => iteration.crowd(),
  workloads: {
    ...iteration.workloads,
    entity_cycle() {
      const world = createWorld();
      const A = scalar();
      const B = scalar();
      spawn(world, GROUP, [A, 1]);
      const qa = createQuery(A),
        qb = createQuery(B);
      let destroyed = 0;
      return {
        run() {
          world.query(qa).readEach(([a]) => {
            world.spawn(B({ value: a.value }));
          });
          for (const entity of world.query(qb)) {
            entity.destroy();
            destroyed++;
          }
        },
        checksum: () => [world.query(qa).length, world.query(qb).length, destroyed],
      };
    },
    add_remove() {
      const world = createWorld();
      const A = scalar();
      const B = scalar();
      spawn(world, GROUP, [A, 1]);
      const qa = createQuery(A),
        qb = createQuery(B);
      const add = () => {
        for (const entity of world.query(qa)) entity.add(B({ value: 2 }));
      };
      const remove = () => {
        for (const entity of world.query(qb)) entity.remove(B);
      };
      return {
        run() {
          add();
          remove();
        },
        checksum() {
          const before = world.query(qa).length;
          add();
          const between = world.query(qb).length;
          remove();
          return [before, between, world.query(qb).length];
        },
      };
    },
    create() {
      let world = createWorld();
      const P = vector();
      const V = vector();
      return {
        prepare() {
          world.destroy();
          world = createWorld();
          world.query(P, V);
        },
        run() {
          for (let n = 0; n < CREATED; n++)
            world.spawn(P({ x: n, y: 0, z: 0 }), V({ x: 1, y: 1, z: 1 }));
        },
        checksum: () => [world.query(P, V).length, total(world, P, 'x'), total(world, V, 'x')],
      };
    },
  },
};
