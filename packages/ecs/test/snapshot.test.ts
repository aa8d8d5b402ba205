import { Arena } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INVALID_ENTITY, type EntityId } from '../src/entities/entity-id.js';
import { Scene } from '../src/scene/scene.js';
import type { SceneOptions } from '../src/scene/scene-options.js';
import { defineComponent, defineTag, type Component } from '../src/schema/component.js';
import { entity, f32, u8 } from '../src/schema/number-fields.js';
import { object } from '../src/schema/object-field.js';
import { oneOf } from '../src/schema/one-of-field.js';
import { text } from '../src/schema/text-field.js';
import { vec3 } from '../src/schema/vector-fields.js';
import { captureSnapshot } from '../src/snapshots/capture-snapshot.js';
import { restoreSnapshot } from '../src/snapshots/restore-snapshot.js';
import { added, changed, removed, read } from '../src/query/term.js';

const Position = defineComponent('Position', { value: vec3() });
const Health = defineComponent('Health', { points: f32({ default: 100 }), armor: u8() });
const Kind = defineComponent('Kind', { kind: oneOf('tree', 'rock', 'bush'), name: text(5) });
const Target = defineComponent('Target', { entity: entity() });
const Poison = defineComponent('Poison', { strength: f32() }, { storage: 'sparse' });
const Selected = defineTag('Selected', { storage: 'sparse' });
const Frozen = defineTag('Frozen');
const Handle = defineComponent('Handle', { foreign: object<{ n: number }>(), count: f32() });
const ALL: readonly Component[] = [
  Position,
  Health,
  Kind,
  Target,
  Poison,
  Selected,
  Frozen,
  Handle,
];

type Op =
  | { op: 'create'; components: number[] }
  | {
      op: 'destroy' | 'add' | 'remove' | 'set' | 'parent';
      which: number;
      what: number;
      value: number;
    };

const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('create' as const),
      components: fc.uniqueArray(fc.nat(7), { maxLength: 4 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constantFrom(
        'destroy' as const,
        'add' as const,
        'remove' as const,
        'set' as const,
        'parent' as const,
      ),
      which: fc.nat(),
      what: fc.nat(),
      value: fc.nat(200),
    }),
  },
);
const history = fc.array(op, { maxLength: 60 });

function valueOf(component: Component, value: number): object {
  if (component === Position) return { value: [value, value + 1, value + 2] };
  if (component === Health) return { points: value, armor: value };
  if (component === Kind)
    return { kind: (['tree', 'rock', 'bush'] as const)[value % 3], name: `n${value}` };
  if (component === Target) return { entity: value };
  if (component === Poison) return { strength: value };
  if (component === Handle) return { count: value };
  return {};
}

/** Drives a scene by a history; the same history on the same state does the same. */
function drive(scene: Scene, ops: readonly Op[]): EntityId[] {
  const made: EntityId[] = [];
  for (const each of ops) {
    const alive = scene.query().entities.toSorted((a, b) => a - b);
    if (each.op === 'create') {
      made.push(scene.createEntity(...each.components.map((i) => ALL[i] as Component)));
      continue;
    }
    const target = alive[each.which % Math.max(1, alive.length)];
    const component = ALL[each.what % ALL.length] as Component;
    if (target === undefined) continue;
    if (each.op === 'destroy') scene.destroyEntity(target);
    if (each.op === 'remove') scene.removeComponent(target, component);
    if (each.op === 'set') scene.setComponent(target, component, valueOf(component, each.value));
    if (each.op === 'add' && !scene.hasComponent(target, component)) {
      scene.addComponent(target, component, valueOf(component, each.value));
    }
    if (each.op === 'parent') {
      const parent = alive[each.what % alive.length] as EntityId;
      let up = parent;
      while (up !== INVALID_ENTITY && up !== target) up = scene.parentOf(up);
      scene.setParent(target, up === target ? INVALID_ENTITY : parent);
    }
  }
  return made;
}

function families(scene: Scene): [EntityId, EntityId[]][] {
  return scene
    .query()
    .entities.toSorted((a, b) => a - b)
    .map((each) => [each, scene.childrenOf(each)]);
}

const makeScene = (options: SceneOptions = {}): Scene =>
  new Scene({ maxEntities: 4_096, arenaBudget: 4 * 2 ** 20, ...options });
const code = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'no error';
};

