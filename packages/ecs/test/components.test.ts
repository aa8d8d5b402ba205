import { Arena } from '@ecliptic/core';
import { describe, expect, it } from 'vitest';
import {
  bool,
  color,
  defineComponent,
  defineTag,
  entity,
  f32,
  f64,
  fixedArray,
  i8,
  mat4,
  object,
  oneOf,
  quat,
  Scene,
  text,
  u16,
  u32,
  u8,
  uuid,
  vec2,
  vec3,
  vec4,
  Component,
} from '../src/index.js';
import { expectError, RecordingLog } from './support.js';

const Position = defineComponent('Position', { value: vec3() });
const Velocity = defineComponent('Velocity', { value: vec3(), drag: f32({ default: 0.5 }) });
const Tiny = defineComponent('Tiny', { a: u8(), b: u16(), c: bool() });
const Frozen = defineTag('Frozen');
const Marked = defineComponent('Marked', { weight: f32() }, { storage: 'sparse' });
const All = defineComponent('All', {
  f: f32({ min: 0, max: 10, default: 3 }),
  d: f64(),
  i: i8(),
  u: u32(),
  b: bool({ default: true }),
  v2: vec2(),
  v3: vec3({ default: [1, 2, 3] }),
  v4: vec4(),
  q: quat(),
  m: mat4(),
  c: color(0.5, 0.25, 1),
  e: entity(),
  id: uuid(),
  kind: oneOf('box', 'ball'),
});
const Texts = defineComponent('Texts', { name: text(8), list: fixedArray(u16(), 3) });
const Holder = defineComponent('Holder', { thing: object<{ n: number }>() });

