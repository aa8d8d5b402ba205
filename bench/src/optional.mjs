/**
 * Rows whose second component is optional: 10 tables of 100 entities, every other with that component. A hand-written loop over columns, `each`
 * and `forEach`, by turns. Prints one line of JSON: nanoseconds a row, the median of 60 samples.
 *
 * node [--disallow-code-generation-from-strings] src/optional.mjs
 */
import { Scene, defineComponent, defineTag, f32, optional, read, write } from '@ecliptic/ecs';
import { sampleOf } from './processor-time.mjs';

const TABLES = 10;
const ROWS = 100;
const SAMPLES = 60;
/** Runs of all rows in a sample. */
const BATCH = 500;

const scene = new Scene({ development: false });
const A = defineComponent('A', { value: f32() });
const B = defineComponent('B', { value: f32({ default: 1 }) });
for (let t = 0; t < TABLES; t++) {
  const kind = defineTag(`Kind${t}`);
  for (let row = 0; row < ROWS; row++) {
    if (t % 2 === 0) scene.createEntity(A, kind);
    else scene.createEntity(A, B, kind);
  }
}
const query = scene.query(write(A), optional(read(B)));
const tables = Array.from({ length: TABLES }, (_, t) => ({
  a: new Float32Array(ROWS),
  b: t % 2 === 0 ? undefined : new Float32Array(ROWS).fill(1),
}));

const ways = {
  'hand-written': () => {
    for (const { a, b } of tables) {
      for (let row = 0; row < ROWS; row++) a[row] += b ? b[row] : 1;
    }
  },
  each: () => {
    query.each((row, a, b) => {
      a.value[row] += b ? b.value[row] : 1;
    });
  },
  forEach: () => {
    query.forEach((entity, a, b) => {
      a.value += b ? b.value : 1;
    });
  },
};

const samples = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
for (let i = 0; i < 2 * SAMPLES; i++) {
  for (const [name, run] of Object.entries(ways)) {
    const time = await sampleOf(run, BATCH);
    if (i >= SAMPLES) samples[name].push(time);
  }
}
// Two of the ways are of the scene, and each adds 1.
const expected = 2 * 2 * SAMPLES * BATCH;
for (const table of scene.query(read(A)).tables()) {
  const sum = table
    .column(A)
    .value.subarray(0, table.count)
    .reduce((all, each) => all + each, 0);
  if (sum !== expected * table.count) throw new Error(`expected ${expected} a row, got ${sum}`);
}
const perRow = (times) => (times.toSorted((a, b) => a - b)[SAMPLES >> 1] * 1e6) / (TABLES * ROWS);
const figures = Object.fromEntries(
  Object.entries(samples).map(([name, times]) => [name, perRow(times)]),
);
process.stdout.write(`${JSON.stringify(figures)}\n`);
