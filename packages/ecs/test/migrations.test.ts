import { expect, test } from 'vitest';
import { migrateComponent } from '../src/migrations/migrations.js';
import { defineComponent } from '../src/schema/component.js';
import { f32 } from '../src/schema/number-fields.js';

const Health = defineComponent('Health', { points: f32() }, { version: 3 });

test('steps run in order, from the version of the data to that of the schema', () => {
  const steps = {
    1: (data: Record<string, unknown>) => ({ life: data['hp'] }),
    2: (data: Record<string, unknown>) => ({ points: Number(data['life']) * 10 }),
  };
  expect(migrateComponent(Health, { hp: 3 }, 1, steps)).toEqual({ points: 30 });
  expect(migrateComponent(Health, { life: 3 }, 2, steps)).toEqual({ points: 30 });
  expect(migrateComponent(Health, { points: 3 }, 3, {})).toEqual({ points: 3 });
});

test('a step may change its argument: the saved data stays as it was', () => {
  const saved = { nested: { hp: 1 } };
  const steps = {
    1: (data: Record<string, unknown>) => {
      (data['nested'] as { hp: number }).hp = 2;
      return data;
    },
    2: (data: Record<string, unknown>) => data,
  };
  expect(migrateComponent(Health, saved, 1, steps)).toEqual({ nested: { hp: 2 } });
  expect(saved).toEqual({ nested: { hp: 1 } });
});

test('data of a later version, or of none, is refused', () => {
  for (const version of [4, 0, -1, 1.5, NaN]) {
    expect(() => migrateComponent(Health, {}, version, {})).toThrow(
      expect.objectContaining({ code: 'ecs/migration-newer' }),
    );
  }
});

test('an absent step is named, also where a prototype seems to have it', () => {
  expect(() => migrateComponent(Health, {}, 1, { 1: (data) => data })).toThrow(
    expect.objectContaining({
      code: 'ecs/migration-missing',
      subjects: { component: 'Health', version: 2 },
    }),
  );
  expect(() => migrateComponent(Health, {}, 2, Object.create({ 2: () => ({}) }))).toThrow(
    expect.objectContaining({ code: 'ecs/migration-missing' }),
  );
});

test('a step that throws, or gives no object, is reported with its cause', () => {
  const cause = new Error('boom');
  const thrower = (): never => {
    throw cause;
  };
  expect(() => migrateComponent(Health, {}, 2, { 2: thrower })).toThrow(
    expect.objectContaining({ code: 'ecs/migration-failed', cause }),
  );
  for (const bad of [null, 5, [1]]) {
    expect(() => migrateComponent(Health, {}, 2, { 2: () => bad as never })).toThrow(
      expect.objectContaining({ code: 'ecs/migration-failed' }),
    );
  }
});
