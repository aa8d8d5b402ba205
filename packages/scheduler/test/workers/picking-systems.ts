// Worker systems whose queries pick rows, each with a component that counts the visits of every row.
import {
  added,
  anyOf,
  changed,
  defineComponent,
  defineTag,
  f32,
  having,
  i32,
  query,
  read,
  removed,
  without,
  write,
  type FilterTerm,
} from '@ecliptic/ecs';
import { defineSystem, type System } from '@ecliptic/scheduler';

export const Place = defineComponent('Place', { x: f32() });
export const Extra = defineComponent('Extra', { x: f32() });
export const Exact = defineComponent('Exact', { x: f32() }, { trackChanges: 'rows' });
export const Selected = defineTag('Selected', { storage: 'sparse' });
export const Heat = defineComponent('Heat', { x: f32() }, { storage: 'sparse' });

/** Visits of each row by one system. */
const tallyOf = (name: string) => defineComponent(`Tally of ${name}`, { visits: i32() });
type Tally = ReturnType<typeof tallyOf>;

/** Counts, row by row, the visits of `each`. */
function counting(name: string, ...filters: readonly FilterTerm[]): readonly [System, Tally] {
  const tally = tallyOf(name);
  const system = defineSystem({
    name,
    worker: true,
    queries: { rows: query(write(tally), ...filters) },
    update({ rows }) {
      rows.each((row, { visits }) => {
        visits[row] = (visits[row] ?? 0) + 1;
      });
    },
  });
  return [system, tally];
}

const ByTables = tallyOf('tables');
const byTables = defineSystem({
  name: 'tables',
  worker: true,
  queries: { rows: query(write(ByTables), changed(Place)) },
  update({ rows }) {
    for (const table of rows.tables()) {
      const { visits } = table.column(ByTables);
      for (let row = 0; row < table.count; row++) visits[row] = (visits[row] ?? 0) + 1;
    }
  },
});

const Now = tallyOf('now and then');
const nowAndThen = defineSystem({
  name: 'now and then',
  worker: true,
  queries: { rows: query(write(Now), added(Extra)) },
  update({ rows }, { time }) {
    if (time.frameCount % 3 !== 0) return;
    rows.each((row, { visits }) => {
      visits[row] = (visits[row] ?? 0) + 1;
    });
  },
});

const Sum = defineComponent('Sum', { value: f32() });
/** What changed anywhere goes into every row. */
const spreading = defineSystem({
  name: 'spreading',
  worker: true,
  queries: { rows: query(write(Sum)), news: query(read(Place), changed(Place), without(Selected)) },
  update({ rows, news }) {
    let sum = 0;
    news.each((row, { x }) => {
      sum = Math.fround(sum * 0.5 + (x[row] ?? 0));
    });
    for (const table of rows.tables()) {
      const { value } = table.column(Sum);
      for (let row = 0; row < table.count; row++) value[row] = (value[row] ?? 0) + sum;
    }
  },
});

/** Moves some, and reports them where changes of single rows are tracked. */
const shaking = defineSystem({
  name: 'shaking',
  worker: true,
  phase: 'postPhysics',
  queries: { rows: query(write(Exact), write(Place), having(Selected)) },
  update({ rows }, { time }) {
    rows.each((row, exact, { x }) => {
      x[row] = (x[row] ?? 0) + 1;
      if ((row + time.frameCount) % 5 === 0) exact.$touch(row);
    });
  },
});

const counters = [
  counting('changed chunks', changed(Place)),
  counting('changed rows', changed(Exact)),
  counting('both changed', changed(Place), changed(Extra)),
  counting('added', added(Extra)),
  counting('removed', removed(Extra)),
  counting('selected', having(Selected)),
  counting('not selected', without(Selected), changed(Place)),
  counting('either', anyOf(Selected, Heat)),
  counting('heated', changed(Heat)),
];
/** They see what the others write. */
const followers = counters.map(([{ name }, tally]) => {
  const [system, own] = counting(`after ${name}`, changed(tally));
  return [defineSystem({ ...system, ...system.hooks, phase: 'lateUpdate' } as never), own] as const;
});

export const pickingSystems: readonly System[] = [
  ...counters.map(([system]) => system),
  byTables,
  nowAndThen,
  spreading,
  shaking,
  ...followers.map(([system]) => system),
];

export const tallies = [...counters, ...followers].map(([, tally]) => tally);
export const everywhere = [Sum, ByTables, Now, ...tallies];
