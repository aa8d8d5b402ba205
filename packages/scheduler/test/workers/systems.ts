// Systems that run on workers in tests, and the components they touch.
import {
  defineComponent,
  entity as entityField,
  f32,
  having,
  i32,
  optional,
  query,
  read,
  u8,
  vec3,
  without,
  write,
} from '@ecliptic/ecs';
import { defineSystem } from '@ecliptic/scheduler';
import { threadId } from 'node:worker_threads';

export const Position = defineComponent('Position', { value: vec3() });
export const Velocity = defineComponent('Velocity', {
  value: vec3(),
  damping: f32({ default: 1 }),
});
export const Mixed = defineComponent('Mixed', { a: i32(), b: f32(), c: u8() });
export const Other = defineComponent('Other', { value: i32() });
export const Frozen = defineComponent('Frozen', { since: f32() });
export const Thread = defineComponent('Thread', { id: i32() });
export const Trouble = defineComponent('Trouble', { kind: i32() });

/** By rows. */
export const move = defineSystem({
  name: 'move',
  worker: true,
  queries: { movers: query(write(Position), read(Velocity), without(Frozen)) },
  update({ movers }, { dt }) {
    movers.each((row, position, velocity) => {
      const p = position.value;
      const v = velocity.value;
      const damping = velocity.damping[row] ?? 1;
      for (let i = 3 * row; i < 3 * row + 3; i++) p[i] = (p[i] ?? 0) + (v[i] ?? 0) * damping * dt;
    });
  },
});

/** By tables, over fields of several kinds, with the number of the step. */
export const mix = defineSystem({
  name: 'mix',
  worker: true,
  queries: { rows: query(write(Mixed), optional(read(Velocity))) },
  update({ rows }, { time }) {
    for (const table of rows.tables()) {
      const { a, b, c } = table.column(Mixed);
      for (let row = 0; row < table.count; row++) {
        a[row] = Math.imul((a[row] ?? 0) ^ time.frameCount, 0x9e37_79b1);
        b[row] = Math.sin((b[row] ?? 0) + (table.entities[row] ?? 0));
        c[row] = (c[row] ?? 0) + 1;
      }
    }
  },
});

/** A second query that reads whole tables. */
export const gather = defineSystem({
  name: 'gather',
  worker: true,
  after: ['move', 'mix'],
  queries: { targets: query(write(Other)), sources: query(read(Position), having(Velocity)) },
  update({ targets, sources }) {
    let sum = 0;
    sources.each((row, position) => {
      sum += position.value[3 * row] ?? 0;
    });
    targets.each((row, other) => {
      other.value[row] = (other.value[row] ?? 0) + Math.floor(sum);
    });
  },
});

/** Keeps a thread busy, long enough for every other to get jobs too; or until something is so. */
function spend(milliseconds: number, isEnough: () => boolean = () => false): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until && !isEnough());
}

/** Writes down which thread ran each row. */
export const sign = defineSystem({
  name: 'sign',
  worker: true,
  queries: { rows: query(write(Thread)) },
  update({ rows }) {
    rows.each((row, thread) => {
      thread.id[row] = threadId;
    });
    spend(8);
  },
});

/** Fails in ways that depend on the data, but only on workers. */
export const trouble = defineSystem({
  name: 'trouble',
  worker: true,
  queries: { rows: query(read(Trouble)) },
  update({ rows }) {
    rows.each((row, { kind }) => {
      switch (kind[row]) {
        case 1:
          throw new RangeError(`row ${row} is bad`);
        case 2:
          if (threadId !== 0) for (;;);
          spend(2);
          break;
        case 3:
          if (threadId !== 0) process.exit(7);
          spend(2);
          break;
        default:
      }
    });
  },
});

/** Returns a promise without saying so. */
export const promising = defineSystem({
  name: 'promising',
  worker: true,
  queries: { rows: query(read(Trouble)) },
  update: (() => Promise.resolve()) as unknown as () => void,
});

export const Link = defineComponent('Link', { to: entityField(), weight: f32() });

/** Changes structure in every way there is, row by row. */
export const breed = defineSystem({
  name: 'breed',
  worker: true,
  queries: { rows: query(write(Other), read(Position)) },
  writes: [Link],
  update({ rows }, { commands, time }) {
    for (const table of rows.tables()) {
      const other = table.column(Other).value;
      const position = table.column(Position).value;
      for (let row = 0; row < table.count; row++) {
        const self = table.entities[row] ?? 0;
        const turn = ((other[row] ?? 0) + time.frameCount) % 8;
        other[row] = (other[row] ?? 0) + 1;
        if (turn === 0) {
          const child = commands.createEntity();
          const grandchild = commands.createEntity();
          commands.addComponent(child, Position, {
            value: position.subarray(3 * row, 3 * row + 3),
          });
          commands.addComponent(child, Link, { to: self, weight: -0 });
          commands.addComponent(grandchild, Link, { to: child, weight: 1 / 3 });
          if (time.frameCount < 6) commands.addComponent(grandchild, Other, { value: self % 8 });
        }
        if (turn === 1) commands.setComponent(self, Link, { weight: self });
        if (turn === 2) commands.removeComponent(self, Link);
        if (turn === 3 && self % 5 === 0) commands.destroyEntity(self);
      }
    }
  },
});

