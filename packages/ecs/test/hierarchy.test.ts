import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  Commands,
  defineComponent,
  defineResource,
  f32,
  INVALID_ENTITY,
  Parent,
  Scene,
  type EntityId,
} from '../src/index.js';
import { expectError } from './support.js';

const A = defineComponent('A', { value: f32() });
const S = defineComponent('S', { value: f32() }, { storage: 'sparse' });
const make = (maxEntities = 256): Scene => new Scene({ maxEntities });

describe('parent and children', () => {
  it('children are kept in order, whichever way the parent is set', () => {
    const scene = make();
    const [root, a, b, c, d] = Array.from({ length: 5 }, () => scene.createEntity()) as [
      EntityId,
      EntityId,
      EntityId,
      EntityId,
      EntityId,
    ];
    scene.setParent(a, root);
    scene.addComponent(b, Parent, { entity: root });
    scene.setComponent(c, Parent, { entity: root });
    const commands = new Commands(scene);
    commands.addComponent(d, Parent, { entity: root });
    const e = commands.createEntity();
    commands.addComponent(e, Parent, { entity: root });
    commands.flush();
    const f = scene.createEntity([Parent, { entity: root }]);
    expect(scene.childrenOf(root)).toEqual([a, b, c, d, commands.resolve(e), f]);
    expect(scene.parentOf(c)).toBe(root);
    expect(scene.getComponent(c, Parent)?.entity).toBe(root);
    scene.setParent(b, INVALID_ENTITY);
    scene.setParent(a, c);
    scene.removeComponent(d, Parent);
    expect(scene.childrenOf(root)).toEqual([c, commands.resolve(e), f]);
    expect(scene.childrenOf(c)).toEqual([a]);
    expect(scene.parentOf(d)).toBe(INVALID_ENTITY);
    scene.setParent(c, root);
    expect(scene.childrenOf(root)).toEqual([c, commands.resolve(e), f]);
  });

  it('a child is put before another of the same parent', () => {
    const scene = make();
    const [root, other, a, b, c, d] = Array.from({ length: 6 }, () => scene.createEntity()) as [
      EntityId,
      EntityId,
      EntityId,
      EntityId,
      EntityId,
      EntityId,
    ];
    for (const child of [a, b, c]) scene.setParent(child, root);
    scene.setParent(d, root, b);
    expect(scene.childrenOf(root)).toEqual([a, d, b, c]);
    scene.setParent(c, root, a);
    expect(scene.childrenOf(root)).toEqual([c, a, d, b]);
    scene.setParent(c, root, b);
    expect(scene.childrenOf(root)).toEqual([a, d, c, b]);
    scene.setParent(c, root);
    expect(scene.childrenOf(root)).toEqual([a, d, c, b]);
    scene.setParent(a, other);
    scene.setParent(b, other, a);
    expect(scene.childrenOf(other)).toEqual([b, a]);
    expect(scene.childrenOf(root)).toEqual([d, c]);
    scene.destroyEntity(b);
    expect(scene.childrenOf(other)).toEqual([a]);
    for (const before of [c, a, d, 12_345, INVALID_ENTITY]) {
      expectError('ecs/not-a-sibling', () =>
        scene.setParent(c, before === a ? root : other, before),
      );
    }
    expectError('ecs/not-a-sibling', () => scene.setParent(c, INVALID_ENTITY, a));
    expectError('ecs/not-a-sibling', () => scene.setParent(c, root, c));
    expect(scene.childrenOf(root)).toEqual([d, c]);
  });

  it('any sequence of moves gives the order of a plain list', () => {
    const moves = fc.array(fc.tuple(fc.nat(7), fc.nat(7), fc.option(fc.nat(7))), { maxLength: 40 });
    fc.assert(
      fc.property(moves, (list) => {
        const scene = make();
        const root = scene.createEntity();
        const ids = Array.from({ length: 8 }, () => scene.createEntity());
        const children: EntityId[] = [];
        for (const [at, beforeAt, before] of list) {
          const child = ids[at] as EntityId;
          const sibling = before === null ? undefined : ids[beforeAt];
          if (sibling !== undefined && (sibling === child || !children.includes(sibling))) continue;
          scene.setParent(child, root, sibling);
          if (sibling === undefined && children.includes(child)) continue;
          if (children.includes(child)) children.splice(children.indexOf(child), 1);
          children.splice(
            sibling === undefined ? children.length : children.indexOf(sibling),
            0,
            child,
          );
        }
        expect(scene.childrenOf(root)).toEqual(children);
      }),
    );
  });

  it('destroying an entity destroys its descendants, children first, each once', () => {
    const scene = make();
    const ids = Array.from({ length: 6 }, () => scene.createEntity(A));
    const [root, left, right, leaf, deep, other] = ids as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    scene.setParent(left, root);
    scene.setParent(right, root);
    scene.setParent(leaf, left);
    scene.setParent(deep, leaf);
    const destroyed: EntityId[] = [];
    scene.observeDestroy((id) => {
      expect(scene.hasComponent(id, A)).toBe(true);
      destroyed.push(id);
    });
    scene.destroyEntity(root);
    expect(destroyed).toEqual([deep, leaf, left, right, root]);
    expect(scene.query().entities).toEqual([other]);
  });

  it('a deep chain is built from its top and destroyed, in linear time and without recursion', () => {
    const scene = make(140_000);
    const root = scene.createEntity();
    let parent = root;
    for (let i = 0; i < 120_000; i++) {
      const child = scene.createEntity();
      scene.setParent(child, parent);
      parent = child;
    }
    scene.destroyEntity(root);
    expect(scene.entityCount).toBe(0);
  });

  it('a cycle is an error that names its path; a dead parent is an error', () => {
    const scene = make();
    const [a, b, c] = Array.from({ length: 3 }, () => scene.createEntity()) as [
      number,
      number,
      number,
    ];
    scene.setParent(b, a);
    scene.setParent(c, b);
    const { message } = expectError('ecs/parent-cycle', () => scene.setParent(a, c));
    expect(message).toContain(`${a} → ${c} → ${b} → ${a}`);
    expectError('ecs/parent-cycle', () => scene.setParent(a, a));
    expect(scene.parentOf(a)).toBe(INVALID_ENTITY);
    scene.destroyEntity(c);
    expectError('ecs/stale-parent', () => scene.setParent(a, c));
    expectError('ecs/stale-parent', () => scene.addComponent(a, Parent));
    expectError('ecs/stale-entity', () => scene.setParent(c, a));
  });

  it('views refuse to write the parent', () => {
    const scene = make();
    const [a, b] = [scene.createEntity(), scene.createEntity()];
    scene.setParent(b, a);
    const view = scene.getComponent(b, Parent);
    expectError('ecs/read-only', () => {
      if (view) view.entity = b;
    });
    scene.query(Parent).forEach((_id, parent) => {
      expectError('ecs/read-only', () => (parent.entity = b));
    });
    expect(scene.parentOf(b)).toBe(a);
  });

  it('an observer may destroy what is being destroyed, its parent or its children', () => {
    const scene = make();
    const [root, child, leaf] = Array.from({ length: 3 }, () => scene.createEntity()) as [
      number,
      number,
      number,
    ];
    scene.setParent(child, root);
    scene.setParent(leaf, child);
    const destroyed: EntityId[] = [];
    scene.observeDestroy((id) => {
      destroyed.push(id);
      for (const each of [leaf, child, root]) if (scene.isAlive(each)) scene.destroyEntity(each);
    });
    scene.destroyEntity(child);
    expect(destroyed.toSorted((a, b) => a - b)).toEqual(
      [root, child, leaf].toSorted((a, b) => a - b),
    );
    expect(scene.entityCount).toBe(0);
  });

  it('agrees with a simple tree, whatever is done', () => {
    const step = fc.record({
      what: fc.constantFrom('parent', 'root', 'destroy', 'create'),
      a: fc.nat(11),
      b: fc.nat(11),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const scene = make();
        const parents = new Map<EntityId, EntityId>();
        const children = new Map<EntityId, EntityId[]>();
        const ids: EntityId[] = [];
        const create = (): void => {
          const id = scene.createEntity();
          ids.push(id);
          children.set(id, []);
          parents.set(id, INVALID_ENTITY);
        };
        const unlink = (id: EntityId): void => {
          const siblings = children.get(parents.get(id) ?? 0);
          siblings?.splice(siblings.indexOf(id), 1);
          parents.set(id, INVALID_ENTITY);
        };
        const destroy = (id: EntityId): void => {
          for (const child of children.get(id)?.slice() ?? []) destroy(child);
          unlink(id);
          parents.delete(id);
          children.delete(id);
          ids.splice(ids.indexOf(id), 1);
        };
        const below = (id: EntityId, top: EntityId): boolean =>
          id === top || (id !== INVALID_ENTITY && below(parents.get(id) ?? 0, top));
        for (let i = 0; i < 6; i++) create();
        for (const { what, a, b } of steps) {
          const child = ids[a % ids.length];
          const parent = ids[b % ids.length];
          if (what === 'create' || child === undefined || parent === undefined) create();
          else if (what === 'destroy') {
            scene.destroyEntity(child);
            destroy(child);
          } else if (what === 'root') {
            scene.setParent(child, INVALID_ENTITY);
            unlink(child);
          } else if (below(parent, child)) {
            expectError('ecs/parent-cycle', () => scene.setParent(child, parent));
          } else {
            scene.setParent(child, parent);
            if (parents.get(child) !== parent) {
              unlink(child);
              parents.set(child, parent);
              children.get(parent)?.push(child);
            }
          }
        }
        expect(scene.entityCount).toBe(ids.length);
        for (const id of ids) {
          expect(scene.parentOf(id)).toBe(parents.get(id));
          expect(scene.childrenOf(id)).toEqual(children.get(id));
        }
        scene.dispose();
      }),
      { numRuns: 100 },
    );
  });
});

