import {
  addComponent,
  addComponents,
  addEntity,
  createWorld,
  deleteWorld,
  query,
  removeComponent,
  removeEntity,
} from 'bitecs';
import {
  ARRAYS,
  CREATED,
  CROWD_ENTITIES,
  CROWD_KINDS,
  FRAGMENT,
  GROUP,
  LETTERS,
  crowdOf,
  sum,
} from '../workloads.mjs';

// Entities are indices of arrays that the user owns; ids start at 1.
const scalar = (capacity) => ({ value: new Float32Array(capacity + 1) });
const vector = (capacity) => ({
  x: new Float32Array(capacity + 1),
  y: new Float32Array(capacity + 1),
  z: new Float32Array(capacity + 1),
});

function spawn(world, count, ...componentsAndValues) {
  for (let n = 0; n < count; n++) {
    const eid = addEntity(world);
    for (const [component, value] of componentsAndValues) {
      addComponent(world, eid, component);
      component.value[eid] = value;
    }
  }
}

function move(entities) {
  const world = createWorld();
  const Position = vector(entities);
  const Velocity = vector(entities);
  for (let n = 0; n < entities; n++) {
    const eid = addEntity(world);
    addComponents(world, eid, Position, Velocity);
    Velocity.x[eid] = 1;
    Velocity.y[eid] = 2;
    Velocity.z[eid] = 3;
  }
  return {
    run() {
      const ids = query(world, [Position, Velocity]);
      for (let i = 0; i < ids.length; i++) {
        const eid = ids[i];
        Position.x[eid] += Velocity.x[eid];
        Position.y[eid] += Velocity.y[eid];
        Position.z[eid] += Velocity.z[eid];
      }
    },
    checksum: () => [sum(Position.x), sum(Position.y), sum(Position.z)],
  };
}

