import {
  Scene,
  defineComponent,
  f32,
  f64,
  i16,
  i32,
  read,
  u32,
  u8,
  vec3,
  write,
} from '@ecliptic/ecs';
import {
  CREATED,
  CROWD_ENTITIES,
  CROWD_KINDS,
  FRAGMENT,
  GROUP,
  LETTERS,
  crowdOf,
} from '../workloads.mjs';

const KINDS = { f32, f64, i32, u8, i16, u32 };

let names = 0;
const scalar = (kind = 'f32') => defineComponent(`S${names++}`, { value: KINDS[kind]() });
const vector = () => defineComponent(`V${names++}`, { value: vec3() });

/** A scene as shipped: without the checks of development builds. */
const makeScene = (entities) =>
  new Scene({
    development: false,
    maxEntities: Math.max(entities, 4_096),
    arenaBudget: 256 * 2 ** 20,
  });

function spawn(scene, count, ...componentsAndValues) {
  const inits = componentsAndValues.map(([component, value]) => [component, { value }]);
  for (let n = 0; n < count; n++) scene.createEntity(...inits);
}

function total(scene, component, stride = 1, offset = 0) {
  let sum = 0;
  for (const table of scene.query(read(component)).tables()) {
    const { value } = table.column(component);
    for (let row = 0; row < table.count; row++) sum += value[row * stride + offset];
  }
  return sum;
}

/** The workloads, with the loops of one level of queries. */
export function ecliptic(level) {
  const move = (entities) => {
    const scene = makeScene(entities);
    const P = vector();
    const V = vector();
    for (let n = 0; n < entities; n++) scene.createEntity(P, [V, { value: [1, 2, 3] }]);
    return {
      run: level.move(scene.query(write(P), read(V)), P, V),
      checksum: () => [0, 1, 2].map((axis) => total(scene, P, 3, axis)),
    };
  };
  return {
    label: level.label,
    crowd() {
      const scene = makeScene(20 * CROWD_ENTITIES);
      const components = Array.from({ length: 20 }, (_, k) =>
        scalar(CROWD_KINDS[k % CROWD_KINDS.length]),
      );
      const systems = crowdOf(['query', 'A', 'B'], level.crowd, (k, next) => {
        const [A, B] = [components[k], components[next]];
        spawn(scene, CROWD_ENTITIES, [A, k], [B, 1]);
        return [scene.query(write(A), read(B)), A, B];
      });
      return () => {
        for (const system of systems) system();
      };
    },
    workloads: {
      packed_5() {
        const scene = makeScene(GROUP);
        const components = Array.from({ length: 5 }, () => scalar());
        spawn(scene, GROUP, ...components.map((component, i) => [component, i + 1]));
        const queries = components.map((component) => scene.query(write(component)));
        return {
          run: level.packed(queries, components),
          checksum: () => components.map((component) => total(scene, component)),
        };
      },
      simple_iter() {
        const scene = makeScene(4 * GROUP);
        const components = Array.from({ length: 5 }, () => scalar());
        const [A, B, C, D, E] = components;
        spawn(scene, GROUP, [A, 1], [B, 2]);
        spawn(scene, GROUP, [A, 1], [B, 2], [C, 3]);
        spawn(scene, GROUP, [A, 1], [B, 2], [C, 3], [D, 4]);
        spawn(scene, GROUP, [A, 1], [B, 2], [C, 3], [E, 5]);
        const queries = [
          scene.query(write(A), write(B)),
          scene.query(write(C), write(D)),
          scene.query(write(C), write(E)),
        ];
        return {
          run: level.simple(queries, components),
          checksum: () => components.map((component) => total(scene, component)),
        };
      },
      frag_iter() {
        const scene = makeScene(LETTERS.length * FRAGMENT);
        const letters = LETTERS.map(() => scalar());
        const Data = scalar();
        for (const letter of letters) spawn(scene, FRAGMENT, [letter, 1], [Data, 1]);
        const Z = letters[25];
        return {
          run: level.frag([scene.query(write(Data)), scene.query(write(Z))], Data, Z),
          checksum: () => [Data, Z, letters[0]].map((component) => total(scene, component)),
        };
      },
      entity_cycle() {
        const scene = makeScene(4 * GROUP);
        const A = scalar();
        const B = scalar();
        spawn(scene, GROUP, [A, 1]);
        const spawners = scene.query(read(A));
        const spawned = scene.query(read(B));
        let destroyed = 0;
        return {
          run() {
            for (const table of spawners.tables()) {
              const { value } = table.column(A);
              for (let row = 0, rows = table.count; row < rows; row++)
                scene.createEntity([B, { value: value[row] }]);
            }
            for (const table of spawned.tables()) {
              for (let row = table.count - 1; row >= 0; row--) {
                scene.destroyEntity(table.entities[row]);
                destroyed++;
              }
            }
          },
          checksum: () => [spawners.count(), spawned.count(), destroyed],
        };
      },
      add_remove() {
        const scene = makeScene(GROUP);
        const A = scalar();
        const B = scalar();
        spawn(scene, GROUP, [A, 1]);
        const withA = scene.query(read(A));
        const withB = scene.query(read(B));
        const value = { value: 2 };
        const add = () => {
          for (const table of withA.tables()) {
            if (table.count === 0) continue;
            for (let row = table.count - 1; row >= 0; row--)
              scene.addComponent(table.entities[row], B, value);
            break;
          }
        };
        const remove = () => {
          for (const table of withB.tables()) {
            for (let row = table.count - 1; row >= 0; row--)
              scene.removeComponent(table.entities[row], B);
          }
        };
        return {
          run() {
            add();
            remove();
          },
          checksum() {
            const before = withA.count();
            add();
            const between = withB.count();
            remove();
            return [before, between, withB.count()];
          },
        };
      },
      move_1k: () => move(1_000),
      move_100k: () => move(100_000),
      move_1m: () => move(1_000_000),
      create() {
        const P = vector();
        const V = vector();
        let scene;
        return {
          prepare() {
            scene?.dispose();
            scene = makeScene(CREATED);
            scene.query(write(P), read(V)).count();
            scene.reserve([P, V], CREATED);
          },
          run() {
            for (let n = 0; n < CREATED; n++) {
              scene.createEntity([P, { value: [n, 0, 0] }], [V, { value: [1, 1, 1] }]);
            }
          },
          checksum: () => [scene.entityCount, total(scene, P, 3), total(scene, V, 3)],
        };
      },
    },
  };
}