describe('snapshots', () => {
  test('restoring undoes whatever happened since: entities, values, children, and the ids that come next', () => {
    fc.assert(
      fc.property(history, history, history, fc.boolean(), (before, between, after, ordered) => {
        const options: SceneOptions = { rowOrder: ordered ? 'ordered' : 'packed' };
        const scene = makeScene(options);
        const twin = makeScene(options);
        drive(scene, before);
        drive(twin, before);
        const snapshot = captureSnapshot(scene);
        const hash = scene.stateHash();
        const trees = families(scene);
        drive(scene, between);
        restoreSnapshot(scene, snapshot);
        expect(scene.stateHash()).toBe(hash);
        expect(families(scene)).toEqual(trees);
        expect(captureSnapshot(scene).byteLength).toBeGreaterThanOrEqual(snapshot.byteLength);
        expect(drive(scene, after)).toEqual(drive(twin, after));
        expect(scene.stateHash()).toBe(twin.stateHash());
        expect(families(scene)).toEqual(families(twin));
        scene.dispose();
        twin.dispose();
      }),
    );
  });

  test('a new scene takes a snapshot, and goes on as the old one would, in the same visiting order', () => {
    fc.assert(
      fc.property(history, history, (before, after) => {
        const scene = makeScene();
        drive(scene, before);
        const snapshot = captureSnapshot(scene);
        const fresh = makeScene();
        restoreSnapshot(fresh, snapshot, { components: ALL });
        expect(fresh.query().entities).toEqual(scene.query().entities);
        expect(captureSnapshot(fresh)).toEqual(snapshot);
        expect(drive(fresh, after)).toEqual(drive(scene, after));
        expect(fresh.stateHash()).toBe(scene.stateHash());
        scene.dispose();
        fresh.dispose();
      }),
    );
  });

  test('components may have been registered in another order', () => {
    const scene = makeScene();
    const a = scene.createEntity(
      [Position, { value: [1, 2, 3] }],
      [Health, { points: 7 }],
      [Kind, { name: 'oak' }],
    );
    const snapshot = captureSnapshot(scene);
    const other = makeScene();
    for (const component of [Kind, Frozen, Health, Position]) other.registerComponent(component);
    restoreSnapshot(other, snapshot);
    expect(other.stateHash()).toBe(scene.stateHash());
    expect(other.getComponent(a, Health)?.points).toBe(7);
    expect(other.getComponent(a, Kind)?.name).toBe('oak');
  });

  test('handles that were stale at capture are stale after, and those made since are too', () => {
    const scene = makeScene();
    const kept = scene.createEntity(Position);
    const gone = scene.createEntity(Position);
    scene.destroyEntity(gone);
    const snapshot = captureSnapshot(scene);
    const later = scene.createEntity();
    scene.destroyEntity(kept);
    restoreSnapshot(scene, snapshot);
    expect([kept, gone, later].map((id) => scene.isAlive(id))).toEqual([true, false, false]);
    expect(scene.createEntity()).toBe(later);
  });

  describe('where nothing else differs', () => {
    const make = (rowOrder: 'packed' | 'ordered', ...destroyed: number[]): [Scene, EntityId[]] => {
      const scene = makeScene({ maxEntities: 5, rowOrder });
      const ids = [1, 2, 3, 4, 5].map((points) => scene.createEntity([Health, { points }]));
      for (const i of destroyed) scene.destroyEntity(ids[i] as EntityId);
      return [scene, ids];
    };

    test('rows come back in the captured order', () => {
      const [scene, ids] = make('packed', 0, 1);
      const order = scene.query().entities;
      const snapshot = captureSnapshot(scene);
      scene.removeComponent(order[0] as EntityId, Health);
      scene.addComponent(order[0] as EntityId, Health);
      expect(scene.query().entities).not.toEqual(order);
      restoreSnapshot(scene, snapshot);
      expect(scene.query().entities).toEqual(order);
      const points = ids.map((id) => scene.getComponent(id, Health)?.points);
      expect(points).toEqual([undefined, undefined, 3, 4, 5]);
    });

    test('freed ids come back in the captured order', () => {
      const [scene] = make('ordered', 0, 1);
      const [other] = make('ordered', 1, 0);
      restoreSnapshot(other, captureSnapshot(scene));
      const next = [scene.createEntity(), scene.createEntity()];
      expect([other.createEntity(), other.createEntity()]).toEqual(next);
    });
  });

  test('object() values stay with the entities that have them, others take the default', () => {
    const scene = makeScene();
    const foreign = { n: 1 };
    const a = scene.createEntity([Handle, { foreign, count: 1 }]);
    const b = scene.createEntity([Handle, { foreign, count: 2 }]);
    const snapshot = captureSnapshot(scene);
    scene.setComponent(a, Handle, { count: 9 });
    scene.destroyEntity(b);
    restoreSnapshot(scene, snapshot);
    expect(scene.getComponent(a, Handle)?.foreign).toBe(foreign);
    expect(scene.getComponent(a, Handle)?.count).toBe(1);
    expect(scene.getComponent(b, Handle)?.foreign).toBeUndefined();
    expect(scene.getComponent(b, Handle)?.count).toBe(2);
  });

  test('bytes are written into a buffer of the caller’s, where they fit', () => {
    const scene = makeScene();
    drive(scene, [{ op: 'create', components: [0, 1, 2] }]);
    const into = new Uint8Array(1 << 16).fill(0xff);
    const snapshot = captureSnapshot(scene, { into });
    expect(snapshot.buffer).toBe(into.buffer);
    expect(snapshot).toEqual(captureSnapshot(scene));
    expect(captureSnapshot(scene, { into: new Uint8Array(8) })).toEqual(snapshot);
    expect(captureSnapshot(scene, { into: into.subarray(1) })).toEqual(snapshot);
  });

  test('bytes at any offset, in an ArrayBuffer or in shared memory are restored', () => {
    const scene = makeScene();
    const snapshot = captureSnapshot(scene);
    scene.createEntity(Position);
    const full = captureSnapshot(scene);
    const hash = scene.stateHash();
    const shifted = new Uint8Array(full.byteLength + 3);
    shifted.set(full, 3);
    const shared = new Uint8Array(new SharedArrayBuffer(full.byteLength));
    shared.set(full);
    for (const form of [shifted.subarray(3), full.slice().buffer, shared, shared.buffer]) {
      restoreSnapshot(scene, snapshot);
      expect(scene.entityCount).toBe(0);
      restoreSnapshot(scene, form);
      expect(scene.stateHash()).toBe(hash);
    }
  });

  test('more entities than asked for are an error', () => {
    const scene = makeScene();
    scene.createEntity();
    scene.createEntity();
    expect(code(() => captureSnapshot(scene, { maxEntities: 1 }))).toBe('ecs/snapshot-budget');
    expect(code(() => captureSnapshot(scene, { maxEntities: 2 }))).toBe('no error');
  });

  test('neither works on a disposed scene, and restoring not while a query runs', () => {
    const scene = makeScene();
    scene.createEntity(Position);
    const snapshot = captureSnapshot(scene);
    const seen: string[] = [];
    scene.query(read(Position)).forEach(() => {
      seen.push(
        code(() => captureSnapshot(scene)),
        code(() => restoreSnapshot(scene, snapshot)),
      );
    });
    expect(seen).toEqual(['no error', 'ecs/structural-change-while-iterating']);
    scene.lockStructure('system "x" runs');
    expect(code(() => restoreSnapshot(scene, snapshot))).toBe('ecs/structure-locked');
    scene.unlockStructure();
    scene.dispose();
    expect(code(() => captureSnapshot(scene))).toBe('ecs/scene-disposed');
    expect(code(() => restoreSnapshot(scene, snapshot))).toBe('ecs/scene-disposed');
  });
});

