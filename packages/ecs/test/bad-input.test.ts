import { Arena } from '@ecliptic/core';
import { describe, expect, test } from 'vitest';
import { Commands } from '../src/commands/commands.js';
import { decodeEntityId, INVALID_ENTITY, type EntityId } from '../src/entities/entity-id.js';
import { Parent } from '../src/hierarchy/parent.js';
import { read, without, write } from '../src/query/term.js';
import { defineComponent, type Component } from '../src/schema/component.js';
import { f32, u8 } from '../src/schema/number-fields.js';
import { object } from '../src/schema/object-field.js';
import { text } from '../src/schema/text-field.js';
import { color, vec3 } from '../src/schema/vector-fields.js';
import { Scene } from '../src/scene/scene.js';
import { expectError, RecordingLog } from './support.js';

const Position = defineComponent('Position', { value: vec3() });
const Velocity = defineComponent('Velocity', { value: vec3() });
const Tint = defineComponent('Tint', { value: color() });
const Name = defineComponent('Name', { value: text(4) });
const Health = defineComponent('Health', { points: f32({ max: 100 }), armor: u8() });
const Handle = defineComponent('Handle', { foreign: object<string>() });
const Poison = defineComponent('Poison', { dose: f32() }, { storage: 'sparse' });

const small = { maxEntities: 64, arenaBudget: 2 ** 20 } as const;
const forged: readonly (readonly [string, unknown])[] = [
  ['a fraction', 2 ** 20 + 0.5],
  ['what wraps around to it in 32 bits', 2 ** 32 + 2 ** 20],
  ['its text', String(2 ** 20)],
  ['its list', [2 ** 20]],
  ['its BigInt', BigInt(2 ** 20)],
  ['a symbol', Symbol('entity')],
  ['NaN', Number.NaN],
  ['its negative', -(2 ** 20)],
  ['an object', {}],
  ['null', null],
];

describe('what only looks like an id', () => {
  test.each(forged)('%s is no entity to a scene', (_name, value) => {
    const scene = new Scene(small);
    const entity = scene.createEntity(Position);
    expect(entity).toBe(2 ** 20);
    const id = value as EntityId;
    expect(scene.isAlive(id)).toBe(false);
    expect(scene.hasComponent(id, Position)).toBe(false);
    expect(scene.getComponent(id, Position)).toBeUndefined();
    expect(scene.parentOf(id)).toBe(INVALID_ENTITY);
    expectError('ecs/stale-entity', () => scene.destroyEntity(id));
    expectError('ecs/stale-entity', () => scene.addComponent(id, Velocity));
    expectError('ecs/stale-entity', () => scene.removeComponent(id, Position));
    expectError('ecs/invalid-entity-id', () => decodeEntityId(id));
    expect(scene.getMask(entity).components).toEqual([Position]);
  });

  test.each(forged)('%s in commands is skipped, and hits no other entity', (_name, value) => {
    const scene = new Scene(small);
    const entity = scene.createEntity(Position);
    const commands = new Commands(scene);
    const id = value as EntityId;
    commands.addComponent(id, Velocity);
    commands.removeComponent(id, Position);
    commands.destroyEntity(id);
    commands.flush();
    expect(scene.getMask(entity).components).toEqual([Position]);
    expect(commands.skipped).toBe(2);
  });
});

