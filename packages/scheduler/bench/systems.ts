// Kernels of the benchmarks, for both sides.
import { defineComponent, f32, query, read, vec3, write } from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';

export const Position = defineComponent('Position', { value: vec3() });
export const Velocity = defineComponent('Velocity', { value: vec3() });
export const Wave = defineComponent('Wave', { phase: f32(), height: f32() });

/** `p += v · dt`: three multiply-adds a row, bound by memory. */
export const light = defineSystem({
  name: 'light',
  worker: true,
  queries: { rows: query(write(Position), read(Velocity)) },
  update({ rows }, { dt }) {
    for (const table of rows.tables()) {
      const p = table.column(Position).value;
      const v = table.column(Velocity).value;
      const end = table.count * 3;
      for (let i = 0; i < end; i++) p[i] = (p[i] as number) + (v[i] as number) * dt;
    }
  },
});

/** About 50 operations and a sine a row. */
export const heavy = defineSystem({
  name: 'heavy',
  worker: true,
  queries: { rows: query(write(Wave)) },
  update({ rows }, { dt }) {
    for (const table of rows.tables()) {
      const { phase, height } = table.column(Wave);
      for (let row = 0; row < table.count; row++) {
        let x = (phase[row] as number) + dt;
        phase[row] = x;
        for (let i = 0; i < 16; i++) x = x * 0.999 + (1 - x * x * 0.001);
        height[row] = Math.sin(x);
      }
    }
  },
});
