import { defineComponent, f32, query, read } from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';

export const Source = defineComponent('Source', { value: f32() });
export const Heat = defineComponent('Heat', { value: f32() });

/** One command a row. */
export const record = defineSystem({
  name: 'record',
  worker: true,
  writes: [Heat],
  queries: { rows: query(read(Source)) },
  update({ rows }, { commands }) {
    for (const { count, entities } of rows.tables()) {
      for (let row = 0; row < count; row++) {
        commands.setComponent(entities[row] ?? 0, Heat, { value: row });
      }
    }
  },
});