describe('who watches a restore', () => {
  test('filters see each change once, also those that arrive by restore (17)', () => {
    const scene = makeScene();
    const a = scene.createEntity(Position);
    const b = scene.createEntity(Position, Health);
    const snapshot = captureSnapshot(scene);
    const queries = {
      changed: scene.query(read(Position), changed(Position)),
      added: scene.query(added(Health)),
      removed: scene.query(removed(Health)),
    };
    const seen = (): Record<string, EntityId[]> =>
      Object.fromEntries(
        Object.entries(queries).map(([name, query]) => {
          const ids: EntityId[] = [];
          query.forEach((id) => ids.push(id));
          return [name, ids];
        }),
      );
    seen();
    expect(seen()).toEqual({ changed: [], added: [], removed: [] });
    scene.removeComponent(b, Health);
    scene.addComponent(a, Health);
    const c = scene.createEntity(Position, Health);
    seen();
    restoreSnapshot(scene, snapshot);
    expect(seen()).toEqual({ changed: [a, b], added: [b], removed: [a] });
    expect(seen()).toEqual({ changed: [], added: [], removed: [] });
    expect(scene.isAlive(c)).toBe(false);
  });

  test('observers are told of losses while the data is there, and of gains when it is', () => {
    const scene = makeScene();
    const a = scene.createEntity([Health, { points: 1 }]);
    const b = scene.createEntity([Health, { points: 2 }]);
    const snapshot = captureSnapshot(scene);
    scene.destroyEntity(b);
    scene.setComponent(a, Health, { points: 3 });
    const c = scene.createEntity([Health, { points: 4 }]);
    const log: string[] = [];
    const points = (id: EntityId) => scene.getComponent(id, Health)?.points;
    scene.observe('add', Health, (id) => log.push(`add ${id === b} ${points(id)}`));
    scene.observe('set', Health, (id) => log.push(`set ${id === a} ${points(id)}`));
    scene.observe('remove', Health, (id) => log.push(`remove ${id === c} ${points(id)}`));
    scene.observeDestroy((id) => log.push(`destroy ${id === c} ${points(id)}`));
    restoreSnapshot(scene, snapshot);
    expect(log).toEqual(['destroy true 4', 'remove true 4', 'set true 1', 'add true 2']);
  });

  test('observers of Parent are told, and the children are as captured', () => {
    const scene = makeScene();
    const parent = scene.createEntity();
    const [first, second] = [scene.createEntity(), scene.createEntity()];
    scene.setParent(second, parent);
    scene.setParent(first, parent);
    const snapshot = captureSnapshot(scene);
    scene.setParent(second, INVALID_ENTITY);
    scene.setParent(second, parent);
    expect(scene.childrenOf(parent)).toEqual([first, second]);
    restoreSnapshot(scene, snapshot);
    expect(scene.childrenOf(parent)).toEqual([second, first]);
    scene.destroyEntity(parent);
    expect(scene.entityCount).toBe(0);
  });
});