describe('observers', () => {
  it.each([
    ['table', A],
    ['sparse', S],
  ] as const)('are told of add, set and remove at once, and can stop (%s)', (_, X) => {
    const scene = make();
    const events: string[] = [];
    const value = (id: EntityId): unknown => scene.getComponent(id, X)?.value;
    const stops = (['add', 'set', 'remove'] as const).map((change) =>
      scene.observe(change, X, (id) => events.push(`${change} ${String(value(id))}`)),
    );
    const a = scene.createEntity([X, { value: 1 }]);
    scene.setComponent(a, X, { value: 2 });
    scene.removeComponent(a, X);
    scene.setComponent(a, X, { value: 3 });
    scene.destroyEntity(a);
    expect(events).toEqual(['add 1', 'set 2', 'remove 2', 'add 3', 'remove 3']);
    for (const stop of stops) stop();
    scene.destroyEntity(scene.createEntity(X));
    expect(events).toHaveLength(5);
  });

  it('may change the scene, also take away what is just being removed', () => {
    const scene = make();
    scene.observe('add', A, (id) => scene.addComponent(id, S));
    scene.observe('remove', A, (id) => scene.isAlive(id) && scene.removeComponent(id, S));
    const a = scene.createEntity(A);
    expect(scene.hasComponent(a, S)).toBe(true);
    scene.removeComponent(a, A);
    expect(scene.getMask(a).isEmpty).toBe(true);
    scene.observe('remove', A, (id) => scene.destroyEntity(id));
    const b = scene.createEntity(A);
    scene.removeComponent(b, A);
    expect(scene.isAlive(b)).toBe(false);
    expect(scene.entityCount).toBe(1);
  });

  it('clear tells them of every entity', () => {
    const scene = make();
    const destroyed: EntityId[] = [];
    scene.observeDestroy((id) => destroyed.push(id));
    const root = scene.createEntity(A);
    const child = scene.createEntity(S);
    scene.setParent(child, root);
    scene.clear();
    expect(destroyed).toEqual([child, root]);
    expect(scene.entityCount).toBe(0);
    expect(scene.archetypeStats().rowsLive).toBe(0);
    expect(scene.isAlive(scene.createEntity(A))).toBe(true);
  });
});

