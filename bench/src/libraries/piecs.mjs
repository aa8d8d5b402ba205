import { World, createEntitySystem } from 'piecs';
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

// The library keeps ids only; values are in arrays that the user owns, indexed by entity.
const scalar = (capacity) => new Float32Array(capacity);

function spawn(world, count, ...idsArraysValues) {
  const archetype = world.prefabricate(idsArraysValues.map(([id]) => id));
  for (let n = 0; n < count; n++) {
    const entity = world.createEntity(archetype);
    for (const [, array, value] of idsArraysValues) array[entity] = value;
  }
}

const system = (components, execute) => createEntitySystem(execute, (q) => q.every(...components));

function move(entities) {
  const world = new World();
  const P = world.createComponentId();
  const V = world.createComponentId();
  const px = scalar(entities),
    py = scalar(entities),
    pz = scalar(entities);
  const vx = scalar(entities).fill(1),
    vy = scalar(entities).fill(2),
    vz = scalar(entities).fill(3);
  const body = world.prefabricate([P, V]);
  for (let n = 0; n < entities; n++) world.createEntity(body);
  world.registerSystem(
    system([P, V], (ids) => {
      for (let i = 0; i < ids.length; i++) {
        const id = ids[i];
        px[id] += vx[id];
        py[id] += vy[id];
        pz[id] += vz[id];
      }
    }),
  );
  world.initialize();
  return { run: () => world.update(), checksum: () => [sum(px), sum(py), sum(pz)] };
}