export default {
  label: 'bitecs',
  crowd() {
    const world = createWorld();
    const components = Array.from({ length: 20 }, (_, k) => ({
      value: new ARRAYS[CROWD_KINDS[k % CROWD_KINDS.length]](21 * CROWD_ENTITIES),
    }));
    const systems = crowdOf(
      ['world', 'query', 'A', 'B'],
      `return () => {
        const ids = query(world, [A, B]);
        for (let i = 0; i < ids.length; i++) { const eid = ids[i]; A.value[eid] = A.value[eid] + B.value[eid] * $c; }
      };`,
      (k, next) => {
        spawn(world, CROWD_ENTITIES, [components[k], k], [components[next], 1]);
        return [world, query, components[k], components[next]];
      },
    );
    return () => {
      for (const system of systems) system();
    };
  },
  workloads: {
    packed_5() {
      const world = createWorld();
      const [A, B, C, D, E] = Array.from({ length: 5 }, () => scalar(GROUP));
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [D, 4], [E, 5]);
      const doubleA = () => {
        const ids = query(world, [A]);
        for (let i = 0; i < ids.length; i++) A.value[ids[i]] *= 2;
      };
      const doubleB = () => {
        const ids = query(world, [B]);
        for (let i = 0; i < ids.length; i++) B.value[ids[i]] *= 2;
      };
      const doubleC = () => {
        const ids = query(world, [C]);
        for (let i = 0; i < ids.length; i++) C.value[ids[i]] *= 2;
      };
      const doubleD = () => {
        const ids = query(world, [D]);
        for (let i = 0; i < ids.length; i++) D.value[ids[i]] *= 2;
      };
      const doubleE = () => {
        const ids = query(world, [E]);
        for (let i = 0; i < ids.length; i++) E.value[ids[i]] *= 2;
      };
      return {
        run() {
          doubleA();
          doubleB();
          doubleC();
          doubleD();
          doubleE();
        },
        checksum: () => [A, B, C, D, E].map((component) => sum(component.value)),
      };
    },
    simple_iter() {
      const world = createWorld();
      const [A, B, C, D, E] = Array.from({ length: 5 }, () => scalar(4 * GROUP));
      spawn(world, GROUP, [A, 1], [B, 2]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [D, 4]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [E, 5]);
      const swapAB = () => {
        const ids = query(world, [A, B]);
        for (let i = 0; i < ids.length; i++) {
          const eid = ids[i];
          const x = A.value[eid];
          A.value[eid] = B.value[eid];
          B.value[eid] = x;
        }
      };
      const swapCD = () => {
        const ids = query(world, [C, D]);
        for (let i = 0; i < ids.length; i++) {
          const eid = ids[i];
          const x = C.value[eid];
          C.value[eid] = D.value[eid];
          D.value[eid] = x;
        }
      };
      const swapCE = () => {
        const ids = query(world, [C, E]);
        for (let i = 0; i < ids.length; i++) {
          const eid = ids[i];
          const x = C.value[eid];
          C.value[eid] = E.value[eid];
          E.value[eid] = x;
        }
      };
      return {
        run() {
          swapAB();
          swapCD();
          swapCE();
        },
        checksum: () => [A, B, C, D, E].map((component) => sum(component.value)),
      };
    },
    frag_iter() {
      const world = createWorld();
      const letters = LETTERS.map(() => scalar(LETTERS.length * FRAGMENT));
      const Data = scalar(LETTERS.length * FRAGMENT);
      for (const letter of letters) spawn(world, FRAGMENT, [letter, 1], [Data, 1]);
      const Z = letters[25];
      const doubleData = () => {
        const ids = query(world, [Data]);
        for (let i = 0; i < ids.length; i++) Data.value[ids[i]] *= 2;
      };
      const doubleZ = () => {
        const ids = query(world, [Z]);
        for (let i = 0; i < ids.length; i++) Z.value[ids[i]] *= 2;
      };
      return {
        run() {
          doubleData();
          doubleZ();
        },
        checksum: () => [sum(Data.value), sum(Z.value), sum(letters[0].value)],
      };
    },
    entity_cycle() {
      const world = createWorld();
      const A = scalar(4 * GROUP);
      const B = scalar(4 * GROUP);
      spawn(world, GROUP, [A, 1]);
      let destroyed = 0;
      return {
        run() {
          const parents = query(world, [A]);
          for (let i = 0; i < parents.length; i++) {
            const eid = addEntity(world);
            addComponent(world, eid, B);
            B.value[eid] = A.value[parents[i]];
          }
          for (const eid of Array.from(query(world, [B]))) {
            removeEntity(world, eid);
            destroyed++;
          }
        },
        checksum: () => [query(world, [A]).length, query(world, [B]).length, destroyed],
      };
    },
    add_remove() {
      const world = createWorld();
      const A = scalar(GROUP);
      const B = scalar(GROUP);
      spawn(world, GROUP, [A, 1]);
      const add = () => {
        const ids = query(world, [A]);
        for (let i = 0; i < ids.length; i++) {
          addComponent(world, ids[i], B);
          B.value[ids[i]] = 2;
        }
      };
      const remove = () => {
        for (const eid of Array.from(query(world, [B]))) removeComponent(world, eid, B);
      };
      return {
        run() {
          add();
          remove();
        },
        checksum() {
          const before = query(world, [A]).length;
          add();
          const between = query(world, [B]).length;
          remove();
          return [before, between, query(world, [B]).length];
        },
      };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let world = createWorld();
      let Position;
      let Velocity;
      return {
        prepare() {
          deleteWorld(world);
          world = createWorld();
          Position = vector(CREATED);
          Velocity = vector(CREATED);
          query(world, [Position, Velocity]);
        },
        run() {
          for (let n = 0; n < CREATED; n++) {
            const eid = addEntity(world);
            addComponents(world, eid, Position, Velocity);
            Position.x[eid] = n;
            Position.y[eid] = 0;
            Position.z[eid] = 0;
            Velocity.x[eid] = 1;
            Velocity.y[eid] = 1;
            Velocity.z[eid] = 1;
          }
        },
        checksum: () => [
          query(world, [Position, Velocity]).length,
          sum(Position.x),
          sum(Velocity.x),
        ],
      };
    },
  },
};