describe('components', () => {
  it('adding a component that the entity has is an error; setComponent updates in place, without moving the row (5)', () => {
    const scene = new Scene({ maxEntities: 64 });
    for (const component of [Position, Marked] as readonly Component[]) {
      const a = scene.createEntity(component);
      const b = scene.createEntity(component);
      expectError('ecs/duplicate-component', () => scene.addComponent(a, component));
      const before = scene.query(component).entities;
      scene.setComponent(a, component);
      expect(scene.query(component).entities).toEqual(before);
      expect(before).toEqual([a, b]);
    }
    const c = scene.createEntity();
    scene.setComponent(c, Velocity, { drag: 0.25 });
    scene.setComponent(c, Velocity, { value: [1, 2, 3] });
    expect(scene.getComponent(c, Velocity)?.drag).toBe(0.25);
    expect(scene.getComponent(c, Velocity)?.value.toArray()).toEqual([1, 2, 3]);
  });

  it('removing an absent component does nothing (5)', () => {
    const scene = new Scene({ maxEntities: 64 });
    const a = scene.createEntity(Position);
    scene.removeComponent(a, Velocity);
    scene.removeComponent(a, Marked);
    expect(scene.getMask(a).components).toEqual([Position]);
    expect(scene.componentTypes).toEqual([Position]);
  });

  it('asking a stale handle gives undefined and false; changing it is a coded error that changes nothing (6)', () => {
    const scene = new Scene({ maxEntities: 1 });
    const stale = scene.createEntity(Position, Marked);
    scene.destroyEntity(stale);
    scene.createEntity([Position, { value: [1, 2, 3] }], [Marked, { weight: 4 }]);
    const before = scene.stateHash();
    for (const component of [Position, Marked] as readonly Component[]) {
      expect(scene.getComponent(stale, component)).toBeUndefined();
      expect(scene.hasComponent(stale, component)).toBe(false);
      expectError('ecs/stale-entity', () => scene.addComponent(stale, component));
      expectError('ecs/stale-entity', () => scene.setComponent(stale, component));
      expectError('ecs/stale-entity', () => scene.removeComponent(stale, component));
    }
    expectError('ecs/stale-entity', () => scene.destroyEntity(stale));
    expect(scene.stateHash()).toBe(before);
  });

  it('an id of another scene is not alive here, unless that slot is as old (6)', () => {
    const here = new Scene({ maxEntities: 64 });
    const there = new Scene({ maxEntities: 64 });
    there.createEntity();
    const foreign = there.createEntity();
    expect(here.isAlive(foreign)).toBe(false);
    expectError('ecs/stale-entity', () => here.addComponent(foreign, Position));
  });

  it('adding and removing keeps every other component’s value, also when other rows move (7)', () => {
    const scene = new Scene({ maxEntities: 64 });
    const ids = Array.from({ length: 20 }, (_, i) =>
      scene.createEntity([Position, { value: [i, -i, i / 2] }], [Tiny, { a: i, b: 1_000 + i }]),
    );
    for (const id of ids.filter((_, i) => i % 3 === 0)) scene.addComponent(id, Velocity);
    for (const id of ids.filter((_, i) => i % 2 === 0)) scene.addComponent(id, Marked);
    for (const id of ids.filter((_, i) => i % 5 === 0)) scene.removeComponent(id, Velocity);
    for (const [i, id] of ids.entries()) {
      expect(scene.getComponent(id, Position)?.value.toArray()).toEqual([i, -i, i / 2]);
      expect(scene.getComponent(id, Tiny)?.a).toBe(i);
      expect(scene.getComponent(id, Tiny)?.b).toBe(1_000 + i);
    }
  });

  it('two orders of adding reach the same archetype (7)', () => {
    const scene = new Scene({ maxEntities: 64 });
    const a = scene.createEntity(Position);
    scene.addComponent(a, Velocity);
    const b = scene.createEntity(Velocity);
    scene.addComponent(b, Position);
    const c = scene.createEntity(Velocity, Position);
    expect(scene.getMask(a).equals(scene.getMask(b))).toBe(true);
    expect(scene.archetypeStats().archetypeCount).toBe(3);
    expect(scene.query(Position, Velocity).entities).toEqual([a, b, c]);
  });

  it('removing the last component leaves the entity alive; destroying drops every component (7)', () => {
    const scene = new Scene({ maxEntities: 64 });
    const a = scene.createEntity(Position, Marked);
    scene.removeComponent(a, Position);
    scene.removeComponent(a, Marked);
    expect(scene.isAlive(a)).toBe(true);
    expect(scene.getMask(a).isEmpty).toBe(true);
    const b = scene.createEntity(Position, Marked, Frozen);
    scene.destroyEntity(b);
    expect(scene.query(Position).count()).toBe(0);
    expect(scene.query(Marked).count()).toBe(0);
    expect(scene.archetypeStats().rowsLive).toBe(0);
  });

  it('the 257th component type is a coded error (8)', () => {
    const scene = new Scene({ maxEntities: 16 });
    for (let i = 0; i < 256; i++) scene.registerComponent(defineTag(`Tag${i}`));
    const a = scene.createEntity();
    expectError('ecs/component-type-budget', () => scene.addComponent(a, Position));
    expect(scene.componentTypes).toHaveLength(256);
    expect(scene.getMask(a).isEmpty).toBe(true);
  });

  it('the 257th archetype is a coded error, and the entity keeps what it had (8)', () => {
    const scene = new Scene({ maxEntities: 512 });
    const tags = Array.from({ length: 9 }, (_, i) => defineTag(`Tag${i}`));
    // Every non-empty set of eight tags, and one more.
    for (let set = 1; set < 256; set++) {
      scene.createEntity(...tags.filter((_, i) => i < 8 && (set >> i) % 2 === 1));
    }
    const a = scene.createEntity([Position, { value: [1, 2, 3] }]);
    expect(scene.archetypeStats().archetypeCount).toBe(256);
    expectError('ecs/archetype-budget', () => scene.addComponent(a, tags[8] as Component));
    expectError('ecs/archetype-budget', () => scene.createEntity(tags[8] as Component));
    expect(scene.getMask(a).components).toEqual([Position]);
    expect(scene.getComponent(a, Position)?.value.toArray()).toEqual([1, 2, 3]);
    expect(scene.entityCount).toBe(256);
  });

  it('the 33rd component of one entity is a coded error, whatever its storage (8)', () => {
    for (const storage of ['table', 'sparse'] as const) {
      const scene = new Scene({ maxEntities: 16 });
      const tags = Array.from({ length: 34 }, (_, i) =>
        defineTag(`Tag${i}`, { storage: i % 2 === 0 ? storage : 'table' }),
      );
      const a = scene.createEntity();
      for (const tag of tags.slice(0, 32)) scene.addComponent(a, tag);
      expectError('ecs/component-budget', () => scene.addComponent(a, tags[32] as Component));
      expectError('ecs/component-budget', () => scene.addComponent(a, tags[33] as Component));
      expectError('ecs/component-budget', () => scene.createEntity(...tags.slice(0, 33)));
      expect(scene.getMask(a).components).toHaveLength(32);
      expect(scene.entityCount).toBe(1);
    }
  });

  it('registering two component types of one name in a scene is an error (9)', () => {
    expect.hasAssertions();
    const scene = new Scene({ maxEntities: 16 });
    scene.registerComponent(Position);
    scene.registerComponent(Position);
    const other = defineComponent('Position', { x: f32() });
    expectError('ecs/duplicate-component-name', () => scene.registerComponent(other));
    const second = new Scene({ maxEntities: 16 });
    second.registerComponent(other);
  });

  it('creating with one component twice is an error', () => {
    const scene = new Scene({ maxEntities: 16 });
    expectError('ecs/duplicate-component', () => scene.createEntity(Position, Position));
    expectError('ecs/duplicate-component', () => scene.createEntity(Marked, Marked));
    expect(scene.entityCount).toBe(0);
  });

  it('every type of field keeps its value, and has its default', () => {
    const scene = new Scene({ maxEntities: 16 });
    const a = scene.getComponent(scene.createEntity(All), All);
    expect(a && { f: a.f, d: a.d, i: a.i, u: a.u, b: a.b, e: a.e, kind: a.kind, id: a.id }).toEqual(
      {
        f: 3,
        d: 0,
        i: 0,
        u: 0,
        b: true,
        e: 0,
        kind: 'box',
        id: '00000000-0000-0000-0000-000000000000',
      },
    );
    expect(a?.v3.toArray()).toEqual([1, 2, 3]);
    expect(a?.q.toArray()).toEqual([0, 0, 0, 1]);
    expect(a?.c.toArray()).toEqual([0.5, 0.25, 1, 1]);
    expect(a?.m.toArray()).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    const id = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';
    const given = scene.createEntity([
      All,
      {
        f: 1,
        d: Math.PI,
        i: -7,
        u: 4_294_967_295,
        b: false,
        v2: { x: 1, y: 2 },
        v3: new Float32Array([4, 5, 6]),
        v4: [1, 2, 3, 4],
        c: { r: 0, g: 0.5, b: 0, a: 0.5 },
        e: 1_048_577,
        id,
        kind: 'ball',
      },
    ]);
    const b = scene.getComponent(given, All);
    expect(b && [b.d, b.i, b.u, b.b, b.e, b.id, b.kind]).toEqual([
      Math.PI,
      -7,
      4_294_967_295,
      false,
      1_048_577,
      id,
      'ball',
    ]);
    expect(b?.v2.toArray()).toEqual([1, 2]);
    expect(b?.v3.toArray()).toEqual([4, 5, 6]);
    expect(b?.v4.w).toBe(4);
    expect(b?.c.toArray()).toEqual([0, 0.5, 0, 0.5]);
    b?.m.set(12, [7, 8, 9]);
    expect(b?.m.at(14)).toBe(9);
    expect(b?.m.at(16)).toBeUndefined();
  });

  it('texts are kept in place, cut at a code point, and the cut is reported', () => {
    const log = new RecordingLog('ecs');
    const scene = new Scene({ maxEntities: 16, log });
    const a = scene.createEntity([Texts, { name: 'grüße', list: [1, 2, 3] }]);
    expect(scene.getComponent(a, Texts)?.name).toBe('grüße');
    expect(scene.getComponent(a, Texts)?.list.toArray()).toEqual([1, 2, 3]);
    expect(log.of('text_cut')).toHaveLength(0);
    scene.setComponent(a, Texts, { name: 'seven7😀' });
    expect(scene.getComponent(a, Texts)?.name).toBe('seven7');
    expect(log.of('text_cut')).toHaveLength(1);
  });

  it('object fields keep plain values, across moves of rows', () => {
    const scene = new Scene({ maxEntities: 16 });
    const ids = [1, 2, 3].map((n) => scene.createEntity([Holder, { thing: { n } }]));
    scene.addComponent(ids[0] ?? 0, Position);
    scene.destroyEntity(ids[1] ?? 0);
    expect(scene.getComponent(ids[0] ?? 0, Holder)?.thing).toEqual({ n: 1 });
    expect(scene.getComponent(ids[2] ?? 0, Holder)?.thing).toEqual({ n: 3 });
  });

  it.each([
    ['f', 11],
    ['f', Number.NaN],
    ['f', '1'],
    ['i', 128],
    ['i', 0.5],
    ['b', 1],
    ['v3', [1, 2]],
    ['v3', [1, 2, Number.NaN]],
    ['v3', 5],
    ['v2', { x: 1 }],
    ['m', { x: 1 }],
    ['e', -1],
    ['id', 'x'],
    ['kind', 'cone'],
    ['nonsense', 1],
  ])('development builds refuse %s = %j, naming the field', (field, value) => {
    const scene = new Scene({ maxEntities: 16 });
    const { subjects } = expectError('ecs/invalid-value', () =>
      scene.createEntity([All, { [field]: value }]),
    );
    expect(subjects).toMatchObject({ component: 'All', field });
    expect(scene.entityCount).toBe(0);
    const a = scene.createEntity(All);
    const before = scene.stateHash();
    expectError('ecs/invalid-value', () => scene.setComponent(a, All, { d: 1, [field]: value }));
    expect(scene.stateHash()).toBe(before);
  });

  it('definitions that can’t work are coded errors', () => {
    expect.hasAssertions();
    expectError('ecs/invalid-component', () => defineTag(''));
    for (const field of [vec3, 1, undefined, null]) {
      const schema = { linear: field } as unknown as { linear: ReturnType<typeof vec3> };
      expectError('ecs/invalid-component', () => defineComponent('A', schema));
    }
    expectError('ecs/invalid-component', () => defineComponent('A', { 'not good': f32() }));
    // Names become part of code that is made from text, so there is no way around.
    expectError('ecs/invalid-component', () => new Component('A', { 'a];b[': f32() }, {}));
    expectError('ecs/invalid-component', () => defineComponent('A', { $x: f32() }));
    expectError('ecs/invalid-component', () => defineComponent('A', { constructor: f32() }));
    expectError('ecs/invalid-component', () =>
      defineComponent('A', { a: mat4(), b: mat4(), c: mat4(), d: mat4(), e: f32() }),
    );
    expectError('ecs/invalid-component', () => defineTag('A', { version: 0 }));
    expectError('ecs/invalid-component', () =>
      defineComponent('A', { a: vec3({ defaultFrom: 'b' }), b: vec2() }),
    );
    expectError('ecs/invalid-default', () => f32({ default: 5, max: 4 }));
    expectError('ecs/invalid-default', () => u8({ default: 256 }));
    expectError('ecs/invalid-default', () => text(2, { default: 'long' }));
    expectError('ecs/invalid-default', () => uuid({ default: 'x' }));
    expectError('ecs/invalid-field', () => text(257));
    expectError('ecs/invalid-field', () => oneOf('a', 'a'));
    expectError('ecs/invalid-field', () => fixedArray(f64(), 33));
  });

  it('a view follows its row, and refuses after a structural change of its entity', () => {
    const scene = new Scene({ maxEntities: 64 });
    const first = scene.createEntity(Position);
    const a = scene.createEntity([Position, { value: [1, 2, 3] }]);
    const view = scene.getComponent(a, Position);
    scene.destroyEntity(first);
    for (let i = 0; i < 40; i++) scene.createEntity(Position);
    expect(view?.value.toArray()).toEqual([1, 2, 3]);
    if (view) view.value.x = 9;
    expect(scene.getComponent(a, Position)?.value.x).toBe(9);
    const part = view?.value;
    scene.addComponent(a, Velocity);
    expectError('ecs/stale-view', () => view?.value.x);
    expectError('ecs/stale-view', () => part?.set(1, 2, 3));
    const sparse = scene.createEntity(Marked);
    const marked = scene.getComponent(sparse, Marked);
    scene.removeComponent(sparse, Marked);
    expectError('ecs/stale-view', () => marked?.weight);
  });

  it.each(['table', 'sparse'] as const)('a view follows its row when a %s grows', (storage) => {
    const Mixed = defineComponent(
      'Mixed',
      { thing: object<string>(), count: f32(), place: vec3(), name: text(8) },
      { storage },
    );
    for (const development of [true, false]) {
      const scene = new Scene({ maxEntities: 256, development });
      const a = scene.createEntity([Mixed, { thing: 'old', count: 1, place: [1, 0, 0] }]);
      const view = scene.getComponent(a, Mixed);
      if (!view) throw new Error('no view');
      const { place } = view;
      for (let i = 0; i < 100; i++) scene.createEntity(Mixed);
      scene.setComponent(a, Mixed, { thing: 'new', count: 2, place: [2, 0, 0], name: 'b' });
      expect([view.thing, view.count, place.x, view.name]).toEqual(['new', 2, 2, 'b']);
      view.count = 3;
      place.x = 3;
      scene.reserve([Mixed], 200);
      expect(scene.getComponent(a, Mixed)).toMatchObject({ count: 3, place: { x: 3 } });
      expect([view.count, view.place.x]).toEqual([3, 3]);
    }
  });

  it('scenes side by side share nothing, also on one arena', () => {
    const arena = new Arena({ budget: 8 * 1024 * 1024 });
    const one = new Scene({ arena, maxEntities: 256 });
    const two = new Scene({ arena, maxEntities: 256 });
    const a = one.createEntity([Position, { value: [1, 1, 1] }], Marked);
    const b = two.createEntity(Velocity, [Position, { value: [2, 2, 2] }], Marked);
    one.setComponent(a, Marked, { weight: 5 });
    expect(one.getComponent(a, Position)?.value.x).toBe(1);
    expect(two.getComponent(b, Position)?.value.x).toBe(2);
    expect(two.getComponent(b, Marked)?.weight).toBe(0);
    one.dispose();
    expect(two.getComponent(b, Position)?.value.x).toBe(2);
    two.dispose();
    expect(arena.stats().used).toBe(0);
    expectError('ecs/scene-disposed', () => one.query(Position));
  });
});
