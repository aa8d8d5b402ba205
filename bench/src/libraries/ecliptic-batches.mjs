import { Scene, defineComponent, f32, read, vec3 } from '@ecliptic/ecs';
import { CREATED, GROUP, sum } from '../workloads.mjs';

const makeScene = (maxEntities) =>
  new Scene({ development: false, maxEntities, arenaBudget: 256 * 2 ** 20 });

function total(scene, component, stride) {
  let result = 0;
  for (const table of scene.query(read(component)).tables())
    result += sum(table.column(component).value, table.count, stride);
  return result;
}

// Entities of one kind created together, each with values of its own, written into columns.
export default {
  label: '@ecliptic/ecs, createEntities()',
  workloads: {
    entity_cycle() {
      const scene = makeScene(4 * GROUP);
      const A = defineComponent('A', { value: f32() });
      const B = defineComponent('B', { value: f32() });
      for (let n = 0; n < GROUP; n++) scene.createEntity([A, { value: 1 }]);
      const spawners = scene.query(read(A));
      const spawned = scene.query(read(B));
      const ids = new Int32Array(GROUP);
      let destroyed = 0;
      return {
        run() {
          for (const table of spawners.tables()) {
            const { value } = table.column(A);
            scene.createEntities(ids, [B], (_ids, b) => {
              for (let row = 0; row < GROUP; row++) b.value[row] = value[row];
            });
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
    create() {
      const P = defineComponent('P', { value: vec3() });
      const V = defineComponent('V', { value: vec3() });
      let scene;
      return {
        prepare() {
          scene?.dispose();
          scene = makeScene(CREATED);
          scene.query(read(P), read(V)).count();
          scene.reserve([P, V], CREATED);
        },
        run() {
          scene.createEntities(CREATED, [P, V], (_ids, { value: p }, { value: v }) => {
            for (let n = 0, i = 0; n < CREATED; n++, i += 3) {
              p[i] = n;
              p[i + 1] = 0;
              p[i + 2] = 0;
              v[i] = 1;
              v[i + 1] = 1;
              v[i + 2] = 1;
            }
          });
        },
        checksum: () => [scene.entityCount, total(scene, P, 3), total(scene, V, 3)],
      };
    },
  },
};
