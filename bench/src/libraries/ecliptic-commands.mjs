import { Commands, Scene, defineComponent, f32, read } from '@ecliptic/ecs';
import { GROUP } from '../workloads.mjs';

// Structural changes as systems make them: recorded while a query is iterated, then applied.
function start() {
  const scene = new Scene({ development: false, maxEntities: 4 * GROUP });
  const A = defineComponent('A', { value: f32() });
  const B = defineComponent('B', { value: f32() });
  for (let n = 0; n < GROUP; n++) scene.createEntity([A, { value: 1 }]);
  const commands = new Commands(scene);
  return { A, B, commands, withA: scene.query(read(A)), withB: scene.query(read(B)) };
}

export default {
  label: '@ecliptic/ecs, Commands',
  workloads: {
    entity_cycle() {
      const { B, commands, withA, withB } = start();
      let destroyed = 0;
      const spawn = () => {
        withA.each((row, a) => {
          commands.addComponent(commands.createEntity(), B, { value: a.value[row] });
        });
        commands.flush();
      };
      const destroyAll = () => {
        withB.forEach((entity) => {
          commands.destroyEntity(entity);
          destroyed++;
        });
        commands.flush();
      };
      return {
        run() {
          spawn();
          destroyAll();
        },
        checksum: () => [withA.count(), withB.count(), destroyed],
      };
    },
    add_remove() {
      const { B, commands, withA, withB } = start();
      const value = { value: 2 };
      let before = 0;
      let between = 0;
      const add = () => {
        before = withA.count();
        withA.forEach((entity) => {
          commands.addComponent(entity, B, value);
        });
        commands.flush();
      };
      const remove = () => {
        between = withB.count();
        withB.forEach((entity) => {
          commands.removeComponent(entity, B);
        });
        commands.flush();
      };
      return {
        run() {
          add();
          remove();
        },
        checksum: () => [before, between, withB.count()],
      };
    },
  },
};
