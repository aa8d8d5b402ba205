// Systems that mix whatever they read into what they write, for the stress test. Only + - * and rounding, which are the same
// bits in every engine.
import { defineComponent, entity, f32, i32, query, read, without, write } from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';

export const fields = ['A', 'B', 'C', 'D', 'E'].map((name) =>
  defineComponent(name, { value: i32(), wave: f32() }),
);

/** Where commands of workers refer to entities that they make. */
export const Bond = defineComponent('Bond', { to: entity() });

/** All pairs of a field that is read and one that is written. */
const mixing = fields.flatMap((from, i) =>
  fields
    .filter((to) => to !== from)
    .map((to, k) =>
      defineSystem({
        name: `${from.name} to ${to.name}`,
        worker: (i + k) % 4 !== 0 ? true : (false as never),
        order: (i * k) % 3,
        queries: {
          rows: query(
            read(from),
            write(to),
            ...(k % 2 === 0 ? [] : [without(fields[(i + 3) % 5] ?? to)]),
          ),
        },
        update({ rows }, { dt, time, commands }) {
          for (const table of rows.tables()) {
            const source = table.column(from);
            const target = table.column(to);
            for (let row = 0; row < table.count; row++) {
              const mixed = Math.imul((source.value[row] ?? 0) ^ time.frameCount, 0x9e37_79b1);
              target.value[row] = Math.imul((target.value[row] ?? 0) ^ mixed, 0x85eb_ca6b);
              const chance = k === 1 ? (target.value[row] ?? 0) & 255 : 255;
              const self = table.entities[row] ?? 0;
              if (chance === 0) commands.destroyEntity(self);
              if (chance === 1) {
                const child = commands.createEntity();
                commands.addComponent(child, to, { value: mixed });
                commands.addComponent(commands.createEntity(), Bond, { to: child });
              }
              if (chance === 2) commands.setComponent(self, Bond, { to: self });
              if (chance === 3) commands.removeComponent(self, from);
              const wave = (target.wave[row] ?? 0) * 1.7 + (source.wave[row] ?? 0) + dt * (i + 1);
              target.wave[row] = wave - Math.floor(wave);
            }
          }
        },
      }),
    ),
);

/** Asks for changes, then fails for some rows in some steps: nothing that it asked for in these happens. */
const failing = fields.map((field) =>
  defineSystem({
    name: `failing on ${field.name}`,
    worker: true,
    onFailure: 'retain',
    queries: { rows: query(read(field)) },
    writes: [Bond],
    update({ rows }, { time, commands }) {
      for (const table of rows.tables()) {
        const { value } = table.column(field);
        for (let row = 0; row < table.count; row++) {
          const chance = (value[row] ?? 0) & 255;
          const self = table.entities[row] ?? 0;
          if (chance === 4) commands.addComponent(commands.createEntity(), Bond, { to: self });
          if (chance === 5) commands.destroyEntity(self);
          if (chance === 6 && time.frameCount % 2 === 0) throw new RangeError(`row ${row}`);
        }
      }
    },
  }),
);

export const stressSystems = [...mixing, ...failing];