export default {
  label: 'piecs (moves no data)',
  crowd() {
    const world = new World();
    const ids = Array.from({ length: 20 }, () => world.createComponentId());
    const arrays = ids.map(
      (_, k) => new ARRAYS[CROWD_KINDS[k % CROWD_KINDS.length]](21 * CROWD_ENTITIES),
    );
    const executes = crowdOf(
      ['a', 'b'],
      'return (ids) => { for (let i = 0; i < ids.length; i++) { const id = ids[i]; a[id] = a[id] + b[id] * $c; } };',
      (k, next) => {
        spawn(world, CROWD_ENTITIES, [ids[k], arrays[k], k], [ids[next], arrays[next], 1]);
        return [arrays[k], arrays[next]];
      },
    );
    executes.forEach((execute, k) =>
      world.registerSystem(system([ids[k], ids[(k + 1) % 20]], execute)),
    );
    world.initialize();
    return () => world.update();
  },
  workloads: {
    packed_5() {
      const world = new World();
      const ids = Array.from({ length: 5 }, () => world.createComponentId());
      const [a, b, c, d, e] = ids.map(() => scalar(GROUP));
      const arrays = [a, b, c, d, e];
      spawn(world, GROUP, ...ids.map((id, i) => [id, arrays[i], i + 1]));
      world
        .registerSystem(
          system([ids[0]], (list) => {
            for (let i = 0; i < list.length; i++) a[list[i]] *= 2;
          }),
        )
        .registerSystem(
          system([ids[1]], (list) => {
            for (let i = 0; i < list.length; i++) b[list[i]] *= 2;
          }),
        )
        .registerSystem(
          system([ids[2]], (list) => {
            for (let i = 0; i < list.length; i++) c[list[i]] *= 2;
          }),
        )
        .registerSystem(
          system([ids[3]], (list) => {
            for (let i = 0; i < list.length; i++) d[list[i]] *= 2;
          }),
        )
        .registerSystem(
          system([ids[4]], (list) => {
            for (let i = 0; i < list.length; i++) e[list[i]] *= 2;
          }),
        );
      world.initialize();
      return { run: () => world.update(), checksum: () => arrays.map((array) => sum(array)) };
    },
    simple_iter() {
      const world = new World();
      const [A, B, C, D, E] = Array.from({ length: 5 }, () => world.createComponentId());
      const a = scalar(4 * GROUP),
        b = scalar(4 * GROUP),
        c = scalar(4 * GROUP);
      const d = scalar(4 * GROUP),
        e = scalar(4 * GROUP);
      spawn(world, GROUP, [A, a, 1], [B, b, 2]);
      spawn(world, GROUP, [A, a, 1], [B, b, 2], [C, c, 3]);
      spawn(world, GROUP, [A, a, 1], [B, b, 2], [C, c, 3], [D, d, 4]);
      spawn(world, GROUP, [A, a, 1], [B, b, 2], [C, c, 3], [E, e, 5]);
      world
        .registerSystem(
          system([A, B], (list) => {
            for (let i = 0; i < list.length; i++) {
              const id = list[i];
              const x = a[id];
              a[id] = b[id];
              b[id] = x;
            }
          }),
        )
        .registerSystem(
          system([C, D], (list) => {
            for (let i = 0; i < list.length; i++) {
              const id = list[i];
              const x = c[id];
              c[id] = d[id];
              d[id] = x;
            }
          }),
        )
        .registerSystem(
          system([C, E], (list) => {
            for (let i = 0; i < list.length; i++) {
              const id = list[i];
              const x = c[id];
              c[id] = e[id];
              e[id] = x;
            }
          }),
        );
      world.initialize();
      return {
        run: () => world.update(),
        checksum: () => [a, b, c, d, e].map((array) => sum(array)),
      };
    },
    frag_iter() {
      const world = new World();
      const ids = LETTERS.map(() => world.createComponentId());
      const Data = world.createComponentId();
      const size = LETTERS.length * FRAGMENT;
      const arrays = ids.map(() => scalar(size));
      const data = scalar(size);
      ids.forEach((id, i) => spawn(world, FRAGMENT, [id, arrays[i], 1], [Data, data, 1]));
      const z = arrays[25];
      world
        .registerSystem(
          system([Data], (list) => {
            for (let i = 0; i < list.length; i++) data[list[i]] *= 2;
          }),
        )
        .registerSystem(
          system([ids[25]], (list) => {
            for (let i = 0; i < list.length; i++) z[list[i]] *= 2;
          }),
        );
      world.initialize();
      return { run: () => world.update(), checksum: () => [sum(data), sum(z), sum(arrays[0])] };
    },
    entity_cycle() {
      const world = new World();
      const A = world.createComponentId();
      const B = world.createComponentId();
      const a = scalar(4 * GROUP);
      const b = scalar(4 * GROUP);
      spawn(world, GROUP, [A, a, 1]);
      const onlyB = world.prefabricate([B]);
      let destroyed = 0;
      world
        .registerSystem(
          system([A], (list) => {
            for (let i = 0; i < list.length; i++) b[world.createEntity(onlyB)] = a[list[i]];
          }),
        )
        .registerSystem(
          system([B], (list) => {
            for (let i = list.length - 1; i >= 0; i--) {
              world.deleteEntity(list[i]);
              destroyed++;
            }
          }),
        );
      world.initialize();
      return {
        run: () => world.update(),
        checksum: () => [GROUP, onlyB.entities.length, destroyed],
      };
    },
    add_remove() {
      const world = new World();
      const A = world.createComponentId();
      const B = world.createComponentId();
      const a = scalar(GROUP);
      const b = scalar(GROUP);
      spawn(world, GROUP, [A, a, 1]);
      const onlyA = world.prefabricate([A]);
      const both = world.prefabricate([A, B]);
      let most = 0;
      world
        .registerSystem(
          createEntitySystem(
            (list) => {
              for (let i = list.length - 1; i >= 0; i--) {
                const id = list[i];
                world.addComponent(id, B);
                b[id] = 2;
              }
            },
            (q) => q.every(A).none(B),
          ),
        )
        .registerSystem(
          system([B], (list) => {
            most = Math.max(most, list.length);
            for (let i = list.length - 1; i >= 0; i--) world.removeComponent(list[i], B);
          }),
        );
      world.initialize();
      return {
        run: () => world.update(),
        checksum: () => [onlyA.entities.length, most, both.entities.length],
      };
    },
    move_1k: () => move(1_000),
    move_100k: () => move(100_000),
    move_1m: () => move(1_000_000),
    create() {
      let world, body, px, py, pz, vx, vy, vz;
      return {
        prepare() {
          world = new World();
          const P = world.createComponentId();
          const V = world.createComponentId();
          body = world.prefabricate([P, V]);
          world.registerSystem(system([P, V], () => {}));
          world.initialize();
          [px, py, pz, vx, vy, vz] = Array.from({ length: 6 }, () => scalar(CREATED));
        },
        run() {
          for (let n = 0; n < CREATED; n++) {
            const id = world.createEntity(body);
            px[id] = n;
            py[id] = 0;
            pz[id] = 0;
            vx[id] = 1;
            vy[id] = 1;
            vz[id] = 1;
          }
        },
        checksum: () => [body.entities.length, sum(px), sum(vx)],
      };
    },
  },
};
