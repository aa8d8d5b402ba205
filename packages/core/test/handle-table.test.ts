import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeHandle, HandleTable, INVALID_HANDLE, type Handle } from '../src/index.js';
import { codeOf, errorOf } from './error-of.js';

const table = (capacity: number): HandleTable<string> =>
  new HandleTable({ name: 'textures', capacity });

describe('a handle table', () => {
  test('gives a value back by its handle until it is removed, and never again', () => {
    const textures = table(1);
    const rock = textures.insert('rock');
    expect(textures.get(rock)).toBe('rock');
    expect(textures.remove(rock)).toBe('rock');
    expect(textures.get(rock)).toBeUndefined();
    expect(textures.remove(rock)).toBeUndefined();
    const sand = textures.insert('sand');
    expect(decodeHandle(sand).index).toBe(decodeHandle(rock).index);
    expect(textures.get(rock)).toBeUndefined();
    expect(textures.has(sand)).toBe(true);
  });

  test('full is a coded error that names the table, and the table is as before', () => {
    const textures = table(2);
    const handles = [textures.insert('a'), textures.insert('b')];
    const error = errorOf(() => textures.insert('c'));
    expect(error.code).toBe('core/handle-table-full');
    expect(error.message).toContain('"textures"');
    expect(handles.map((handle) => textures.get(handle))).toEqual(['a', 'b']);
    expect(textures.size).toBe(2);
  });

  test('refuses a capacity that handles can not tell apart', () => {
    for (const capacity of [0, -1, 1.5, Number.NaN, 2 ** 20 + 1]) {
      expect(codeOf(() => table(capacity))).toBe('core/handle-table-capacity');
    }
    expect(table(2 ** 20).capacity).toBe(2 ** 20);
  });

  test('uses slots again first-in first-out', () => {
    const textures = table(4);
    const handles = ['a', 'b', 'c', 'd'].map((value) => textures.insert(value));
    for (const index of [2, 0, 3]) textures.remove(handles[index] as Handle);
    const slots = ['e', 'f', 'g'].map((value) => decodeHandle(textures.insert(value)).index);
    expect(slots).toEqual([2, 0, 3]);
  });

  test('catches a stale handle through 1,022 uses of its slot, generations going from 1 to 1,023 and round', () => {
    const textures = table(1);
    const first = textures.insert('first');
    textures.remove(first);
    for (let generation = 2; generation <= 1_023; generation++) {
      const handle = textures.insert('later');
      expect(decodeHandle(handle)).toEqual({ index: 0, generation });
      expect(handle).toBeLessThan(2 ** 30);
      expect(textures.has(first)).toBe(false);
      textures.remove(handle);
    }
    expect(textures.insert('round')).toBe(first);
  });

  test('visits in slot order; the visitor may remove any value', () => {
    const textures = table(4);
    const [a, b, c] = ['a', 'b', 'c'].map((value) => textures.insert(value)) as [
      Handle,
      Handle,
      Handle,
    ];
    textures.remove(a);
    textures.insert('d');
    const seen: string[] = [];
    textures.forEach((value, handle) => {
      expect(textures.get(handle)).toBe(value);
      seen.push(value);
      textures.remove(b);
      textures.remove(c);
    });
    expect(seen).toEqual(['b', 'd']);
  });

  test('clear makes every handle stale', () => {
    const textures = table(3);
    const handles = ['a', 'b', 'c'].map((value) => textures.insert(value));
    textures.clear();
    expect(textures.size).toBe(0);
    expect(handles.some((handle) => textures.has(handle))).toBe(false);
    expect(textures.get(textures.insert('d'))).toBe('d');
  });

  test('holds undefined like any value', () => {
    const values = new HandleTable<undefined>({ name: 'nothing', capacity: 1 });
    const handle = values.insert(undefined);
    expect(values.has(handle)).toBe(true);
    expect(values.size).toBe(1);
  });
});