describe('resources', () => {
  it('are one value a scene, typed, and missed loudly', () => {
    const Gravity = defineResource<{ y: number }>('Gravity');
    const scene = make();
    expectError('ecs/missing-resource', () => scene.getResource(Gravity));
    scene.setResource(Gravity, { y: -9.81 });
    expect(scene.getResource(Gravity).y).toBe(-9.81);
    expect(make().hasResource(Gravity)).toBe(false);
    expectError('ecs/duplicate-resource-name', () =>
      scene.setResource(defineResource<number>('Gravity'), 1),
    );
    expect(scene.removeResource(Gravity)).toBe(true);
    expect(scene.removeResource(Gravity)).toBe(false);
    scene.setResource(defineResource<number>('Gravity'), 1);
  });

  it.each(['one by one', 'as a batch'])('observers may destroy or move what comes %s', (way) => {
    for (const isMoved of [false, true]) {
      const scene = make();
      const before = scene.createEntity();
      const after = scene.createEntity();
      const told: EntityId[] = [];
      scene.observe('add', A, (id) => {
        if (isMoved) scene.setParent(id, after);
        else scene.destroyEntity(id);
      });
      scene.observe('add', Parent, (id) => told.push(id));
      const [child] =
        way === 'as a batch'
          ? scene.createEntities(1, [A, [Parent, { entity: before }]])
          : [scene.createEntity(A, [Parent, { entity: before }])];
      expect(told).toEqual(isMoved ? [child] : []);
      // Lists that are broken have no end, so they are not asked for first.
      scene.destroyEntity(before);
      expect(scene.entityCount).toBe(isMoved ? 2 : 1);
      expect(scene.childrenOf(after)).toEqual(isMoved ? [child] : []);
    }
  });
});