describe('values', () => {
  test('may be views, also of the entity that is changed', () => {
    for (const rowOrder of ['packed', 'ordered'] as const) {
      const scene = new Scene({ ...small, rowOrder });
      const entity = scene.createEntity([Position, { value: [1, 2, 3] }]);
      const other = scene.createEntity();
      const view = scene.getComponent(entity, Position);
      expect(view).toBeDefined();
      if (!view) return;
      scene.addComponent(other, Position, view);
      scene.addComponent(entity, Velocity, { value: view.value });
      expect(scene.getComponent(other, Position)?.value.toArray()).toEqual([1, 2, 3]);
      expect(scene.getComponent(entity, Velocity)?.value.toArray()).toEqual([1, 2, 3]);
      expect(scene.getComponent(entity, Position)?.value.toArray()).toEqual([1, 2, 3]);
    }
  });

  test.each([
    ['a number', 5],
    ['null', null],
    ['a list', []],
    ['a function', () => 1],
    ['inherited nonsense', Object.create({ value: [Number.NaN, 0, 0] }) as object],
    ['a length that is a text', { value: { length: '3', x: 1, y: 2, z: 3 } }],
    ['a length that lies', { value: { length: 1e9 } }],
    ['__proto__ as a field', JSON.parse('{"__proto__":{"value":[1,2,3]}}') as object],
  ])('%s is refused by field, in every way that takes values', (_name, value) => {
    const scene = new Scene(small);
    const entity = scene.createEntity();
    const before = scene.stateHash();
    const given = value as { value: [number, number, number] };
    expectError('ecs/invalid-value', () => scene.addComponent(entity, Position, given));
    expectError('ecs/invalid-value', () => scene.setComponent(entity, Position, given));
    expectError('ecs/invalid-value', () => scene.createEntity([Position, given]));
    const commands = new Commands(scene);
    expectError('ecs/invalid-value', () => commands.addComponent(entity, Position, given));
    expect(commands.isEmpty()).toBe(true);
    expect(scene.stateHash()).toBe(before);
  });

  test('the alpha of a color is checked, and x, y, z with an r stay x, y, z', () => {
    const scene = new Scene(small);
    const bad = { r: 1, g: 1, b: 1, a: Number.NaN };
    expectError('ecs/invalid-value', () => scene.createEntity([Tint, { value: bad }]));
    const point = { x: 1, y: 2, z: 3, r: 4 };
    const entity = scene.createEntity([Position, { value: point }]);
    expect(scene.getComponent(entity, Position)?.value.toArray()).toEqual([1, 2, 3]);
  });

  test('that throw while they are read change nothing, in shipped builds too', () => {
    for (const rowOrder of ['packed', 'ordered'] as const) {
      const scene = new Scene({ ...small, rowOrder, development: false });
      const entity = scene.createEntity([Position, { value: [1, 2, 3] }]);
      scene.createEntity([Velocity, { value: [4, 5, 6] }], Position);
      const before = scene.stateHash();
      const boom = new TypeError('boom');
      const value = {
        get points(): number {
          throw boom;
        },
      };
      const dose = {
        get dose(): number {
          throw boom;
        },
      };
      expect(() => scene.addComponent(entity, Health, value)).toThrow(boom);
      expect(() => scene.addComponent(entity, Poison, dose)).toThrow(boom);
      expect(() => scene.createEntity(Position, Poison, [Health, value])).toThrow(boom);
      expect(scene.stateHash()).toBe(before);
      expect(scene.entityCount).toBe(2);
      expect(scene.query(read(Position)).count()).toBe(2);
      const commands = new Commands(scene);
      const spawned = commands.createEntity();
      expect(() => commands.addComponent(spawned, Health, value)).toThrow(boom);
      commands.flush();
      expect(scene.getMask(commands.resolve(spawned)).components).toEqual([]);
    }
  });

  test('queued in commands are copied at once, plain JavaScript values too', () => {
    const scene = new Scene(small);
    const commands = new Commands(scene);
    const first = commands.createEntity();
    const value = { foreign: 'a' };
    commands.addComponent(first, Handle, value);
    value.foreign = 'b';
    commands.flush();
    expect(scene.getComponent(commands.resolve(first), Handle)?.foreign).toBe('a');
  });

  test('a text that is cut is reported, when it comes by commands too', () => {
    const log = new RecordingLog('ecs');
    const scene = new Scene({ ...small, log });
    const commands = new Commands(scene);
    commands.addComponent(commands.createEntity(), Name, { value: 'too long' });
    expect(log.of('text_cut')).toHaveLength(1);
  });
});

describe('what is no component', () => {
  test('undefined, as modules that import each other see, is named as such', () => {
    const scene = new Scene(small);
    const entity = scene.createEntity();
    const missing = undefined as unknown as Component;
    expectError('ecs/no-component', () => scene.addComponent(entity, missing));
    expectError('ecs/no-component', () => scene.hasComponent(entity, missing));
    expectError('ecs/no-component', () => scene.createEntity(missing));
    const value = { value: [1, 2, 3] } as unknown as typeof missing;
    expectError('ecs/no-component', () => scene.createEntity(value));
    expectError('ecs/no-component', () => scene.hasComponent(entity, value));
    expectError('ecs/invalid-query', () => scene.query(read(missing)));
    expectError('ecs/invalid-query', () => scene.query(without(missing)));
    expect(scene.componentTypes).toEqual([]);
  });
});