describe('deltas', () => {
  test('a delta and its base restore what the full snapshot does', () => {
    fc.assert(
      fc.property(history, history, history, (before, between, after) => {
        const scene = makeScene();
        drive(scene, before);
        const base = captureSnapshot(scene);
        drive(scene, between);
        const full = captureSnapshot(scene);
        const delta = captureSnapshot(scene, { base });
        drive(scene, after);
        restoreSnapshot(scene, delta, { base });
        const again = makeScene();
        restoreSnapshot(again, full, { components: ALL });
        expect(scene.stateHash()).toBe(again.stateHash());
        expect(families(scene)).toEqual(families(again));
        const fresh = makeScene();
        restoreSnapshot(fresh, delta, { base, components: ALL });
        expect(captureSnapshot(fresh)).toEqual(full);
        for (const each of [scene, again, fresh]) each.dispose();
      }),
    );
  });

  test('a small change is a small delta', () => {
    const scene = makeScene();
    const ids = Array.from({ length: 1_000 }, () => scene.createEntity(Position, Health));
    const base = captureSnapshot(scene);
    scene.setComponent(ids[500] as EntityId, Health, { points: 1 });
    const delta = captureSnapshot(scene, { base, into: new Uint8Array(1 << 16) });
    expect(delta.byteLength).toBeLessThan(base.byteLength / 20);
    scene.setComponent(ids[500] as EntityId, Health, { points: 2 });
    restoreSnapshot(scene, delta, { base });
    expect(scene.getComponent(ids[500] as EntityId, Health)?.points).toBe(1);
  });

  test('a buffer that holds the base is not written', () => {
    const scene = makeScene();
    const id = scene.createEntity(Health);
    const base = captureSnapshot(scene);
    const copy = base.slice();
    scene.setComponent(id, Health, { points: 1 });
    const delta = captureSnapshot(scene, { base, into: base });
    expect(base).toEqual(copy);
    restoreSnapshot(scene, delta, { base });
    expect(scene.getComponent(id, Health)?.points).toBe(1);
  });

  test('without its base, with another, or with a delta as base, it is refused', () => {
    const scene = makeScene();
    scene.createEntity(Position);
    const base = captureSnapshot(scene);
    scene.createEntity(Health);
    const delta = captureSnapshot(scene, { base });
    const other = captureSnapshot(scene);
    const hash = scene.stateHash();
    expect(code(() => restoreSnapshot(scene, delta))).toBe('ecs/snapshot-base');
    expect(code(() => restoreSnapshot(scene, delta, { base: other }))).toBe('ecs/snapshot-base');
    expect(code(() => restoreSnapshot(scene, delta, { base: delta }))).toBe('ecs/snapshot-base');
    expect(code(() => captureSnapshot(scene, { base: delta }))).toBe('ecs/snapshot-base');
    expect(code(() => restoreSnapshot(scene, delta, { base: base.slice(0, 40) }))).toBe(
      'ecs/snapshot-invalid',
    );
    expect(scene.stateHash()).toBe(hash);
  });
});

