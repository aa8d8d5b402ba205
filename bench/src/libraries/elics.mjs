import { Types, World, createComponent, createSystem } from 'elics';
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

// A component's data is in arrays of the entity capacity, indexed by entity; ids are global names.
let names = 0;
const scalar = (type = Types.Float32) =>
  createComponent(`S${names++}`, { value: { type, default: 0 } });
const axis = { type: Types.Float32, default: 0 };
const vector = () => createComponent(`V${names++}`, { x: axis, y: axis, z: axis });

const KINDS = {
  f32: Types.Float32,
  f64: Types.Float64,
  i32: Types.Int32,
  u8: Types.Int8,
  i16: Types.Int16,
  u32: Types.Int32,
};

function makeWorld(entityCapacity, components) {
  const world = new World({ entityCapacity, checksOn: false });
  for (const component of components) world.registerComponent(component);
  return world;
}

function spawn(world, count, ...componentsAndValues) {
  for (let n = 0; n < count; n++) {
    const entity = world.createEntity();
    for (const [component, value] of componentsAndValues) entity.addComponent(component, { value });
  }
}

function move(entities) {
  const P = vector();
  const V = vector();
  const world = makeWorld(entities, [P, V]);
  for (let n = 0; n < entities; n++) {
    world.createEntity().addComponent(P).addComponent(V, { x: 1, y: 2, z: 3 });
  }
  class Integrate extends createSystem({ moving: { required: [P, V] } }) {
    update() {
      const { x: px, y: py, z: pz } = P.data;
      const { x: vx, y: vy, z: vz } = V.data;
      for (const entity of this.queries.moving.entities) {
        const i = entity.index;
        px[i] += vx[i];
        py[i] += vy[i];
        pz[i] += vz[i];
      }
    }
  }
  world.registerSystem(Integrate);
  return {
    run: () => world.update(0, 0),
    checksum: () => ['x', 'y', 'z'].map((field) => sum(P.data[field])),
  };
}