/** Remembers every value and every stale handle. Drives a table and compares. */
class TableOracle {
  readonly #table: HandleTable<number>;
  readonly #live = new Map<Handle, number>();
  readonly #stale = new Set<Handle>();
  #next = 0;

  constructor(capacity: number) {
    this.#table = new HandleTable({ name: 'oracle', capacity });
  }

  get size(): number {
    return this.#table.size;
  }

  insert(): void {
    if (this.#live.size === this.#table.capacity) {
      assert.equal(
        codeOf(() => this.#table.insert(-1)),
        'core/handle-table-full',
      );
      return;
    }
    const handle = this.#table.insert(this.#next);
    assert.equal(this.#live.has(handle), false);
    assert(handle > 0 && handle < 2 ** 30);
    this.#stale.delete(handle);
    this.#live.set(handle, this.#next++);
  }

  remove(pick: number): void {
    const [handle, value] = [...this.#live][pick % this.#live.size] ?? [];
    if (handle === undefined) return;
    assert.equal(this.#table.remove(handle), value);
    this.#live.delete(handle);
    this.#stale.add(handle);
  }

  /** Any number, and numbers near the live handles, answer as the oracle does. */
  ask(forged: number): void {
    const near = [...this.#live.keys()].flatMap((handle) => [
      0 - handle,
      handle + 0.5,
      handle + 2 ** 32,
      handle - 2 ** 32,
    ]);
    for (const number of [forged, ...near] as Handle[]) {
      assert.equal(this.#table.get(number), this.#live.get(number));
      assert.equal(this.#table.has(number), this.#live.has(number));
    }
  }

  check(): void {
    assert.equal(this.#table.size, this.#live.size);
    const revived = [...this.#stale].filter(
      (handle) => this.#table.has(handle) || this.#table.has((0 - handle) as Handle),
    );
    assert.deepEqual(revived, []);
    const visited: [Handle, number][] = [];
    this.#table.forEach((value, handle) => visited.push([handle, value]));
    const slot = (handle: Handle): number => decodeHandle(handle).index;
    assert.deepEqual(
      visited,
      [...this.#live].sort(([a], [b]) => slot(a) - slot(b)),
    );
  }
}

test('any history agrees with an oracle, whatever numbers are passed', () => {
  const forged = fc.oneof(
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
    fc.double(),
    fc.maxSafeInteger(),
    fc.constantFrom(Number.NaN, -0, Infinity, -Infinity, INVALID_HANDLE as number),
  );
  const operation = fc.oneof(
    { weight: 4, arbitrary: fc.constant('insert' as const) },
    { weight: 3, arbitrary: fc.record({ remove: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ forged }) },
  );
  const history = fc.array(operation, { maxLength: 400, size: 'max' });
  const agrees = fc.property(fc.integer({ min: 1, max: 8 }), history, (capacity, operations) => {
    const oracle = new TableOracle(capacity);
    for (const step of operations) {
      if (step === 'insert') oracle.insert();
      else if ('remove' in step) oracle.remove(step.remove);
      else oracle.ask(step.forged);
    }
    oracle.check();
    expect(oracle.size).toBeLessThanOrEqual(capacity);
  });
  fc.assert(agrees, { numRuns: 50 });
});

test('100,000 recycles of a half-full table catch every handle that went stale in the last 1,000 removals', () => {
  const values = new HandleTable<number>({ name: 'churn', capacity: 64 });
  const live: Handle[] = Array.from({ length: 32 }, (_, index) => values.insert(index));
  const recent: Handle[] = [];
  let state = 1;
  let revived = 0;
  for (let round = 0; round < 100_000; round++) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    const index = state % live.length;
    const handle = live[index] as Handle;
    values.remove(handle);
    recent[round % 1_000] = handle;
    live[index] = values.insert(round);
    if (round % 1_000 === 0) revived += recent.filter((old) => values.has(old)).length;
  }
  expect(revived).toBe(0);
  expect(values.size).toBe(32);
});
