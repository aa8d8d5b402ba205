import { describe, expect, it } from 'vitest';
import {
  decodeEntityId,
  defineComponent,
  defineTag,
  f32,
  f64,
  Scene,
  u16,
  u8,
  vec3,
  type EntityId,
} from '../src/index.js';
import { expectError, RecordingLog } from './support.js';
import { storageConformance } from './storage-conformance.js';

storageConformance('packed table', 'table', 'packed');
storageConformance('ordered table', 'table', 'ordered');
storageConformance('sparse set', 'sparse', 'packed');
storageConformance('sparse set in an ordered scene', 'sparse', 'ordered');

const Mixed = defineComponent('Mixed', { a: u8(), place: vec3(), b: u16(), time: f64() });
const Position = defineComponent('Position', { value: vec3() });
const Velocity = defineComponent('Velocity', { value: vec3() });
const Mass = defineComponent('Mass', { value: f32() });
const Marked = defineComponent('Marked', { weight: f32() }, { storage: 'sparse' });
const Level = defineComponent('Level', { value: u16() });
const Flag = defineTag('Flag');

/** Deterministic shuffle; the same seed, the same order. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const result = [...items];
  let state = seed | 1;
  for (let i = result.length - 1; i > 0; i--) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) ^ (state << 7);
    const j = (state >>> 0) % (i + 1);
    [result[i], result[j]] = [result[j] as T, result[i] as T];
  }
  return result;
}

describe('table layout', () => {
  it('a row’s columns are contiguous and 32-byte aligned (10)', () => {
    const scene = new Scene({ maxEntities: 1_024 });
    for (let i = 0; i < 100; i++) scene.createEntity([Mixed, { a: i, b: i, time: i }]);
    const [table] = scene.query(Mixed).tables();
    const { a, place, b, time } = table?.column(Mixed) ?? {};
    for (const column of [a, place, b, time]) {
      expect((column?.byteOffset ?? 1) % 32).toBe(0);
      expect(column?.buffer).toBe(scene.arena.buffer);
    }
    expect(place?.length).toBe(128 * 3);
    expect(Array.from(time?.subarray(0, 100) ?? [])).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    );
  });

  it('growth doubles, is capped at capacity, counted in the stats and logged (10)', () => {
    const log = new RecordingLog('ecs');
    const scene = new Scene({ maxEntities: 100, log });
    const capacities = new Set<number>();
    for (let i = 0; i < 100; i++) {
      scene.createEntity(Position);
      capacities.add(scene.archetypeStats().archetypes[0]?.capacity ?? 0);
    }
    expect([...capacities]).toEqual([16, 32, 64, 100]);
    const stats = scene.archetypeStats();
    expect(stats.totalArchetypeGrowth).toBe(3);
    expect(stats.totalReservations).toBe(4);
    expect(stats.rowsLive).toBe(100);
    expect(stats.rowsReserved).toBe(100);
    expect(stats.bytesReserved).toBeGreaterThanOrEqual(100 * 16);
    expect(log.of('archetype_grow').map(({ rows }) => rows)).toEqual([32, 64, 100]);
    expect(log.of('archetype_created').at(-1)).toMatchObject({ components: ['Position'] });
  });

  it('an arena that is full is an error that leaves the scene as it was', () => {
    const scene = new Scene({ maxEntities: 4_096, arenaBudget: 128 * 1024 });
    let made = 0;
    expect(() => {
      for (;;) {
        scene.createEntity([Mixed, { a: made % 256 }]);
        made++;
      }
    }).toThrow(/Mixed/);
    expect(scene.entityCount).toBe(made);
    expect(scene.query(Mixed).count()).toBe(made);
    const [last] = scene.query(Mixed).entities.slice(-1);
    expect(scene.getComponent(last as EntityId, Mixed)?.a).toBe((made - 1) % 256);
  });
});

describe('reserve', () => {
  it('makes room once for as many entities as are said: no table grows while they are created', () => {
    const log = new RecordingLog('ecs');
    const scene = new Scene({ maxEntities: 1_024, log });
    const kept = scene.createEntity([Position, { value: [7, 8, 9] }], Marked);
    scene.reserve([Marked, Position], 300);
    const reserved = scene.archetypeStats();
    expect(reserved.archetypes[0]).toMatchObject({ capacity: 300, rows: 1 });
    for (let i = 1; i < 300; i++) scene.createEntity([Position, { value: [i, 0, 0] }], Marked);
    const filled = scene.archetypeStats();
    expect(filled.totalReservations).toBe(reserved.totalReservations);
    expect(scene.getComponent(kept, Position)?.value.toArray()).toEqual([7, 8, 9]);
    expect(scene.query(Position, Marked).count()).toBe(300);
    scene.createEntity(Position, Marked);
    expect(scene.archetypeStats().archetypes[0]?.capacity).toBe(600);
  });

  it('never takes room away, and is refused what the scene can’t hold', () => {
    const scene = new Scene({ maxEntities: 100 });
    scene.reserve([Position], 50);
    scene.reserve([Position], 10);
    expect(scene.archetypeStats().archetypes[0]?.capacity).toBe(50);
    for (const rows of [-1, 1.5, 101, Number.NaN]) {
      expectError('ecs/invalid-rows', () => scene.reserve([Position], rows));
    }
    expectError('ecs/duplicate-component', () => scene.reserve([Position, Position], 1));
    scene.createEntity(Position);
    scene.query(Position).each(() => {
      expectError('ecs/structural-change-while-iterating', () => scene.reserve([Position], 99));
    });
  });
});

describe('an ordered scene', () => {
  const slotsOf = (scene: Scene): number[][] =>
    scene
      .query()
      .tables()
      .map(({ entities, count }) =>
        Array.from(entities.subarray(0, count), (id) => decodeEntityId(id).index),
      );

  it('has its rows in ascending slot order (11)', () => {
    const scene = new Scene({ maxEntities: 256, rowOrder: 'ordered' });
    const ids = Array.from({ length: 100 }, () => scene.createEntity(Position));
    for (const id of shuffled(ids, 7)) scene.addComponent(id, Velocity);
    for (const id of shuffled(ids, 9).slice(0, 40)) scene.removeComponent(id, Velocity);
    for (const id of shuffled(ids, 3).slice(0, 20)) scene.destroyEntity(id);
    for (const slots of slotsOf(scene)) expect(slots).toEqual(slots.toSorted((a, b) => a - b));
  });

  it('two histories that reach the same state give byte-identical columns and the same stateHash (11)', () => {
    const build = (seed: number): Scene => {
      const scene = new Scene({ maxEntities: 256, rowOrder: 'ordered' });
      const ids = Array.from({ length: 100 }, () => scene.createEntity(Position));
      for (const id of shuffled(ids, seed)) scene.addComponent(id, Velocity);
      for (const id of shuffled(ids, seed + 1)) scene.addComponent(id, Mass);
      for (const id of shuffled(ids, seed + 2)) scene.removeComponent(id, Velocity);
      for (const [n, id] of shuffled([...ids.entries()], seed + 3)) {
        scene.setComponent(id, Position, { value: [n, n, n] });
        if (n % 2 === 0) scene.setComponent(id, Velocity, { value: [n, 0, 0] });
        if (n % 3 === 0) scene.addComponent(id, Flag);
      }
      return scene;
    };
    // Tables are made in the order of histories; what is in them is not.
    const bytes = (scene: Scene): Record<string, string> =>
      Object.fromEntries(
        scene
          .query(Position)
          .tables()
          .filter(({ count }) => count > 0)
          .map((table) => {
            const { components } = scene.getMask(table.entities[0] ?? 0);
            const columns = components.flatMap((component) =>
              Object.values(table.column(component)).filter((each) => ArrayBuffer.isView(each)),
            );
            const used = [table.entities, ...columns].map((column) => {
              const { buffer, byteOffset, byteLength } = column;
              const rows = (byteLength / table.entities.length) * table.count;
              return Array.from(new Uint8Array(buffer, byteOffset, rows)).join();
            });
            return [components.map(({ name }) => name).join(), used.join('/')];
          }),
      );
    const one = build(11);
    const two = build(5);
    expect(Object.keys(bytes(one)).length).toBe(4);
    expect(bytes(one)).toEqual(bytes(two));
    expect(one.stateHash()).toBe(two.stateHash());
    two.setComponent(two.query(Position).entities[0] ?? 0, Position, { value: [0, 0, 1] });
    expect(one.stateHash()).not.toBe(two.stateHash());
  });

  it.each([1, 20_260_913])(
    'the churn of seed 002 shifts exactly 99,990,000 rows, with seed %d (11)',
    (seed) => {
      const scene = new Scene({ maxEntities: 10_000, rowOrder: 'ordered' });
      const ids = Array.from({ length: 10_000 }, () => scene.createEntity([Level, { value: 1 }]));
      const before = scene.archetypeStats();
      for (const id of shuffled(ids, seed)) scene.addComponent(id, Mass);
      for (const id of shuffled(ids, seed + 1)) scene.removeComponent(id, Mass);
      const after = scene.archetypeStats();
      expect(after.totalRowShifts - before.totalRowShifts).toBe(99_990_000);
      expect(after.totalArchetypeGrowth - before.totalArchetypeGrowth).toBe(10);
    },
  );
});

describe('stateHash', () => {
  it('does not depend on row order, order of creation of archetypes or of registration', () => {
    const one = new Scene({ maxEntities: 64 });
    const two = new Scene({ maxEntities: 64, rowOrder: 'ordered' });
    two.registerComponent(Mass);
    two.registerComponent(Velocity);
    const a = [one.createEntity([Mass, { value: 2 }]), one.createEntity(Position)];
    const b = [two.createEntity(), two.createEntity(Velocity)];
    one.addComponent(a[0] ?? 0, Marked, { weight: 3 });
    one.addComponent(a[0] ?? 0, Velocity, { value: [1, 2, 3] });
    two.addComponent(b[0] ?? 0, Velocity, { value: [1, 2, 3] });
    two.addComponent(b[0] ?? 0, Mass, { value: 2 });
    two.removeComponent(b[1] ?? 0, Velocity);
    two.addComponent(b[1] ?? 0, Position);
    expect(one.stateHash()).not.toBe(two.stateHash());
    two.addComponent(b[0] ?? 0, Marked, { weight: 3 });
    expect(one.stateHash()).toBe(two.stateHash());
    expect(one.stateHash()).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('a sparse-set component', () => {
  it('stays packed by swap-and-pop, and checks the generation in get, has and remove (12)', () => {
    const scene = new Scene({ maxEntities: 2_048 });
    const ids = Array.from({ length: 5 }, (_, weight) => scene.createEntity([Marked, { weight }]));
    scene.removeComponent(ids[1] ?? 0, Marked);
    const stats = (): number => scene.archetypeStats().totalRowShifts;
    const before = stats();
    scene.removeComponent(ids[0] ?? 0, Marked);
    expect(stats() - before).toBe(1);
    expect(ids.map((id) => scene.getComponent(id, Marked)?.weight)).toEqual([
      undefined,
      undefined,
      2,
      3,
      4,
    ]);
    expect(scene.archetypeStats().rowsLive).toBe(3);
    const [stale] = [ids[2] ?? 0];
    scene.destroyEntity(stale);
    expect(scene.hasComponent(stale, Marked)).toBe(false);
    expect(scene.getComponent(stale, Marked)).toBeUndefined();
  });

  it('toggling it moves no row of the tables', () => {
    const scene = new Scene({ maxEntities: 64 });
    const ids = Array.from({ length: 10 }, () => scene.createEntity(Position));
    const order = scene.query(Position).entities;
    for (const id of ids) scene.addComponent(id, Marked);
    for (const id of ids.slice(3)) scene.removeComponent(id, Marked);
    expect(scene.query(Position).entities).toEqual(order);
    expect(scene.archetypeStats().archetypeCount).toBe(1);
  });
});
