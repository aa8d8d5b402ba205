import { World } from 'miniplex';
import { CREATED, CROWD_ENTITIES, FRAGMENT, GROUP, LETTERS, crowdOf } from '../workloads.mjs';

// Entities are plain objects, components their properties.
function spawn(world, count, make) {
  for (let n = 0; n < count; n++) world.add(make(n));
}

function total(query, component, field = 'value') {
  let result = 0;
  for (const entity of query) result += entity[component][field];
  return result;
}

function move(entities) {
  const world = new World();
  const moving = world.with('position', 'velocity');
  spawn(world, entities, () => ({
    position: { x: 0, y: 0, z: 0 },
    velocity: { x: 1, y: 2, z: 3 },
  }));
  return {
    run() {
      for (const { position, velocity } of moving) {
        position.x += velocity.x;
        position.y += velocity.y;
        position.z += velocity.z;
      }
    },
    checksum: () => ['x', 'y', 'z'].map((field) => total(moving, 'position', field)),
  };
}

export default {
  label: 'miniplex',
  crowd() {
    const world = new World();
    const systems = crowdOf(
      ['query'],
      'return () => { for (const { c$k, c$n } of query) c$k.value = c$k.value + c$n.value * $c; };',
      (k, next) => {
        const query = world.with(`c${k}`, `c${next}`);
        spawn(world, CROWD_ENTITIES, () => ({
          [`c${k}`]: { value: k },
          [`c${next}`]: { value: 1 },
        }));
        return [query];
      },
    );
    return () => {
      for (const system of systems) system();
    };
  },
  workloads: {
    packed_5() {
      const world = new World();
      const qa = world.with('a'),
        qb = world.with('b'),
        qc = world.with('c'),
        qd = world.with('d'),
        qe = world.with('e');
      spawn(world, GROUP, () => ({
        a: { value: 1 },
        b: { value: 2 },
        c: { value: 3 },
        d: { value: 4 },
        e: { value: 5 },
      }));
      const doubleA = () => {
        for (const { a } of qa) a.value *= 2;
      };
      const doubleB = () => {
        for (const { b } of qb) b.value *= 2;
      };
      const doubleC = () => {
        for (const { c } of qc) c.value *= 2;
      };
      const doubleD = () => {
        for (const { d } of qd) d.value *= 2;
      };
      const doubleE = () => {
        for (const { e } of qe) e.value *= 2;
      };
      return {
        run() {
          doubleA();
          doubleB();
          doubleC();
          doubleD();
          doubleE();
        },
        checksum: () => ['a', 'b', 'c', 'd', 'e'].map((component) => total(qa, component)),
      };
    },
    simple_iter() {
      const world = new World();
      const ab = world.with('a', 'b'),
        cd = world.with('c', 'd'),
        ce = world.with('c', 'e');
      spawn(world, GROUP, () => ({ a: { value: 1 }, b: { value: 2 } }));
      spawn(world, GROUP, () => ({ a: { value: 1 }, b: { value: 2 }, c: { value: 3 } }));
      spawn(world, GROUP, () => ({
        a: { value: 1 },
        b: { value: 2 },
        c: { value: 3 },
        d: { value: 4 },
      }));
      spawn(world, GROUP, () => ({
        a: { value: 1 },
        b: { value: 2 },
        c: { value: 3 },
        e: { value: 5 },
      }));
      const swapAB = () => {
        for (const { a, b } of ab) {
          const x = a.value;
          a.value = b.value;
          b.value = x;
        }
      };
      const swapCD = () => {
        for (const { c, d } of cd) {
          const x = c.value;
          c.value = d.value;
          d.value = x;
        }
      };
      const swapCE = () => {
        for (const { c, e } of ce) {
          const x = c.value;
          c.value = e.value;
          e.value = x;
        }
      };
      return {
        run() {
          swapAB();
          swapCD();
          swapCE();
        },
        checksum: () =>
          ['a', 'b', 'c', 'd', 'e'].map((component) => total(world.with(component), component)),
      };
    },
    frag_iter() {
      const world = new World();
      const data = world.with('data'),
        z = world.with('Z');
      for (const letter of LETTERS)
        spawn(world, FRAGMENT, () => ({ [letter]: { value: 1 }, data: { value: 1 } }));
      const doubleData = () => {
        for (const entity of data) entity.data.value *= 2;
      };
      const doubleZ = () => {
        for (const { Z } of z) Z.value *= 2;
      };
      return {
        run() {
          doubleData();
          doubleZ();
        },
        checksum: () => [total(data, 'data'), total(z, 'Z'), total(world.with('A'), 'A')],
      };
    },
    entity_cycle() {
      const world = new World();
      const qa = world.with('a'),
        qb = world.with('b');
      spawn(world, GROUP, () => ({ a: { value: 1 } }));
      let destroyed = 0;
      return {
        run() {
          for (const { a } of qa) world.add({ b: { value: a.value } });
          for (const entity of qb) {
            world.remove(entity);
            destroyed++;
          }
        },
        checksum: () => [qa.size, qb.size, destroyed],
      };
    },
    add_remove() {
      const world = new World();
      const qa = world.with('a'),
        qb = world.with('b');
      spawn(world, GROUP, () => ({ a: { value: 1 } }));
      const add = () => {
        for (const entity of qa) world.addComponent(entity, 'b', { value: 2 });
      };
      const remove = () => {
        for (const entity of qb) world.removeComponent(entity, 'b');
      };
      return {
        run() {
          add();
          remove();
        },
        checksum() {
          const before = qa.size;
          add();
          const between = qb.size;
          remove();
          return [before, between, qb.size];
        },
      };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let world, moving;
      return {
        prepare() {
          world = new World();
          moving = world.with('position', 'velocity').connect();
        },
        run() {
          for (let n = 0; n < CREATED; n++) {
            world.add({ position: { x: n, y: 0, z: 0 }, velocity: { x: 1, y: 1, z: 1 } });
          }
        },
        checksum: () => [
          moving.size,
          total(moving, 'position', 'x'),
          total(moving, 'velocity', 'x'),
        ],
      };
    },
  },
};
