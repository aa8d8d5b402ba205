import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';
import {
  added,
  changed,
  Commands,
  defineComponent,
  f32,
  having,
  read,
  Scene,
  vec3,
  write,
  type EntityId,
} from '../src/index.js';
import { Transform } from '../src/components.js';
import { RenderableTransforms } from '../src/index.js';

const A = defineComponent('A', { value: f32(), place: vec3() });
const B = defineComponent('B', { value: f32() });
const S = defineComponent('S', { value: f32() }, { storage: 'sparse' });

function youngBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name.startsWith('new'))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

const TIMES = 2_000;

/** Where nobody wakes who waits. */
const asleep = new Int32Array(new SharedArrayBuffer(4));

/**
 * Bytes that one call of `action` allocates once warm. The least of several rounds: a collection in between, or the engine's own work,
 * only spoils a round; what the action allocates shows in all. Between rounds the thread that compiles gets its turn: on a busy
 * machine, code that is not compiled yet makes numbers on the heap.
 */
function bytesPerCall(action: () => void): number {
  for (let i = 0; i < 3 * TIMES; i++) action();
  let least = Infinity;
  for (let round = 0; round < 60 && least >= TIMES; round++) {
    if (round > 0) Atomics.wait(asleep, 0, 0, 10);
    const before = youngBytes();
    for (let i = 0; i < TIMES; i++) action();
    const grown = youngBytes() - before;
    if (grown >= 0) least = Math.min(least, grown);
  }
  return least / TIMES;
}

function populated(development: boolean): Scene {
  const scene = new Scene({ maxEntities: 1_024, development });
  for (let i = 0; i < 200; i++) {
    const id = i % 2 === 0 ? scene.createEntity(A) : scene.createEntity(A, B);
    if (i % 5 === 0) scene.addComponent(id, S);
  }
  return scene;
}

describe('warm iteration', () => {
  it('the measurement sees an allocation', () => {
    const kept: unknown[] = [];
    expect(bytesPerCall(() => void (kept[0] = { x: kept.length }))).toBeGreaterThan(8);
  });

  it.each([true, false])('allocates nothing, with development checks %s (18)', (development) => {
    const scene = populated(development);
    const rows = scene.query(write(A), read(B));
    const sparse = scene.query(read(A), S);
    const filtered = scene.query(write(A), having(S));
    const watching = scene.query(read(A), changed(A), added(B));
    const terms = [A, read(B)] as const;
    const eachRow = (row: number, a: { value: Float32Array }): void => {
      a.value[row] = (a.value[row] ?? 0) + 1;
    };
    const eachEntity = (_id: EntityId, a: { value: number; place: { x: number } }): void => {
      a.value += 1;
      a.place.x += 1;
    };
    const nothing = (): void => undefined;
    const actions = {
      each: () => rows.each(eachRow),
      forEach: () => rows.forEach(eachEntity),
      tables: () => void rows.tables(),
      'a sparse component': () => sparse.forEach(nothing),
      'a sparse filter': () => filtered.each(eachRow),
      'changes and additions': () => watching.each(nothing),
      'ad hoc': () => scene.forEach(terms, eachEntity),
      count: () => void rows.count(),
    };
    const bytes = Object.fromEntries(
      Object.entries(actions).map(([name, action]) => [name, bytesPerCall(action) < 4]),
    );
    expect(bytes).toEqual(Object.fromEntries(Object.keys(actions).map((name) => [name, true])));
  });

  it('tables() allocates nothing where more or fewer tables changed than the last time (18)', () => {
    const scene = new Scene({ maxEntities: 1_024 });
    const tags = Array.from({ length: 60 }, (_, i) => defineComponent(`T${i}`, { value: f32() }));
    for (const tag of tags) scene.createEntity(A, tag);
    const watching = scene.query(read(A), changed(A));
    const writers = tags.map((tag) => scene.query(write(A), having(tag)));
    const counts: number[] = [];
    for (const writer of [...writers, ...writers]) {
      writer.tables();
      counts.push(watching.tables().length);
    }
    expect(counts.slice(-3)).toEqual([1, 1, 1]);
    let n = 0;
    const action = (): void => {
      const written = n++ % 2 === 0 ? 60 : 1;
      for (let i = 0; i < written; i++) writers[i]?.tables();
      if (watching.tables().length !== written) throw new Error('wrong number of tables');
    };
    expect(bytesPerCall(action)).toBeLessThan(4);
  });

  it('snapshotTransforms, fillRenderableTransforms and commands that come to nothing allocate nothing', () => {
    const scene = new Scene({ maxEntities: 1_024 });
    const id = scene.createEntity(Transform);
    for (let i = 0; i < 50; i++) scene.createEntity(Transform, B);
    const out = new RenderableTransforms();
    expect(bytesPerCall(() => scene.snapshotTransforms())).toBeLessThan(4);
    expect(bytesPerCall(() => scene.fillRenderableTransforms(0.5, out))).toBeLessThan(4);
    const commands = new Commands(new Scene({ maxEntities: 16, development: false }));
    void id;
    expect(bytesPerCall(() => commands.flush())).toBeLessThan(200);
  });
});
