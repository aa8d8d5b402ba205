import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  added,
  changed,
  defineComponent,
  defineTag,
  f32,
  having,
  query,
  read,
  removed,
  Scene,
  without,
  write,
  type Component,
  type EntityId,
  type Query,
  type QueryDescription,
} from '../src/index.js';
import { expectError } from './support.js';

const A = defineComponent('A', { value: f32() });
const B = defineComponent('B', { value: f32() });
const Exact = defineComponent('Exact', { value: f32() }, { trackChanges: 'rows' });
const S = defineTag('S', { storage: 'sparse' });
const Hot = defineComponent('Hot', { value: f32() }, { storage: 'sparse' });
const ALL: readonly Component[] = [A, B, Exact, S, Hot];

const QUERIES: readonly QueryDescription[] = [
  query(write(A)),
  query(read(A), write(B)),
  query(read(A), changed(A)),
  query(write(A), changed(A)),
  query(write(B), changed(A), changed(B)),
  query(read(B), added(B)),
  query(read(A), removed(B)),
  query(read(A), changed(Exact)),
  query(write(A), having(S)),
  query(write(B), without(S), changed(A)),
  query(read(A), changed(Hot)),
  query(having(Exact), added(S)),
];

/** Which rows a run visits, as ids: here, or as it is shown to a scheduler. */
function visitedHere(each: Query): EntityId[] {
  const ids = each.entities;
  each.each(() => undefined);
  return ids;
}

function visitedElsewhere(each: Query): EntityId[] {
  const ids: EntityId[] = [];
  let index = -1;
  each.select({
    table: (at) => (index = at),
    rows: (from, to) => {
      const { entities } = each.matches()[index] ?? { entities: [] };
      for (let row = from; row < to; row++) ids.push(entities[row] ?? 0);
    },
  });
  each.ran('each');
  return ids;
}

/** One scene with all queries prepared. */
function setUp() {
  const scene = new Scene({ maxEntities: 2_048, arenaBudget: 1 << 23 });
  const living: EntityId[] = [];
  for (let i = 0; i < 600; i++) living.push(scene.createEntity(A, ...(i % 3 === 0 ? [B] : [])));
  return { scene, living, queries: QUERIES.map((each) => scene.query(each)) };
}

type Step = readonly [what: number, who: number, component: number];

function apply({ scene, living }: ReturnType<typeof setUp>, [what, who, which]: Step): void {
  const entity = living[who % living.length] ?? 0;
  const component = ALL[which] as Component;
  if (what === 0 && scene.hasComponent(entity, component)) scene.removeComponent(entity, component);
  else if (what === 1) {
    scene.destroyEntity(entity);
    living[who % living.length] = scene.createEntity(A, B);
  } else scene.setComponent(entity, component);
}

describe('Query.select and Query.ran', () => {
  it('show the rows that a run visits, and leave behind what a run leaves behind', () => {
    const step = fc.tuple(fc.nat(4), fc.nat(599), fc.nat(ALL.length - 1));
    const round = fc.record({
      steps: fc.array(step, { maxLength: 12 }),
      runs: fc.subarray(QUERIES.map((_, i) => i)),
    });
    fc.assert(
      fc.property(fc.array(round, { maxLength: 12 }), (rounds) => {
        const here = setUp();
        const there = setUp();
        for (const { steps, runs } of rounds) {
          for (const each of steps) {
            apply(here, each);
            apply(there, each);
          }
          for (const index of runs) {
            const one = here.queries[index];
            const other = there.queries[index];
            if (one === undefined || other === undefined) continue;
            expect(visitedElsewhere(other)).toEqual(visitedHere(one));
          }
        }
        here.scene.dispose();
        there.scene.dispose();
      }),
      { numRuns: 60 },
    );
  });

  it('whole tables count as written after a run by tables', () => {
    const { scene, living } = setUp();
    const writer = scene.query(query(write(A), changed(A)));
    const watcher = scene.query(query(read(A), changed(A)));
    for (const each of [writer, watcher]) each.each(() => undefined);
    scene.setComponent(living[1] ?? 0, A);
    let tables = 0;
    let rows = 0;
    writer.select({
      table: () => tables++,
      rows: (from, to) => {
        rows += to - from;
      },
    });
    // Entity 1 is in the second of two tables, of 200 and 400 rows, in the first of whose chunks.
    expect([tables, rows]).toEqual([1, 256]);
    writer.ran('tables');
    expect(watcher.entities).toHaveLength(400);
  });

  it('refuse components that have no columns beside others', () => {
    const { scene } = setUp();
    const each = scene.query(query(read(Hot)));
    const error = expectError('ecs/sparse-columns', () =>
      each.select({ table: () => 0, rows: () => 0 }),
    );
    expect(error.subjects['component']).toBe('Hot');
  });
});