describe('snapshots of other applications', () => {
  test('unknown components, other schemas, versions and storages are named', () => {
    const scene = makeScene();
    scene.createEntity(Health);
    const snapshot = captureSnapshot(scene);
    expect(code(() => restoreSnapshot(makeScene(), snapshot))).toBe('ecs/snapshot-component');
    const fields = { points: f32({ default: 100 }), armor: u8() };
    const others = [
      defineComponent('Health', { ...fields, more: f32() }),
      defineComponent('Health', { armor: u8(), points: f32() }),
      defineComponent('Health', fields, { version: 2 }),
      defineComponent('Health', fields, { storage: 'sparse' }),
    ];
    for (const other of others) {
      expect(code(() => restoreSnapshot(makeScene(), snapshot, { components: [other] }))).toBe(
        'ecs/snapshot-schema',
      );
    }
    restoreSnapshot(makeScene(), snapshot, { components: [defineComponent('Health', fields)] });
  });

  test('choices in another order are another schema', () => {
    const scene = makeScene();
    scene.createEntity(Kind);
    const snapshot = captureSnapshot(scene);
    const other = defineComponent('Kind', { kind: oneOf('rock', 'tree', 'bush'), name: text(5) });
    expect(code(() => restoreSnapshot(makeScene(), snapshot, { components: [other] }))).toBe(
      'ecs/snapshot-schema',
    );
  });

  test('what does not fit into the budgets is refused, and the scene is as it was', () => {
    const scene = makeScene();
    for (let i = 0; i < 20; i++) scene.createEntity(Position, Health);
    scene.createEntity(Kind, Selected, Poison);
    const snapshot = captureSnapshot(scene);
    const small: SceneOptions[] = [
      { maxEntities: 20 },
      { maxComponentTypes: 4 },
      { maxArchetypes: 1 },
      { maxComponentsPerEntity: 2 },
    ];
    for (const options of small) {
      const target = makeScene(options);
      const id = target.createEntity(Frozen);
      const hash = target.stateHash();
      expect(code(() => restoreSnapshot(target, snapshot, { components: ALL }))).toBe(
        'ecs/snapshot-budget',
      );
      expect(target.stateHash()).toBe(hash);
      expect(target.isAlive(id)).toBe(true);
    }
  });

  test('when memory runs out the scene is as it was', () => {
    const Big = defineComponent('Big', { a: vec3(), b: vec3(), c: vec3(), d: vec3() });
    const scene = makeScene();
    for (let i = 0; i < 2_000; i++) scene.createEntity(Big);
    const snapshot = captureSnapshot(scene);
    const target = new Scene({ maxEntities: 2_000, arena: new Arena({ budget: 60_000 }) });
    target.createEntity(Frozen);
    const hash = target.stateHash();
    expect(code(() => restoreSnapshot(target, snapshot, { components: [Big] }))).toBe(
      'core/arena-budget',
    );
    expect(target.stateHash()).toBe(hash);
  });

  test('rows of a packed scene don’t go into an ordered one unless they are in order', () => {
    const scene = makeScene();
    const ids = Array.from({ length: 4 }, () => scene.createEntity(Position));
    const inOrder = captureSnapshot(scene);
    scene.destroyEntity(ids[0] as EntityId);
    const swapped = captureSnapshot(scene);
    const target = makeScene({ rowOrder: 'ordered' });
    restoreSnapshot(target, inOrder, { components: ALL });
    expect(code(() => restoreSnapshot(target, swapped))).toBe('ecs/snapshot-row-order');
    expect(target.entityCount).toBe(4);
  });
});
