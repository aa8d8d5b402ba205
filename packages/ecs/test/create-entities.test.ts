import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  added,
  changed,
  Commands,
  defineComponent,
  defineTag,
  entity,
  f32,
  f64,
  INVALID_ENTITY,
  object,
  Parent,
  read,
  Scene,
  text,
  u8,
  vec3,
  type Component,
  type EntityId,
  type Query,
} from '../src/index.js';
import { expectError, RecordingLog } from './support.js';

const Position = defineComponent('Position', { value: vec3() });
const Weight = defineComponent('Weight', { kilos: f64({ default: 1.5 }), small: u8() });
const Label = defineComponent('Label', { text: text(7), index: u8({ default: 3 }) });
const Note = defineComponent('Note', { note: object<string>() });
const Heat = defineComponent('Heat', { degrees: f32({ default: 20 }) }, { storage: 'sparse' });
const Exact = defineComponent('Exact', { value: f32() }, { trackChanges: 'rows' });
const Flag = defineTag('Flag');
const Blink = defineTag('Blink', { storage: 'sparse' });
const ALL: readonly Component[] = [Position, Weight, Label, Note, Heat, Exact, Flag, Blink];

/** A value of a component made of one number. */
const give = (component: Component, n: number): object => {
  if (component === Position) return { value: [n, -n, n / 2] };
  if (component === Weight) return n % 3 === 0 ? {} : { kilos: n, small: n % 256 };
  if (component === Label) return { text: `no. ${n}`, index: n % 256 };
  if (component === Note) return { note: `note ${n}` };
  if (component === Heat) return { degrees: n };
  return component === Exact ? { value: n } : {};
};

/** Everything that can be seen of a scene. */
function sightOf(scene: Scene): unknown {
  const { archetypes, totalAdds, totalRemoves, rowsLive } = scene.archetypeStats();
  const entities = scene.query().entities.toSorted((a, b) => a - b);
  return {
    hash: scene.stateHash(),
    notes: entities.map((id) => scene.getComponent(id, Note)?.note),
    masks: entities.map((id) => scene.getMask(id).components.map(({ name }) => name)),
    rows: archetypes.map(({ components, rows }) => [components.join(), rows]),
    totals: [totalAdds, totalRemoves, rowsLive],
    // Rows in the order in which they are visited.
    order: ALL.map((component) => scene.query(read(component)).entities),
  };
}

/** What a query sees, as one run of it. */
function idsOf(query: Query): EntityId[] {
  const ids: EntityId[] = [];
  query.forEach((id) => ids.push(id));
  return ids;
}

type Step =
  | {
      readonly kind: 'create';
      readonly count: number;
      readonly components: readonly Component[];
      readonly own: boolean;
    }
  | { readonly kind: 'destroy'; readonly share: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    count: fc.integer({ min: 0, max: 40 }),
    components: fc.subarray([...ALL]),
    own: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('destroy' as const), share: fc.integer({ min: 1, max: 10 }) }),
);

