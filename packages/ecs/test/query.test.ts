import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  added,
  anyOf,
  changed,
  Commands,
  defineComponent,
  defineTag,
  f32,
  having,
  optional,
  query,
  read,
  removed,
  Scene,
  vec3,
  without,
  write,
  type Component,
  type EntityId,
  type SceneOptions,
} from '../src/index.js';
import { expectError } from './support.js';

const A = defineComponent('A', { value: f32() });
const B = defineComponent('B', { value: f32(), place: vec3() });
const C = defineTag('C');
const S = defineComponent('S', { value: f32() }, { storage: 'sparse' });
const T = defineTag('T', { storage: 'sparse' });
const Exact = defineComponent('Exact', { value: f32() }, { trackChanges: 'rows' });
const ALL: readonly Component[] = [A, B, C, S, T];

const byId = (a: EntityId, b: EntityId): number => a - b;
const make = (options: SceneOptions = {}): Scene => new Scene({ maxEntities: 1_024, ...options });

function visited(scene: Scene, ...terms: Parameters<Scene['query']>): EntityId[] {
  const seen: EntityId[] = [];
  scene.query(...(terms as [])).forEach((id) => {
    seen.push(id);
  });
  return seen;
}

describe('queries', () => {
  it('forEach visits exactly the entities that hold all required and none of the excluded types (13)', () => {
    const sets = fc.array(fc.subarray([...ALL]), { maxLength: 30 });
    const terms = fc.record({
      required: fc.subarray([...ALL]),
      excluded: fc.subarray([...ALL]),
      any: fc.subarray([...ALL]),
    });
    fc.assert(
      fc.property(sets, terms, (entities, { required, excluded, any }) => {
        const scene = make();
        const prepared = scene.query(having(...required), without(...excluded));
        const model = entities.map((set) => [scene.createEntity(...set), set] as const);
        const matching = (check: (set: readonly Component[]) => boolean): EntityId[] =>
          model.filter(([, set]) => check(set)).map(([id]) => id);
        const plain = (set: readonly Component[]): boolean =>
          required.every((each) => set.includes(each)) &&
          !excluded.some((each) => set.includes(each));
        expect(prepared.entities.toSorted(byId)).toEqual(matching(plain).toSorted(byId));
        expect(visited(scene, having(...required), without(...excluded))).toEqual(
          prepared.entities,
        );
        expect(prepared.count()).toBe(prepared.entities.length);
        const both = scene.query(anyOf(...any), having(...required));
        const expected = matching(
          (set) =>
            any.some((each) => set.includes(each)) && required.every((each) => set.includes(each)),
        );
        expect(both.entities.toSorted(byId)).toEqual(expected.toSorted(byId));
        scene.dispose();
      }),
      { numRuns: 100 },
    );
  });

  it('an empty term list visits every living entity (13)', () => {
    const scene = make();
    const ids = [scene.createEntity(), scene.createEntity(A), scene.createEntity(S)];
    const seen: EntityId[] = [];
    scene.forEach([], (id) => {
      seen.push(id);
    });
    expect(seen.toSorted(byId)).toEqual(ids.toSorted(byId));
  });

  it('an unregistered type gives zero visits and creates nothing (13)', () => {
    const scene = make();
    scene.createEntity(A);
    expect(visited(scene, read(B))).toEqual([]);
    expect(visited(scene, added(S))).toEqual([]);
    expect(visited(scene, without(C))).toHaveLength(1);
    expect(visited(scene, optional(read(B)))).toHaveLength(1);
    expect(scene.componentTypes).toEqual([A]);
  });

  it('a prepared query gives what an ad-hoc one gives, also after new archetypes and types appear (14)', () => {
    const scene = make();
    const prepared = scene.query(read(A), without(C));
    const description = query(read(A), without(C));
    const check = (): void => {
      const adHoc: EntityId[] = [];
      scene.forEach([read(A), without(C)], (id) => {
        adHoc.push(id);
      });
      const own: EntityId[] = [];
      prepared.forEach((id) => {
        own.push(id);
      });
      expect(own).toEqual(adHoc);
      expect(scene.query(description).entities).toEqual(adHoc);
    };
    check();
    scene.createEntity(A);
    check();
    scene.createEntity(A, B);
    check();
    const d = scene.createEntity(A, C, B);
    check();
    scene.removeComponent(d, C);
    check();
    expect(prepared.entities).toHaveLength(3);
  });

  it('visits archetypes by first creation, then rows: known answer (15)', () => {
    const scene = make();
    const a1 = scene.createEntity(A);
    const ab = scene.createEntity(A, B);
    const a2 = scene.createEntity(A);
    const ac = scene.createEntity(A, C);
    const a3 = scene.createEntity(A);
    const bare = scene.createEntity();
    expect(visited(scene)).toEqual([bare, a1, a2, a3, ab, ac]);
    expect(visited(scene, A)).toEqual([a1, a2, a3, ab, ac]);
    scene.destroyEntity(a1);
    expect(visited(scene, A)).toEqual([a3, a2, ab, ac]);
    scene.addComponent(ab, C);
    expect(visited(scene, A)).toEqual([a3, a2, ac, ab]);
  });

  it('visit order is a function of the state, whatever the terms: against an oracle (15)', () => {
    const step = fc.record({
      who: fc.nat(9),
      what: fc.constantFrom<'destroy' | Component>('destroy', ...ALL),
    });
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.constantFrom('packed' as const, 'ordered' as const),
        (steps, rowOrder) => {
          const scene = make({ rowOrder });
          // The oracle: lists of rows by archetype, in order of first creation.
          const archetypes = new Map<string, EntityId[]>([['', []]]);
          const held = new Map<EntityId, Set<Component>>();
          const key = (set: Set<Component>): string =>
            ALL.filter((each) => set.has(each) && each.storage === 'table')
              .map(({ name }) => name)
              .join();
          const leave = (id: EntityId): void => {
            const rows = archetypes.get(key(held.get(id) ?? new Set())) ?? [];
            const at = rows.indexOf(id);
            if (rowOrder === 'ordered') rows.splice(at, 1);
            else {
              const last = rows.pop() as EntityId;
              if (at < rows.length) rows[at] = last;
            }
          };
          const enter = (id: EntityId, set: Set<Component>): void => {
            const rows = archetypes.get(key(set)) ?? [];
            archetypes.set(key(set), rows);
            rows.push(id);
            if (rowOrder === 'ordered') rows.sort((a, b) => (a & 0xfffff) - (b & 0xfffff));
            held.set(id, set);
          };
          const ids = Array.from({ length: 10 }, () => {
            const id = scene.createEntity();
            enter(id, new Set());
            return id;
          });
          for (const { who, what } of steps) {
            const id = ids[who] as EntityId;
            const set = held.get(id) as Set<Component>;
            if (what === 'destroy') {
              scene.destroyEntity(id);
              leave(id);
              held.delete(id);
              ids[who] = scene.createEntity();
              enter(ids[who], new Set());
              continue;
            }
            const next = new Set(set);
            if (next.delete(what)) scene.removeComponent(id, what);
            else {
              next.add(what);
              scene.addComponent(id, what);
            }
            if (what.storage === 'sparse') held.set(id, next);
            else {
              // The row enters before it leaves, which no list can tell.
              leave(id);
              enter(id, next);
            }
          }
          const order = [...archetypes.values()].flat();
          expect(visited(scene)).toEqual(order);
          for (const component of ALL) {
            expect(visited(scene, component)).toEqual(
              order.filter((id) => held.get(id)?.has(component)),
            );
          }
          scene.dispose();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('gives columns and views of what it asks for, optional ones where they are', () => {
    const scene = make();
    scene.createEntity([A, { value: 1 }]);
    scene.createEntity([A, { value: 2 }], [B, { place: [5, 6, 7] }], [S, { value: 9 }]);
    const rows: unknown[] = [];
    scene.query(write(A), optional(read(B))).each((row, a, b) => {
      rows.push([a.value[row], b && Array.from({ length: 3 }, (_, i) => b.place[row * 3 + i])]);
    });
    expect(rows).toEqual([
      [1, undefined],
      [2, [5, 6, 7]],
    ]);
    const views: unknown[] = [];
    scene.query(read(A), optional(write(B)), optional(S)).forEach((_id, a, b, s) => {
      if (b) b.place.z += 1;
      if (s) s.value += 1;
      views.push([a.value, b?.place.toArray(), s?.value]);
    });
    expect(views).toEqual([
      [1, undefined, undefined],
      [2, [5, 6, 8], 10],
    ]);
  });

  it('asks for things that can’t be: coded errors', () => {
    expect.hasAssertions();
    const scene = make();
    expectError('ecs/invalid-query', () => query(read(A), write(A)));
    expectError('ecs/invalid-query', () => query('A' as unknown as Component));
    expectError('ecs/invalid-query', () =>
      query(...Array.from({ length: 9 }, (_, i) => defineTag(`Tag${i}`))),
    );
    expectError('ecs/sparse-columns', () => scene.query(A, S).each(() => undefined));
    expectError('ecs/sparse-columns', () => scene.query(A, S).tables());
    expectError('ecs/row-filter', () => {
      scene.createEntity(A, S);
      scene.query(A, having(S)).tables();
    });
    expectError('ecs/ad-hoc-observer', () => scene.forEach([changed(A)], () => undefined));
    const [table] = scene.query(A).tables();
    expectError('ecs/no-column', () => table?.column(B));
  });

  it('says what a system touches', () => {
    const description = query(write(A), read(B), without(C), changed(S), optional(read(Exact)), T);
    expect(description.writes).toEqual([A, T]);
    expect(description.reads).toEqual([B, S, Exact]);
    expect(String(description)).toBe(
      'query(write A, read B, without C, changed S, optional read Exact, write T)',
    );
  });
});

describe('structural changes while a query is iterated (16)', () => {
  it('are coded errors naming query and change; nothing is changed, and the iteration goes on', () => {
    const scene = make();
    const ids = [scene.createEntity(A), scene.createEntity(A), scene.createEntity(A, B)];
    const before = scene.stateHash();
    const attempts: [string, (id: EntityId) => unknown][] = [
      ['destroyEntity()', (id) => scene.destroyEntity(id)],
      ['add "B"', (id) => scene.addComponent(id, scene.hasComponent(id, B) ? C : B)],
      ['remove "A"', (id) => scene.removeComponent(id, A)],
      ['createEntity()', () => scene.createEntity(A)],
      ['clear()', () => scene.clear()],
      ['flush()', () => new Commands(scene).flush()],
    ];
    for (const [change, attempt] of attempts) {
      let visits = 0;
      const messages: string[] = [];
      scene.query(A).each(() => {
        const error = expectError('ecs/structural-change-while-iterating', () =>
          attempt(ids[visits] as EntityId),
        );
        messages.push(error.message);
        visits++;
      });
      expect(visits).toBe(3);
      expect(messages[0]).toContain(change);
      expect(messages[0]).toContain('query(write A)');
    }
    expect(scene.stateHash()).toBe(before);
  });

  it('are allowed where they can’t touch a matched archetype', () => {
    const scene = make();
    scene.createEntity(A);
    const b = scene.createEntity(B);
    scene.query(A).each(() => {
      scene.addComponent(b, C);
      scene.destroyEntity(scene.createEntity(B, C));
      scene.addComponent(b, S);
    });
    expect(scene.getMask(b).components).toEqual([B, C, S]);
    scene.query(having(S)).forEach(() => {
      expectError('ecs/structural-change-while-iterating', () => scene.removeComponent(b, S));
    });
    expectError('ecs/structural-change-while-iterating', () =>
      scene.query(A).each(() => {
        scene.addComponent(b, A);
      }),
    );
  });

  it('are possible again after a callback threw', () => {
    const scene = make();
    const a = scene.createEntity(A);
    expect(() =>
      scene.query(A).forEach(() => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
    scene.destroyEntity(a);
    expect(scene.entityCount).toBe(0);
  });

  it('are found after the table’s loop where development checks are off', () => {
    const scene = make({ development: false });
    const a = scene.createEntity(A);
    const { message } = expectError('ecs/structural-change-while-iterating', () =>
      scene.query(A).each(() => scene.destroyEntity(a)),
    );
    expect(message).toContain('query(write A)');
    scene.createEntity(A);
  });

  it('are found there too where nothing but the place of the rows changes', () => {
    expect.hasAssertions();
    const scene = make({ development: false });
    scene.createEntity(A);
    for (const run of ['each', 'forEach'] as const) {
      expectError('ecs/structural-change-while-iterating', () =>
        scene.query(A)[run](() => scene.reserve([A], run === 'each' ? 100 : 200)),
      );
    }
    scene.query(A).each(() => scene.reserve([A], 200));
  });

  it('are found before the next row where a sparse component comes or goes', () => {
    const scene = make({ development: false });
    const other = scene.createEntity(C);
    const ids = [scene.createEntity(A, S), scene.createEntity(A, S)];
    const seen: EntityId[] = [];
    for (const change of [
      () => scene.addComponent(other, S),
      () => scene.removeComponent(other, S),
      () => scene.createEntity(S),
    ]) {
      const { message } = expectError('ecs/structural-change-while-iterating', () =>
        scene.query(A, S).forEach((id) => {
          seen.push(id);
          change();
        }),
      );
      expect(message).toContain('query(write A, write S)');
    }
    expect(seen).toEqual([ids[0], ids[0], ids[0]]);
    expectError('ecs/structural-change-while-iterating', () =>
      scene.query(A, S).forEach((id) => {
        if (id === ids[1]) scene.addComponent(other, S);
      }),
    );
    scene.query(A, S).forEach((id) => scene.setComponent(id, S, { value: id }));
    for (const id of ids) expect(scene.getComponent(id, S)?.value).toBe(id);
  });

  it('are errors while the scheduler holds the structure', () => {
    const scene = make();
    const a = scene.createEntity(A);
    scene.lockStructure('system "orbit" runs');
    const { message } = expectError('ecs/structure-locked', () => scene.removeComponent(a, A));
    expect(message).toContain('system "orbit" runs');
    expectError('ecs/structure-locked', () => new Commands(scene).flush());
    scene.setComponent(a, A, { value: 3 });
    scene.unlockStructure();
    scene.removeComponent(a, A);
    expect(scene.getMask(a).isEmpty).toBe(true);
  });

  it('writing a component that the query only reads is caught in development builds', () => {
    const scene = make();
    scene.createEntity(A, B);
    scene.query(read(A), read(B)).forEach((_id, a, b) => {
      const views = [a, b] as unknown as [
        { value: number },
        { place: { x: number; set: Function } },
      ];
      const { message } = expectError('ecs/read-only', () => (views[0].value = 1));
      expect(message).toContain('"A"');
      expectError('ecs/read-only', () => (views[1].place.x = 1));
      expectError('ecs/read-only', () => views[1].place.set(1, 2, 3));
      expect(a.value).toBe(0);
    });
  });
});

describe('added, removed and changed (17)', () => {
  const run = (q: { forEach(fn: (id: EntityId) => void): void }): EntityId[] => {
    const seen: EntityId[] = [];
    q.forEach((id) => {
      seen.push(id);
    });
    return seen;
  };

  it.each([
    ['table', A],
    ['sparse', S],
  ] as const)(
    'each is seen once by each observer, also by one that runs less often (%s)',
    (_, X) => {
      const scene = make();
      const old = scene.createEntity(X);
      const often = scene.query(added(X));
      const seldom = scene.query(added(X));
      const lost = scene.query(removed(X));
      expect(run(often)).toEqual([old]);
      expect(run(often)).toEqual([]);
      const a = scene.createEntity(X);
      expect(run(often)).toEqual([a]);
      const b = scene.createEntity();
      scene.addComponent(b, X);
      expect(run(often)).toEqual([b]);
      expect(run(often)).toEqual([]);
      expect(run(seldom).toSorted(byId)).toEqual([old, a, b].toSorted(byId));
      expect(run(seldom)).toEqual([]);
      expect(run(lost)).toEqual([]);
      scene.removeComponent(a, X);
      scene.removeComponent(b, X);
      scene.addComponent(b, X);
      expect(run(lost)).toEqual([a]);
      expect(run(lost)).toEqual([]);
      expect(run(often)).toEqual([b]);
    },
  );

  it('a recycled slot inherits nothing', () => {
    const scene = make({ maxEntities: 2 });
    const lost = scene.query(removed(A));
    const a = scene.createEntity(A);
    scene.removeComponent(a, A);
    scene.destroyEntity(a);
    scene.createEntity();
    scene.createEntity();
    expect(run(lost)).toEqual([]);
  });

  it('changes are seen from setComponent, views, columns, commands and moves', () => {
    const scene = make();
    const a = scene.createEntity(A);
    const observer = scene.query(changed(A));
    const writer = scene.query(write(A));
    expect(run(observer)).toEqual([a]);
    const after = (change: () => void): void => {
      expect(run(observer)).toEqual([]);
      change();
      expect(run(observer)).toEqual([a]);
    };
    after(() => scene.setComponent(a, A, { value: 1 }));
    after(() => {
      const view = scene.getComponent(a, A);
      if (view) view.value = 2;
    });
    after(() => writer.each((row, { value }) => (value[row] = 3)));
    after(() => writer.forEach((_id, view) => (view.value = 4)));
    after(() => void writer.tables());
    after(() => {
      const commands = new Commands(scene);
      commands.setComponent(a, A, { value: 5 });
      commands.flush();
    });
    after(() => {
      scene.setComponent(a, A, { value: 6 });
      scene.addComponent(a, B);
    });
    expect(run(observer)).toEqual([]);
    run(scene.query(read(A)));
    expect(scene.getComponent(a, A)?.value).toBe(6);
    expect(run(observer)).toEqual([]);
  });

  it('a query does not see its own writes as changes', () => {
    const scene = make();
    scene.createEntity(A);
    const both = scene.query(write(A), changed(A));
    let visits = 0;
    const step = (): void => both.each((row, { value }) => void (value[row] = ++visits));
    step();
    step();
    step();
    expect(visits).toBe(1);
    scene.query(write(A)).each(() => undefined);
    step();
    expect(visits).toBe(2);
  });

  it('chunks report more than changed, but never less; swaps and growth lose nothing', () => {
    const scene = make();
    const ids = Array.from({ length: 700 }, () => scene.createEntity(A));
    const observer = scene.query(changed(A));
    run(observer);
    scene.setComponent(ids[650] as EntityId, A, { value: 1 });
    expect(run(observer)).toEqual(ids.slice(512));
    scene.setComponent(ids[699] as EntityId, A, { value: 2 });
    scene.destroyEntity(ids[0] as EntityId);
    expect(run(observer)).toContain(ids[699]);
    scene.setComponent(ids[5] as EntityId, A, { value: 3 });
    for (let i = 0; i < 300; i++) scene.createEntity();
    for (let i = 0; i < 24; i++) scene.createEntity(B);
    expect(run(observer)).toContain(ids[5]);
  });

  it('with trackChanges rows exactly what was written is seen', () => {
    const scene = make();
    const ids = Array.from({ length: 10 }, () => scene.createEntity(Exact));
    const observer = scene.query(changed(Exact));
    run(observer);
    scene.setComponent(ids[3] as EntityId, Exact, { value: 1 });
    const view = scene.getComponent(ids[5] as EntityId, Exact);
    if (view) view.value = 2;
    expect(run(observer)).toEqual([ids[3], ids[5]]);
    scene.query(write(Exact)).forEach((id, exact) => {
      if (id === ids[7]) exact.value = 1;
    });
    expect(run(observer)).toEqual([ids[7]]);
    scene.query(write(Exact)).each((row, exact) => {
      if (row !== 8) return;
      exact.value[row] = 1;
      exact.$touch(row);
    });
    expect(run(observer)).toEqual([ids[8]]);
  });

  it('tables() with changed() gives only tables with changes', () => {
    const scene = make();
    scene.createEntity(A);
    const b = scene.createEntity(A, B);
    const observer = scene.query(read(A), changed(A));
    expect(observer.tables()).toHaveLength(2);
    expect(observer.tables()).toHaveLength(0);
    scene.setComponent(b, A, { value: 1 });
    expect(observer.tables().map(({ entities }) => entities[0])).toEqual([b]);
  });

  it('a component that is first registered after the query was prepared is watched from then on', () => {
    const scene = make();
    const gained = scene.query(added(A));
    const lost = scene.query(removed(A));
    expect(run(gained)).toEqual([]);
    const a = scene.createEntity(A);
    scene.removeComponent(a, A);
    const b = scene.createEntity(A);
    expect(run(gained)).toEqual([b]);
    expect(run(lost)).toEqual([a]);
  });
});

describe('one query, several ways', () => {
  it('runs inside itself, each run with views of its own', () => {
    for (const development of [true, false]) {
      const scene = make({ development });
      for (let i = 1; i <= 3; i++) scene.createEntity([A, { value: i }]);
      scene.createEntity([A, { value: 4 }], B);
      const q = scene.query(A);
      const pairs: string[] = [];
      q.forEach((_id, outer) => {
        q.forEach((_other, inner) => {
          pairs.push(`${outer.value}${inner.value}`);
        });
        pairs.push(String(outer.value));
      });
      expect(pairs.join(' ')).toBe(
        [1, 2, 3, 4].map((n) => `${n}1 ${n}2 ${n}3 ${n}4 ${n}`).join(' '),
      );
      let rows = 0;
      q.each(() => q.each(() => void rows++));
      expect(rows).toBe(16);
    }
  });

  it('runs inside itself through observers, and after one that threw, whatever its views', () => {
    for (const development of [true, false]) {
      const scene = make({ development });
      for (let i = 0; i < 12; i++) {
        const id = scene.createEntity([A, { value: i }], [B, { place: [i, 0, 0] }]);
        if (i % 2 === 0) scene.addComponent(id, S, { value: i });
        if (i % 3 === 0) scene.addComponent(id, Exact, { value: i });
      }
      const q = scene.query(write(A), read(B), optional(write(S)), optional(write(Exact)));
      let depth = 0;
      const check = (): void => {
        if (depth === 3) throw new RangeError('deep enough');
        depth++;
        q.forEach((id, a, b, s, exact) => {
          const { value } = a;
          const expected = [value, value % 2 ? undefined : value, value % 3 ? undefined : value];
          const shown = (): unknown[] => [b.place.x, s?.value, exact?.value];
          expect(shown()).toEqual(expected);
          if (value % 4 === 0) scene.setComponent(id, A, { value });
          expect([a.value, ...shown()]).toEqual([value, ...expected]);
        });
        depth--;
      };
      let told = 0;
      const stop = scene.observe('set', A, () => {
        told++;
        const before = depth;
        try {
          check();
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          depth = before;
        }
      });
      check();
      stop();
      expect(told).toBe(3 + 9 + 27);
      check();
    }
  });

  it('runs over some rows of one table', () => {
    const scene = make();
    for (let value = 0; value < 10; value++) scene.createEntity([A, { value }]);
    scene.createEntity([A, { value: 99 }], B);
    const q = scene.query(write(A));
    const seen = (index: number, from: number, to: number): number[] => {
      const values: number[] = [];
      q.eachRows(index, from, to, (row, a) => void values.push(a.value[row] ?? -1));
      return values;
    };
    expect(seen(0, 2, 5)).toEqual([2, 3, 4]);
    expect(seen(0, 8, 100)).toEqual([8, 9]);
    expect(seen(0, 5, 5)).toEqual([]);
    expect(seen(0, 10, 20)).toEqual([]);
    expect(seen(1, 0, 1)).toEqual([99]);
    expect(seen(2, 0, 1)).toEqual([]);
    expect(() =>
      q.eachRows(0, 0, 3, () => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
    let all = 0;
    q.each(() => void all++);
    expect(all).toBe(11);
  });
});
