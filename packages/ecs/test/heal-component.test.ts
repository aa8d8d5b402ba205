import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { healComponent } from '../src/healing/heal-component.js';
import { defineComponent } from '../src/schema/component.js';
import { fixedArray } from '../src/schema/array-field.js';
import { bool, entity, f32, f64, i16, u8 } from '../src/schema/number-fields.js';
import { object } from '../src/schema/object-field.js';
import { oneOf } from '../src/schema/one-of-field.js';
import { text } from '../src/schema/text-field.js';
import { uuid } from '../src/schema/uuid-field.js';
import { color, mat3, quat, vec2, vec3 } from '../src/schema/vector-fields.js';
import { validateValue } from '../src/schema/validate-value.js';
import type { Field } from '../src/schema/field.js';
import { writeHealthyField } from '../src/healing/write-healthy-field.js';
import { Heap } from '../src/storage/heap.js';
import { makeColumn, writeField } from '../src/storage/field-values.js';

const Everything = defineComponent('Everything', {
  speed: f32({ default: 2, min: 0, max: 10 }),
  time: f64(),
  level: i16({ min: -5, max: 5 }),
  byte: u8(),
  on: bool({ default: true }),
  at: vec2({ default: [1, 2] }),
  position: vec3(),
  turn: quat(),
  basis: mat3(),
  tint: color(0.5, 0.5, 0.5, 0.25),
  target: entity(),
  id: uuid(),
  kind: oneOf('point', 'spot'),
  name: text(8, { default: 'who' }),
  list: fixedArray(i16({ default: 7 }), 3),
  before: vec3({ defaultFrom: 'position' }),
});

const kinds = (data: unknown) =>
  healComponent(Everything, data).repairs.filter(({ kind }) => kind !== 'missing');

const only = (name: keyof typeof Everything.schema, given: unknown) => {
  const { value } = healComponent(Everything, { [name]: given });
  const repairs = kinds({ [name]: given });
  return { value: value[name], kinds: repairs.map(({ kind }) => kind) };
};

/** Three rows of a column, the one in the middle by `write`; nothing if it refuses. Its neighbours stay as they are. */
const row = (field: Field, write: (buffer: ArrayBuffer) => boolean): Uint8Array | undefined => {
  const bytes = new Uint8Array(Math.ceil((3 * field.bytes) / 8) * 8).fill(0xaa);
  if (!write(bytes.buffer)) return undefined;
  for (const from of [0, 2 * field.bytes]) {
    expect(bytes.subarray(from, from + field.bytes).every((byte) => byte === 0xaa)).toBe(true);
  }
  return bytes.subarray(field.bytes, 2 * field.bytes);
};
const written = (field: Field, value: unknown): Uint8Array | undefined =>
  row(field, (buffer) => writeHealthyField(field, makeColumn(buffer, field, 0, 3), 1, value));
const assigned = (field: Field, value: unknown): Uint8Array | undefined =>
  row(field, (buffer) => writeField(new Heap(buffer), field, field.bytes, value));