/** Writes what it declares to read. */
export const sneaky = defineSystem({
  name: 'sneaky',
  worker: true,
  queries: { rows: query(read(Position)) },
  update({ rows }) {
    rows.each((row, position) => {
      (position.value as Float32Array)[3 * row] = 5;
    });
  },
});

/** Asks for columns that its query does not have. */
export const curious = defineSystem({
  name: 'curious',
  worker: true,
  queries: { rows: query(read(Position)) },
  update({ rows }) {
    for (const table of rows.tables()) table.column(Velocity);
  },
});

export const Exact = defineComponent('Exact', { value: i32() }, { trackChanges: 'rows' });

/** Changes some rows, and says which: alternately by row and by table. */
export const tick = defineSystem({
  name: 'tick',
  worker: true,
  queries: { rows: query(write(Exact)) },
  update({ rows }, { time }) {
    const isDue = (value: number): boolean => (value + time.frameCount) % 5 === 0;
    if (time.frameCount % 2 === 0) {
      rows.each((row, exact) => {
        if (!isDue(exact.value[row] ?? 0)) return;
        exact.value[row] = (exact.value[row] ?? 0) + 3;
        exact.$touch(row);
      });
      return;
    }
    for (const table of rows.tables()) {
      const exact = table.column(Exact);
      for (let row = 0; row < table.count; row++) {
        if (!isDue(exact.value[row] ?? 0)) continue;
        exact.value[row] = (exact.value[row] ?? 0) + 3;
        exact.$touch(row);
      }
    }
  },
});

/** Takes long on a worker; elsewhere it waits until one has begun, so that there is something to wait for. */
export const slow = defineSystem({
  name: 'slow',
  worker: true,
  queries: { rows: query(write(Thread)) },
  update({ rows }) {
    let ids: Int32Array = new Int32Array(0);
    rows.each((row, thread) => {
      ids = thread.id;
      ids[row] = threadId;
    });
    if (threadId !== 0) spend(700);
    else spend(10_000, () => ids.some((_, row) => Atomics.load(ids, row) > 0));
  },
});

/** Neither registered nor declared by any system. */
export const Stray = defineComponent('Stray', { value: i32() });

/** Adds a component that nobody declares. */
export const straying = defineSystem({
  name: 'straying',
  worker: true,
  queries: { rows: query(read(Trouble)) },
  update({ rows }, { commands }) {
    for (const table of rows.tables()) {
      for (let row = 0; row < table.count; row++) {
        commands.addComponent(table.entities[row] ?? 0, Stray);
      }
    }
  },
});

/** Links each row to a new entity; throws, or hangs where it runs on a worker, between its commands. */
export const faltering = defineSystem({
  name: 'faltering',
  worker: true,
  queries: { rows: query(read(Trouble)) },
  writes: [Link],
  update({ rows }, { commands }) {
    for (const table of rows.tables()) {
      const { kind } = table.column(Trouble);
      for (let row = 0; row < table.count; row++) {
        const child = commands.createEntity();
        commands.addComponent(child, Link, { to: table.entities[row] ?? 0, weight: row });
        if (kind[row] === 1) throw new RangeError('in the middle');
        if (kind[row] === 2) {
          if (threadId !== 0) for (;;);
          spend(2);
        }
      }
    }
  },
});

/** A placeholder of the update before on this thread. */
let keptChild = 0;

/** Keeps a placeholder for longer than it is good, and destroys it and the dead. */
export const hoarding = defineSystem({
  name: 'hoarding',
  worker: true,
  queries: { rows: query(read(Trouble)) },
  writes: [Link],
  update({ rows }, { commands }) {
    for (const table of rows.tables()) {
      for (let row = 0; row < table.count; row++) {
        commands.destroyEntity(keptChild);
        commands.destroyEntity(2 ** 29);
        commands.addComponent(commands.createEntity(), Link, { to: keptChild });
      }
    }
    keptChild = commands.createEntity();
    commands.destroyEntity(keptChild);
  },
});

export const all = [
  straying,
  faltering,
  hoarding,
  tick,
  slow,
  breed,
  sneaky,
  curious,
  move,
  mix,
  gather,
  sign,
  trouble,
  promising,
];
