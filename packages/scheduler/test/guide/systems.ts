import { defineComponent, defineTag, query, read, vec3, without, write } from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';

export const Position = defineComponent('Position', { value: vec3() });
export const Velocity = defineComponent('Velocity', { value: vec3() });
export const Frozen = defineTag('Frozen');

export const gravity = defineSystem({
  name: 'game.gravity',
  phase: 'prePhysics',
  queries: { falling: query(write(Velocity), without(Frozen)) },
  update({ falling }, { dt }) {
    falling.each((row, velocity) => {
      velocity.value[3 * row + 1] = (velocity.value[3 * row + 1] ?? 0) - 9.81 * dt;
    });
  },
});

export const movement = defineSystem({
  name: 'game.movement',
  phase: 'physics',
  worker: true,
  queries: { movers: query(write(Position), read(Velocity), without(Frozen)) },
  update({ movers }, { dt }) {
    for (const table of movers.tables()) {
      const p = table.column(Position).value;
      const v = table.column(Velocity).value;
      for (let i = 0; i < table.count * 3; i++) p[i] = (p[i] ?? 0) + (v[i] ?? 0) * dt;
    }
  },
});

export const ground = defineSystem({
  name: 'game.ground',
  phase: 'postPhysics',
  queries: { all: query(read(Position)) },
  update({ all }, { commands }) {
    for (const table of all.tables()) {
      const { value } = table.column(Position);
      for (let row = 0; row < table.count; row++) {
        if ((value[3 * row + 1] ?? 0) < -100) commands.destroyEntity(table.entities[row] ?? 0);
      }
    }
  },
});