describe('healing a component', () => {
  test('missing fields take their defaults, and mirrored ones the healed value they mirror', () => {
    const { value, repairs } = healComponent(Everything, { position: [1, 2, 3] });
    expect(value).toEqual({
      speed: 2,
      time: 0,
      level: 0,
      byte: 0,
      on: true,
      at: [1, 2],
      position: [1, 2, 3],
      turn: [0, 0, 0, 1],
      basis: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      tint: [0.5, 0.5, 0.5, 0.25],
      target: 0,
      id: '00000000-0000-0000-0000-000000000000',
      kind: 'point',
      name: 'who',
      list: [7, 7, 7],
      before: [1, 2, 3],
    });
    expect(repairs).toHaveLength(15);
    expect(repairs.every(({ kind, from }) => kind === 'missing' && from === undefined)).toBe(true);
    expect(value.before).not.toBe(value.position);
    expect(Object.keys(value)).toEqual(Object.keys(Everything.schema));
  });

  test('right data is unchanged and repairs are empty', () => {
    const Small = defineComponent('Small', { speed: f32({ max: 10 }), at: vec3(), tint: color() });
    const given = { speed: 0.1, at: new Float32Array([1, 2, 3]), tint: { r: 1, g: 0, b: 0 } };
    expect(healComponent(Small, given)).toEqual({
      value: { speed: 0.1, at: [1, 2, 3], tint: [1, 0, 0, 1] },
      repairs: [],
    });
  });

  test('NaN and infinities become defaults, numbers out of range are clamped, fractions rounded', () => {
    expect(only('speed', NaN)).toEqual({ value: 2, kinds: ['not-finite'] });
    expect(only('speed', Infinity)).toEqual({ value: 2, kinds: ['not-finite'] });
    expect(only('speed', -1)).toEqual({ value: 0, kinds: ['clamped'] });
    expect(only('speed', '3')).toEqual({ value: 2, kinds: ['type'] });
    expect(only('time', 1e300)).toEqual({ value: 1e300, kinds: [] });
    expect(only('level', 99)).toEqual({ value: 5, kinds: ['clamped'] });
    expect(only('level', 2.5)).toEqual({ value: 3, kinds: ['rounded'] });
    expect(only('byte', 256)).toEqual({ value: 255, kinds: ['clamped'] });
    expect(only('byte', 7n)).toEqual({ value: 0, kinds: ['type'] });
  });

  test('a 32-bit float never becomes infinite by being stored', () => {
    const Big = defineComponent('Big', { value: f32() });
    const { value } = healComponent(Big, { value: 1e39 });
    expect(Math.fround(value.value)).toBe(value.value);
    expect(value.value).toBeGreaterThan(3e38);
  });

  test('quaternions are normalised, without overflow, and zero ones replaced', () => {
    expect(only('turn', [0, 0, 0, 2])).toEqual({ value: [0, 0, 0, 1], kinds: ['normalized'] });
    expect(only('turn', [3, 0, 4, 0])).toEqual({ value: [0.6, 0, 0.8, 0], kinds: ['normalized'] });
    expect(only('turn', [0, 0, 0, 0])).toEqual({ value: [0, 0, 0, 1], kinds: ['normalized'] });
    expect(only('turn', [1e-200, 0, 0, 0])).toEqual({ value: [1, 0, 0, 0], kinds: ['normalized'] });
    const { value } = only('turn', [1e38, 1e38, 1e38, 1e38]);
    expect(value).toEqual([0.5, 0.5, 0.5, 0.5]);
    expect(only('turn', [NaN, 0, 0, 1])).toEqual({ value: [0, 0, 0, 1], kinds: ['not-finite'] });
    const rounded = Array.from(new Float32Array([0.1, 0.2, 0.3, Math.sqrt(1 - 0.14)]));
    expect(only('turn', rounded)).toEqual({ value: rounded, kinds: [] });
  });

  test('lists of a wrong length are padded with defaults, or cut', () => {
    expect(only('at', [5])).toEqual({ value: [5, 2], kinds: ['length'] });
    expect(only('at', [5, 6, 7])).toEqual({ value: [5, 6], kinds: ['length'] });
    expect(only('list', [])).toEqual({ value: [7, 7, 7], kinds: ['length'] });
    expect(only('position', { x: 1, z: 3 })).toEqual({
      value: [1, 0, 3],
      kinds: [],
    });
    expect(only('position', 5)).toEqual({ value: [0, 0, 0], kinds: ['type'] });
    expect(only('position', null)).toEqual({ value: [0, 0, 0], kinds: ['type'] });
    expect(only('list', [1, 2.5, 99_999])).toEqual({
      value: [1, 3, 32_767],
      kinds: ['rounded', 'clamped'],
    });
    const hostile = { length: 2 ** 53, 0: 1 };
    expect(only('list', hostile)).toEqual({ value: [7, 7, 7], kinds: ['type'] });
  });

  test('unknown choices become the default', () => {
    expect(only('kind', 'laser')).toEqual({ value: 'point', kinds: ['unknown-choice'] });
    expect(only('kind', 1)).toEqual({ value: 'point', kinds: ['type'] });
    expect(only('kind', '__proto__')).toEqual({ value: 'point', kinds: ['unknown-choice'] });
  });

  test('texts are cut at a code point; what UTF-8 cannot hold is replaced', () => {
    expect(only('name', 'ab😀😀')).toEqual({ value: 'ab😀', kinds: ['length'] });
    expect(only('name', 'a\ud800b')).toEqual({ value: 'a\ufffdb', kinds: ['text'] });
    expect(only('name', 'a\0b')).toEqual({ value: 'a', kinds: ['text'] });
  });

  test('booleans take 0 and 1; ids and UUIDs must be such', () => {
    expect(only('on', 0)).toEqual({ value: false, kinds: ['type'] });
    expect(only('on', 'no')).toEqual({ value: true, kinds: ['type'] });
    expect(only('target', -1)).toEqual({ value: 0, kinds: ['type'] });
    expect(only('target', 2 ** 30)).toEqual({ value: 0, kinds: ['type'] });
    expect(only('id', 'F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6')).toEqual({
      value: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
      kinds: [],
    });
    expect(only('id', 'f81d4fae')).toMatchObject({ kinds: ['type'] });
  });

  test('data that is no object gives all defaults; fields of no one are dropped', () => {
    for (const data of [null, undefined, 5, 'x', [1], () => 1]) {
      expect(healComponent(Everything, data).value).toEqual(healComponent(Everything, {}).value);
      expect(healComponent(Everything, data).repairs[0]).toMatchObject({ kind: 'type', field: '' });
    }
    const dropped = healComponent(
      Everything,
      JSON.parse('{ "__proto__": { "on": false }, "extra": 1 }'),
    );
    expect(dropped.value.on).toBe(true);
    expect(
      dropped.repairs.filter(({ kind }) => kind === 'unknown-field').map(({ field }) => field),
    ).toEqual(['__proto__', 'extra']);
  });

  test('object fields are passed on as they are', () => {
    const Foreign = defineComponent('Foreign', { handle: object<{ n: number }>() });
    const handle = { n: 1 };
    expect(healComponent(Foreign, { handle }).value.handle).toBe(handle);
    expect(healComponent(Foreign, {})).toEqual({ value: { handle: undefined }, repairs: [] });
  });

  test('whatever comes in, what comes out is legal, and healing again repairs nothing', () => {
    const near = fc.record(
      Object.fromEntries(
        Object.keys(Everything.schema).map((name) => [
          name,
          fc.oneof(
            fc.anything(),
            fc.double(),
            fc.integer(),
            fc.string({ unit: 'binary', maxLength: 12 }),
            fc.array(fc.double(), { maxLength: 12 }),
            fc.record({ x: fc.double(), y: fc.double(), z: fc.double(), w: fc.double() }),
          ),
        ]),
      ),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(near, fc.anything()), (data) => {
        const { value } = healComponent(Everything, data);
        validateValue(Everything, value);
        const again = healComponent(Everything, value);
        expect(again.repairs).toEqual([]);
        expect(again.value).toEqual(value);
        for (const { name, field } of Everything.fields) {
          expect({
            name,
            healthy: written(field, value[name as keyof typeof value]) !== undefined,
          }).toEqual({
            name,
            healthy: true,
          });
        }
      }),
      { numRuns: 500 },
    );
  });

  test('what counts as healthy is what healing leaves as it is', () => {
    const value = fc.oneof(
      fc.constantFrom<unknown>(
        'spot',
        'ärger',
        'a\0b',
        'ä\0b',
        '\ud800',
        'ab\ud800c',
        '😀 ok',
        'ärgerlich',
        [0, 0, 0, 1],
        [0, 0, 0, 2],
        [1, 2],
      ),
      fc.constantFrom<unknown>(
        '6BA7B810-9dad-11d1-80b4-00c04fd430c8',
        '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
        '6ba7b810-9dad-11d1-80b4-00c04fd430cg',
        '6ba7b810 9dad-11d1-80b4-00c04fd430c8',
        NaN,
        Infinity,
        -0,
        1e39,
        true,
      ),
      fc.array(fc.double({ noDefaultInfinity: true, noNaN: true }), { minLength: 2, maxLength: 4 }),
      fc.integer({ min: -300, max: 300 }),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...Everything.fields), value, ({ name, field }, given) => {
        fc.pre(given !== undefined);
        const column = written(field, given);
        if (column === undefined) return;
        expect(column).toEqual(assigned(field, given));
        const healed = healComponent(Everything, { [name]: given });
        expect(healed.repairs.filter((repair) => repair.field === name)).toEqual([]);
        expect(healed.value[name as keyof typeof healed.value]).toEqual(given);
      }),
      { numRuns: 2_000 },
    );
  });

  test('migrations run first, when the data has another version', () => {
    const Health = defineComponent('Health', { points: f32({ max: 100 }) }, { version: 2 });
    const migrations = { 1: (old: Record<string, unknown>) => ({ points: old['hp'] }) };
    const { value, repairs } = healComponent(Health, { hp: 150 }, { version: 1, migrations });
    expect(value).toEqual({ points: 100 });
    expect(repairs).toEqual([{ kind: 'clamped', field: 'points', from: 150, to: 100 }]);
    expect(healComponent(Health, { points: 5 }, { version: 2, migrations }).value).toEqual({
      points: 5,
    });
  });
});