export default {
  label: 'elics',
  crowd() {
    const components = Array.from({ length: 20 }, (_, k) =>
      scalar(KINDS[CROWD_KINDS[k % CROWD_KINDS.length]]),
    );
    const world = makeWorld(21 * CROWD_ENTITIES, components);
    const systems = crowdOf(
      ['createSystem', 'A', 'B'],
      `return class System$k extends createSystem({ q: { required: [A, B] } }) {
        update() {
          const a = A.data.value, b = B.data.value;
          for (const entity of this.queries.q.entities) { const i = entity.index; a[i] = a[i] + b[i] * $c; }
        }
      };`,
      (k, next) => [createSystem, components[k], components[next]],
    );
    for (const system of systems) world.registerSystem(system);
    components.forEach((component, k) => {
      spawn(world, CROWD_ENTITIES, [component, k], [components[(k + 1) % 20], 1]);
    });
    return () => world.update(0, 0);
  },
  workloads: {
    packed_5() {
      const components = Array.from({ length: 5 }, () => scalar());
      const [A, B, C, D, E] = components;
      const world = makeWorld(GROUP, components);
      spawn(world, GROUP, ...components.map((component, i) => [component, i + 1]));
      class DoubleA extends createSystem({ q: { required: [A] } }) {
        update() {
          const a = A.data.value;
          for (const entity of this.queries.q.entities) a[entity.index] *= 2;
        }
      }
      class DoubleB extends createSystem({ q: { required: [B] } }) {
        update() {
          const b = B.data.value;
          for (const entity of this.queries.q.entities) b[entity.index] *= 2;
        }
      }
      class DoubleC extends createSystem({ q: { required: [C] } }) {
        update() {
          const c = C.data.value;
          for (const entity of this.queries.q.entities) c[entity.index] *= 2;
        }
      }
      class DoubleD extends createSystem({ q: { required: [D] } }) {
        update() {
          const d = D.data.value;
          for (const entity of this.queries.q.entities) d[entity.index] *= 2;
        }
      }
      class DoubleE extends createSystem({ q: { required: [E] } }) {
        update() {
          const e = E.data.value;
          for (const entity of this.queries.q.entities) e[entity.index] *= 2;
        }
      }
      for (const system of [DoubleA, DoubleB, DoubleC, DoubleD, DoubleE])
        world.registerSystem(system);
      return {
        run: () => world.update(0, 0),
        checksum: () => components.map((component) => sum(component.data.value)),
      };
    },
    simple_iter() {
      const components = Array.from({ length: 5 }, () => scalar());
      const [A, B, C, D, E] = components;
      const world = makeWorld(4 * GROUP, components);
      spawn(world, GROUP, [A, 1], [B, 2]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [D, 4]);
      spawn(world, GROUP, [A, 1], [B, 2], [C, 3], [E, 5]);
      class SwapAB extends createSystem({ q: { required: [A, B] } }) {
        update() {
          const a = A.data.value,
            b = B.data.value;
          for (const { index: i } of this.queries.q.entities) {
            const x = a[i];
            a[i] = b[i];
            b[i] = x;
          }
        }
      }
      class SwapCD extends createSystem({ q: { required: [C, D] } }) {
        update() {
          const c = C.data.value,
            d = D.data.value;
          for (const { index: i } of this.queries.q.entities) {
            const x = c[i];
            c[i] = d[i];
            d[i] = x;
          }
        }
      }
      class SwapCE extends createSystem({ q: { required: [C, E] } }) {
        update() {
          const c = C.data.value,
            e = E.data.value;
          for (const { index: i } of this.queries.q.entities) {
            const x = c[i];
            c[i] = e[i];
            e[i] = x;
          }
        }
      }
      for (const system of [SwapAB, SwapCD, SwapCE]) world.registerSystem(system);
      return {
        run: () => world.update(0, 0),
        checksum: () => components.map((component) => sum(component.data.value)),
      };
    },
    frag_iter() {
      const letters = LETTERS.map(() => scalar());
      const Data = scalar();
      const world = makeWorld(LETTERS.length * FRAGMENT, [...letters, Data]);
      for (const letter of letters) spawn(world, FRAGMENT, [letter, 1], [Data, 1]);
      const Z = letters[25];
      class DoubleData extends createSystem({ q: { required: [Data] } }) {
        update() {
          const v = Data.data.value;
          for (const entity of this.queries.q.entities) v[entity.index] *= 2;
        }
      }
      class DoubleZ extends createSystem({ q: { required: [Z] } }) {
        update() {
          const v = Z.data.value;
          for (const entity of this.queries.q.entities) v[entity.index] *= 2;
        }
      }
      for (const system of [DoubleData, DoubleZ]) world.registerSystem(system);
      return {
        run: () => world.update(0, 0),
        checksum: () => [Data, Z, letters[0]].map((c) => sum(c.data.value)),
      };
    },
    entity_cycle() {
      const A = scalar();
      const B = scalar();
      const world = makeWorld(2 * GROUP, [A, B]);
      spawn(world, GROUP, [A, 1]);
      let destroyed = 0;
      let spawners, spawned;
      class Spawn extends createSystem({ q: { required: [A] } }) {
        update() {
          spawners = this.queries.q.entities;
          for (const entity of spawners)
            this.createEntity().addComponent(B, { value: A.data.value[entity.index] });
        }
      }
      class Kill extends createSystem({ q: { required: [B] } }) {
        update() {
          spawned = this.queries.q.entities;
          for (const entity of spawned) {
            entity.destroy();
            destroyed++;
          }
        }
      }
      for (const system of [Spawn, Kill]) world.registerSystem(system);
      return {
        run: () => world.update(0, 0),
        checksum: () => [spawners.size, spawned.size, destroyed],
      };
    },
    add_remove() {
      const A = scalar();
      const B = scalar();
      const world = makeWorld(GROUP, [A, B]);
      spawn(world, GROUP, [A, 1]);
      let most = 0;
      let withA, withB;
      class Add extends createSystem({ q: { required: [A] } }) {
        update() {
          withA = this.queries.q.entities;
          for (const entity of withA) entity.addComponent(B, { value: 2 });
        }
      }
      class Remove extends createSystem({ q: { required: [B] } }) {
        update() {
          withB = this.queries.q.entities;
          most = Math.max(most, withB.size);
          for (const entity of withB) entity.removeComponent(B);
        }
      }
      for (const system of [Add, Remove]) world.registerSystem(system);
      return { run: () => world.update(0, 0), checksum: () => [withA.size, most, withB.size] };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let world, P, V, moving;
      return {
        prepare() {
          P = vector();
          V = vector();
          world = makeWorld(CREATED, [P, V]);
          moving = world.queryManager.registerQuery({ required: [P, V] });
        },
        run() {
          for (let n = 0; n < CREATED; n++) {
            world
              .createEntity()
              .addComponent(P, { x: n, y: 0, z: 0 })
              .addComponent(V, { x: 1, y: 1, z: 1 });
          }
        },
        checksum: () => [moving.entities.size, sum(P.data.x), sum(V.data.x)],
      };
    },
  },
};
