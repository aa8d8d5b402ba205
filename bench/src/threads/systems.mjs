/** The loops as systems of `@ecliptic/scheduler`, for both sides. */
import { defineComponent, f32, query, read, vec3, write } from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';
import { kernels } from './kernels.mjs';

export const Position = defineComponent('Position', { value: vec3() });
export const Velocity = defineComponent('Velocity', { value: vec3() });
export const Wave = defineComponent('Wave', { phase: f32(), height: f32() });

export const heavy = defineSystem({
  name: 'heavy',
  worker: true,
  queries: { rows: query(write(Wave)) },
  update({ rows }, { dt }) {
    for (const table of rows.tables()) {
      const { phase, height } = table.column(Wave);
      kernels.heavy.run(phase, height, 0, table.count, dt);
    }
  },
});

export const light = defineSystem({
  name: 'light',
  worker: true,
  queries: { rows: query(write(Position), read(Velocity)) },
  update({ rows }, { dt }) {
    for (const table of rows.tables()) {
      const { value: velocity } = table.column(Velocity);
      kernels.light.run(velocity, table.column(Position).value, 0, table.count, dt);
    }
  },
});