describe('an arena that is full', () => {
  test('a component that finds no room for its index is not registered by half', () => {
    const arena = new Arena({ name: 'full', budget: 2 ** 16 });
    const scene = new Scene({ arena, maxEntities: 1_024 });
    const [a, b] = [scene.createEntity(), scene.createEntity()];
    const fillers = [];
    for (let size = 2 ** 14; size >= 64; size /= 2) {
      for (let fits = true; fits;) {
        try {
          fillers.push(arena.allocate(size, 'filler'));
        } catch {
          fits = false;
        }
      }
    }
    expectError('core/arena-budget', () => scene.addComponent(a, Poison));
    expectError('core/arena-budget', () => scene.setParent(a, b));
    expect(scene.componentTypes).toEqual([]);
    for (const filler of fillers) arena.free(filler);
    scene.addComponent(a, Poison, { dose: 2 });
    scene.setParent(a, b);
    expect(scene.childrenOf(b)).toEqual([a]);
    expect(scene.archetypeStats().archetypeCount).toBe(1);
    expect(scene.componentTypes).toEqual([Poison, Parent]);
  });

  test('a scene that finds no room gives back what it had', () => {
    const arena = new Arena({ name: 'full', budget: 2 ** 16 });
    expectError('core/arena-budget', () => new Scene({ arena, maxEntities: 5_000 }));
    const scene = new Scene({ arena, maxEntities: 3_000 });
    expect(scene.isAlive(scene.createEntity())).toBe(true);
    scene.dispose();
  });
});

describe('a disposed scene', () => {
  test('does not touch memory that another scene has by then', () => {
    const arena = new Arena({ name: 'shared', budget: 2 ** 20 });
    const old = new Scene({ arena, maxEntities: 64 });
    const entity = old.createEntity([Position, { value: [1, 1, 1] }], Poison);
    const commands = new Commands(old);
    commands.createEntity();
    old.dispose();
    const next = new Scene({ arena, maxEntities: 64 });
    const living = next.createEntity([Position, { value: [2, 2, 2] }], Poison);
    const before = next.stateHash();
    expect(living).toBe(entity);
    expect(old.isAlive(entity)).toBe(false);
    expect(old.entityCount).toBe(0);
    expectError('ecs/scene-disposed', () => old.createEntity());
    expectError('ecs/scene-disposed', () => old.createEntity(Position));
    expectError('ecs/scene-disposed', () => old.registerComponent(Health));
    expectError('ecs/stale-entity', () => old.setComponent(entity, Position, { value: [9, 9, 9] }));
    expectError('ecs/stale-entity', () => old.destroyEntity(entity));
    expectError('ecs/command-failed', () => commands.flush());
    old.clear();
    expect(next.stateHash()).toBe(before);
  });

  test('is not disposed while it is iterated', () => {
    const scene = new Scene(small);
    const entity = scene.createEntity(Position);
    const movers = scene.query(write(Position));
    const dispose = (): void => scene.dispose();
    expectError('ecs/structural-change-while-iterating', () => movers.forEach(dispose));
    expect(scene.isAlive(entity)).toBe(true);
    scene.dispose();
  });
});

describe('in the middle of something', () => {
  test('commands are not cleared or merged away while they are flushed', () => {
    const scene = new Scene(small);
    const commands = new Commands(scene);
    const other = new Commands(scene);
    for (const act of [() => commands.clear(), () => other.merge(commands)]) {
      let failure: unknown;
      commands.createEntity(() => {
        failure = expectError('ecs/nested-flush', act);
      });
      const last = commands.createEntity();
      commands.addComponent(last, Position);
      commands.flush();
      expect(failure).toBeDefined();
      expect(scene.hasComponent(commands.resolve(last), Position)).toBe(true);
    }
  });

  test('an entity that is being destroyed gets no children', () => {
    const scene = new Scene(small);
    const [parent, other] = [scene.createEntity(Position), scene.createEntity()];
    scene.setParent(scene.createEntity(), parent);
    let failure: unknown;
    scene.observe('remove', Position, (entity) => {
      failure = expectError('ecs/stale-parent', () => scene.setParent(other, entity));
    });
    scene.destroyEntity(parent);
    expect(failure).toBeDefined();
    expect(scene.parentOf(other)).toBe(INVALID_ENTITY);
    expect(scene.hasComponent(other, Parent)).toBe(false);
  });

  test('whole tables of a query with a sparse filter are refused before the component is first used, too', () => {
    const scene = new Scene(small);
    const healthy = scene.query(read(Position), without(Poison));
    expectError('ecs/row-filter', () => healthy.tables());
    scene.createEntity(Position, Poison);
    expectError('ecs/row-filter', () => healthy.tables());
    expect(healthy.count()).toBe(0);
  });

  test('rows that are no rows are left out, and end', () => {
    const scene = new Scene(small);
    for (let i = 0; i < 4; i++) scene.createEntity(Position);
    const all = scene.query(Position);
    const rows = (from: number, to: number): number[] => {
      const seen: number[] = [];
      all.eachRows(0, from, to, (row) => seen.push(row));
      return seen;
    };
    expect(rows(Number.NaN, 2)).toEqual([0, 1]);
    expect(rows(1.5, 3)).toEqual([1, 2]);
    expect(rows(1, Number.NaN)).toEqual([]);
    expect(rows(-3, Infinity)).toEqual([0, 1, 2, 3]);
  });
});