describe('createEntities', () => {
  it.each(['packed', 'ordered'] as const)(
    'is what createEntity one after the other is: ids, values, row order, filters, observers (%s)',
    (rowOrder) => {
      fc.assert(
        fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
          // So small that slots are given out again.
          const scenes = [0, 1].map(() => new Scene({ maxEntities: 150, rowOrder }));
          const [one, many] = scenes as [Scene, Scene];
          const told: string[][] = [[], []];
          const filters = scenes.map((scene, i) => {
            for (const component of ALL) {
              scene.registerComponent(component);
              scene.observe('add', component, (id) => told[i]?.push(`${component.name} ${id}`));
            }
            return [added(Position), changed(Exact), added(Heat)].map((term) => scene.query(term));
          });
          const rough = many.query(changed(Weight));
          let n = 0;
          for (const each of steps) {
            if (each.kind === 'destroy') {
              const gone = one.query().entities.filter((_, i) => i % each.share === 0);
              for (const scene of scenes) for (const id of gone) scene.destroyEntity(id);
              continue;
            }
            const { components, own } = each;
            const count = Math.min(each.count, 150 - one.entityCount);
            const start = n;
            n += count;
            const value = (component: Component, i: number): object =>
              give(component, own ? start + i : start);
            const expected: EntityId[] = [];
            for (let i = 0; i < count; i++) {
              const inits = components.map((type) => [type, value(type, i)] as const);
              expected.push(one.createEntity(...inits));
            }
            const ids = many.createEntities(
              count,
              components.map((type) => [
                type,
                own ? (i: number) => value(type, i) : value(type, 0),
              ]),
            );
            expect([...ids]).toEqual(expected);
            const [ofOne, ofMany] = filters.map((queries) => queries.map(idsOf));
            expect(ofMany).toEqual(ofOne);
            if (!components.includes(Weight)) continue;
            // By chunks: some more may be reported.
            expect(idsOf(rough)).toEqual(expect.arrayContaining(expected));
          }
          expect(sightOf(many)).toEqual(sightOf(one));
          expect(told[1]).toEqual(told[0]);
        }),
        { numRuns: 50 },
      );
    },
  );

  it('lets the caller write the columns of the new rows, which hold what the components say', () => {
    const scene = new Scene();
    scene.createEntities(5, [Position, Heat, Note]);
    const ids = scene.createEntities(
      3,
      [[Position, { value: [1, 2, 3] }], Heat, Note, [Weight, { small: 9 }]],
      (given, position, heat, note, weight) => {
        expect(given).toHaveLength(3);
        expect([...position.value]).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
        expect([...heat.degrees]).toEqual([20, 20, 20]);
        expect([...weight.kilos, ...weight.small]).toEqual([1.5, 1.5, 1.5, 9, 9, 9]);
        expect(note.note).toEqual([undefined, undefined, undefined]);
        for (let i = 0; i < 3; i++) {
          position.value[3 * i] = 10 * i;
          heat.degrees[i] = -i;
          note.note[i] = `note ${i}`;
        }
      },
    );
    expect(
      [...ids].map((id) => [
        scene.getComponent(id, Position)?.value.toArray(),
        scene.getComponent(id, Heat)?.degrees,
        scene.getComponent(id, Note)?.note,
      ]),
    ).toEqual([
      [[0, 2, 3], -0, 'note 0'],
      [[10, 2, 3], -1, 'note 1'],
      [[20, 2, 3], -2, 'note 2'],
    ]);
    expect(scene.entityCount).toBe(8);
  });

  it('lets runtime fields that follow another start as what the caller wrote to that', () => {
    const Wide = defineComponent('Wide', {
      at: vec3(),
      size: u8({ default: 1 }),
      shown: vec3({ defaultFrom: 'at', runtime: true }),
      seen: u8({ defaultFrom: 'size', runtime: true }),
      // Saved, so it may be given to be as its default.
      kept: vec3({ defaultFrom: 'at' }),
    });
    for (const storage of ['table', 'sparse'] as const) {
      const Stored =
        storage === 'table' ? Wide : defineComponent('Apart', Wide.schema, { storage });
      const scene = new Scene();
      scene.createEntity([Stored, { at: [7, 7, 7] }]);
      const ids = scene.createEntities(3, [[Stored, { at: [1, 2, 3] }]], (_, wide) => {
        wide.at.set([4, 5, 6], 3);
        wide.size[2] = 9;
      });
      const sight = (id: EntityId): unknown => {
        const wide = scene.getComponent(id, Stored);
        return [wide?.shown.toArray(), wide?.seen, wide?.kept.toArray()];
      };
      expect([...ids].map(sight)).toEqual([
        [[1, 2, 3], 1, [1, 2, 3]],
        [[4, 5, 6], 1, [1, 2, 3]],
        [[1, 2, 3], 9, [1, 2, 3]],
      ]);
      expect(sight(scene.query(read(Stored)).entities[0] as EntityId)).toEqual([
        [7, 7, 7],
        1,
        [7, 7, 7],
      ]);
    }
  });

  it('writes ids into a given array', () => {
    const scene = new Scene();
    const ids = new Int32Array(4);
    expect(scene.createEntities(ids, [Flag])).toBe(ids);
    expect([...ids]).toEqual(scene.query(Flag).entities);
  });

  it('takes values that refer to others of the batch; a parent must come before its child', () => {
    const Next = defineComponent('Next', { entity: entity() });
    const scene = new Scene();
    const ids = scene.createEntities(4, [
      [Next, (i, all) => ({ entity: all[(i + 1) % 4] as EntityId })],
    ]);
    expect(scene.getComponent(ids[3] as EntityId, Next)?.entity).toBe(ids[0]);
    const root = ids[0] as EntityId;
    const chain = scene.createEntities(4, [
      [Parent, (i, all) => ({ entity: i === 0 ? root : (all[i - 1] as EntityId) })],
    ]);
    expect(scene.parentOf(chain[3] as EntityId)).toBe(chain[2]);
    expect(scene.childrenOf(root)).toEqual([chain[0]]);
    const before = scene.stateHash();
    expectError('ecs/stale-parent', () =>
      scene.createEntities(2, [
        [Parent, (i, all) => ({ entity: i === 0 ? root : (all[1] as EntityId) })],
      ]),
    );
    expectError('ecs/stale-parent', () => scene.createEntities(2, [Parent]));
    expect(scene.stateHash()).toBe(before);
    expect(scene.childrenOf(root)).toEqual([chain[0]]);
    scene.destroyEntity(root);
    expect(scene.entityCount).toBe(3);
  });

  it('tells observers when all is there; who is destroyed meanwhile is not told of', () => {
    const scene = new Scene();
    const root = scene.createEntity();
    const told: EntityId[] = [];
    scene.observe('add', Parent, (id) => {
      told.push(id);
      expect(scene.childrenOf(root)).toContain(id);
      if (told.length === 2) scene.destroyEntity(root);
    });
    const ids = scene.createEntities(5, [[Parent, { entity: root }]]);
    expect(told).toEqual(Array.from(ids.subarray(0, 2)));
    expect(scene.entityCount).toBe(0);
  });

  it.each([
    [
      'a value throws',
      'Error: no value',
      () => {
        throw new Error('no value');
      },
    ],
    ['a value is invalid', 'ecs/invalid-value', () => ({ kilos: 'many' as unknown as number })],
  ])('makes nothing when %s', (_, message, value) => {
    for (const rowOrder of ['packed', 'ordered'] as const) {
      const scene = new Scene({ rowOrder });
      scene.createEntities(3, [Note, Heat, Weight]);
      const before = sightOf(scene);
      const failing = (): unknown =>
        scene.createEntities(2, [Note, Heat, [Weight, (i) => (i === 0 ? {} : value())]]);
      expect(failing).toThrow(message.replace('Error: ', '').replace('ecs/invalid-value', 'kilos'));
      expect(sightOf(scene)).toEqual(before);
      const twin = new Scene({ rowOrder });
      twin.createEntities(4, [Note, Heat, Weight]);
      // The ids are those that it would have had anyway.
      scene.createEntity(Note, Heat, Weight);
      expect(scene.stateHash()).toBe(twin.stateHash());
    }
  });

  it('refuses what can’t be, and changes nothing', () => {
    const scene = new Scene({ maxEntities: 10, name: 'small' });
    scene.createEntities(4, [Flag, Blink]);
    const before = sightOf(scene);
    for (const count of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expectError('ecs/invalid-rows', () => scene.createEntities(count, [Flag]));
    }
    for (const count of [7, 11]) {
      expectError('ecs/entity-budget', () => scene.createEntities(count, [Flag]));
    }
    expectError('ecs/duplicate-component', () => scene.createEntities(1, [Flag, Flag]));
    expectError('ecs/invalid-value', () =>
      scene.createEntities(1, [[Position, { value: [1, 2, Number.NaN] }]]),
    );
    expectError('ecs/no-component', () => scene.createEntities(1, [undefined as never]));
    scene.lockStructure('system "x" runs');
    expectError('ecs/structure-locked', () => scene.createEntities(1, [Flag]));
    scene.unlockStructure();
    scene.query(Flag).forEach(() => {
      expectError('ecs/structural-change-while-iterating', () => scene.createEntities(1, [Flag]));
    });
    scene.query(Blink).forEach(() => {
      expectError('ecs/structural-change-while-iterating', () => scene.createEntities(1, [Blink]));
    });
    expect(sightOf(scene)).toEqual(before);
    expect(scene.createEntities(0, [Flag])).toHaveLength(0);
  });

  it('keeps structure still while values are asked for, and lets go afterwards', () => {
    const scene = new Scene();
    const commands = new Commands(scene);
    const old = scene.createEntity(Position);
    const attempts: (() => unknown)[] = [
      () => scene.createEntity(),
      () => scene.createEntities(1, [Heat]),
      () => scene.destroyEntity(old),
      () => scene.addComponent(old, Heat),
      () => scene.removeComponent(old, Position),
      () => scene.reserve([Position], 1_000),
      () => scene.clear(),
      () => scene.dispose(),
      () => commands.flush(),
    ];
    let seen: readonly boolean[] = [];
    const ids = scene.createEntities(2, [Position], (given) => {
      seen = [...given].map((id) => scene.isAlive(id));
      for (const attempt of attempts) {
        expectError('ecs/structural-change-while-iterating', attempt);
      }
      commands.destroyEntity(given[0] as EntityId);
    });
    expect(seen).toEqual([false, false]);
    commands.flush();
    expect([...ids].map((id) => scene.isAlive(id))).toEqual([false, true]);
    expect(scene.entityCount).toBe(2);
  });

  it('warns of budgets that a batch passes, once each', () => {
    const log = new RecordingLog('ecs');
    const scene = new Scene({ maxEntities: 100, churnWarning: 60, log });
    scene.createEntities(49, [Flag]);
    expect(log.of('entity_budget').map(({ percent }) => percent)).toEqual([25]);
    scene.createEntities(51, [Flag]);
    expect(log.of('entity_budget').map(({ percent }) => percent)).toEqual([25, 50, 100]);
    expect(log.of('entity_churn')).toHaveLength(1);
    scene.destroyEntity(scene.query(Flag).entities[0] ?? INVALID_ENTITY);
    scene.createEntities(1, [Flag]);
    expect(log.of('entity_budget')).toHaveLength(3);
    scene.beginFrame();
    scene.destroyEntity(scene.query(Flag).entities[0] ?? INVALID_ENTITY);
    scene.createEntities(1, [Flag]);
    expect(log.of('entity_budget')).toHaveLength(4);
  });
});
