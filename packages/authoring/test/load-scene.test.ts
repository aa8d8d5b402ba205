import {
  captureSnapshot,
  defineComponent,
  f32,
  INVALID_ENTITY,
  read,
  Scene,
  type EntityId,
  type ObservedChange,
} from '@ecliptic/ecs';
import { Mesh, Name, Uuid } from '@ecliptic/ecs/components';
import { ManualClock } from '@ecliptic/core';
import { createInlineRender, NullBackend } from '@ecliptic/render-sync';
import { describe, expect, test } from 'vitest';
import { captureScene, formatScene, loadScene, parseScene, Transient } from '../src/index.js';
import { Everything, expectError, Follows, makeScene, Notes, Sparse, uuidOf } from './support.js';

const file = (entities: unknown, more: object = {}): string =>
  JSON.stringify({ format: 'ecliptic-scene', version: 1, entities, ...more });
const find = (scene: Scene, uuid: string): EntityId => {
  let found = INVALID_ENTITY;
  scene.forEach([read(Uuid)], (entity, { value }) => {
    if (value === uuid) found = entity;
  });
  return found;
};

describe('loading', () => {
  test('keeps what it does not know, in every place, and says so', () => {
    const known = { value: 1, newer: [1, { deep: null }] };
    const text = file(
      [
        { uuid: uuidOf(1), tags: ['a'], components: { Sparse: known, Weather: { rain: 0.5 } } },
        { uuid: uuidOf(2), components: { Notes: { data: 1 }, 'Odd name': 7 } },
      ],
      { components: { Sparse: 1, Weather: 3 }, editor: { zoom: 2 } },
    );
    const scene = makeScene();
    const { warnings, repairs } = loadScene(scene, parseScene(text));
    expect(repairs).toEqual([]);
    expect(
      warnings.map(({ kind, entity, component, field }) => [kind, entity, component, field]),
    ).toEqual([
      ['unknown-field', uuidOf(1), 'Sparse', 'newer'],
      ['unknown-component', uuidOf(1), 'Weather', ''],
      ['unknown-key', uuidOf(1), 'tags', ''],
      ['unknown-component', uuidOf(2), 'Odd name', ''],
    ]);
    scene.setComponent(find(scene, uuidOf(1)), Sparse, { value: 5 });
    const saved = JSON.parse(formatScene(captureScene(scene))) as unknown;
    expect(saved).toEqual({
      format: 'ecliptic-scene',
      version: 1,
      editor: { zoom: 2 },
      components: { Notes: 1, 'Odd name': 1, Sparse: 1, Weather: 3 },
      entities: [
        {
          uuid: uuidOf(1),
          tags: ['a'],
          components: { Sparse: { ...known, value: 5 }, Weather: { rain: 0.5 } },
        },
        { uuid: uuidOf(2), components: { Notes: { data: 1 }, 'Odd name': 7 } },
      ],
    });
    // An entity that goes takes along what was kept of it.
    scene.destroyEntity(find(scene, uuidOf(2)));
    expect(formatScene(captureScene(scene))).not.toContain('Odd name');
  });

  test('heals what is wrong, and lists it', () => {
    const scene = makeScene();
    const { repairs, warnings } = loadScene(
      scene,
      parseScene(
        file([
          {
            uuid: uuidOf(1),
            components: {
              Everything: {
                speed: 5_000,
                time: 'NaN',
                on: 1,
                turn: [0, 0, 0, 2],
                kind: 'laser',
                cache: 3,
              },
              Sparse: 'nonsense',
              Follows: { target: 12, offset: [1, 2] },
            },
          },
        ]),
      ),
    );
    const list = repairs.filter(({ kind }) => kind !== 'missing');
    expect(list.map(({ component, field, kind, to }) => [component, field, kind, to])).toEqual([
      ['Everything', 'speed', 'clamped', 1_000],
      ['Everything', 'time', 'type', 0],
      ['Everything', 'on', 'type', true],
      ['Everything', 'turn', 'normalized', [0, 0, 0, 1]],
      ['Everything', 'kind', 'unknown-choice', 'point'],
      ['Sparse', '', 'type', {}],
      ['Follows', 'offset', 'length', [1, 2, 0]],
      ['Follows', 'target', 'type', null],
    ]);
    expect(list.every(({ entity }) => entity === uuidOf(1))).toBe(true);
    expect(repairs.some(({ field, kind }) => field === 'label' && kind === 'missing')).toBe(true);
    expect(warnings).toMatchObject([
      { kind: 'runtime-field', component: 'Everything', field: 'cache' },
    ]);
    expect(scene.getComponent(find(scene, uuidOf(1)), Everything)?.cache).toBe(0);
    // Saved again there is nothing left to heal.
    const again = loadScene(makeScene(), parseScene(formatScene(captureScene(scene))));
    expect(again).toMatchObject({ repairs: [], warnings: [] });
  });

  test('a reference to nobody is none, and is written again until it is changed', () => {
    const scene = makeScene();
    const text = file([
      { uuid: uuidOf(1), components: { Follows: { target: uuidOf(9), offset: [0, 0, 0] } } },
    ]);
    const { warnings } = loadScene(scene, parseScene(text));
    expect(warnings).toMatchObject([
      { kind: 'unknown-reference', field: 'target', missing: uuidOf(9) },
    ]);
    const entity = find(scene, uuidOf(1));
    expect(scene.getComponent(entity, Follows)?.target).toBe(INVALID_ENTITY);
    expect(formatScene(captureScene(scene))).toContain(`"target": "${uuidOf(9)}"`);
    scene.setComponent(entity, Follows, { target: entity });
    expect(formatScene(captureScene(scene))).toContain(`"target": "${uuidOf(1)}"`);
  });

  test('brings older components to their version first', () => {
    const Health = defineComponent('Health', { points: f32({ max: 100 }) }, { version: 3 });
    const text = file([{ uuid: uuidOf(1), components: { Health: { hp: 3 } } }], {
      components: { Health: 1 },
    });
    const migrations = {
      Health: {
        1: ({ hp }: Record<string, unknown>) => ({ points: hp }),
        2: ({ points }: Record<string, unknown>) => ({ points: (points as number) * 10 }),
      },
    };
    const scene = makeScene();
    loadScene(scene, parseScene(text), { components: [Health], migrations });
    expect(scene.getComponent(find(scene, uuidOf(1)), Health)?.points).toBe(30);
    expect(captureScene(scene).components).toEqual({ Health: 3 });
    const steps = { Health: { 1: migrations.Health[1] } };
    const error = expectError('authoring/migration-failed', () =>
      loadScene(scene, parseScene(text), { components: [Health], migrations: steps }),
    );
    expect(error.cause).toMatchObject({ code: 'ecs/migration-missing' });
  });

  test('a missing asset is a warning and a placeholder when editing, and an error when checking', () => {
    const mesh = { meshUuid: uuidOf(5), visible: true };
    const there = { meshUuid: uuidOf(6), visible: true };
    const document = parseScene(
      file([
        { uuid: uuidOf(1), components: { Mesh: mesh } },
        { uuid: uuidOf(2), components: { Mesh: there } },
        {
          uuid: uuidOf(3),
          components: { Mesh: { ...mesh, meshUuid: '00000000-0000-0000-0000-000000000000' } },
        },
      ]),
    );
    const asked: string[] = [];
    const hasAsset = (uuid: string, kind: string): boolean => {
      asked.push(kind);
      return uuid === uuidOf(6);
    };
    const scene = makeScene();
    const placeholder = (kind: string): string | undefined =>
      kind === 'mesh' ? uuidOf(0xdead) : undefined;
    const { warnings } = loadScene(scene, document, { hasAsset, placeholder });
    expect(warnings).toEqual([
      {
        kind: 'missing-asset',
        entity: uuidOf(1),
        component: 'Mesh',
        field: 'meshUuid',
        missing: uuidOf(5),
      },
    ]);
    expect(asked).toEqual(['mesh', 'mesh']);
    expect(scene.getComponent(find(scene, uuidOf(1)), Mesh)?.meshUuid).toBe(uuidOf(0xdead));
    // The file keeps the reference, unless it is changed.
    const text = formatScene(captureScene(scene));
    expect(text).toContain(uuidOf(5));
    expect(text).not.toContain(uuidOf(0xdead));
    scene.setComponent(find(scene, uuidOf(1)), Mesh, { meshUuid: uuidOf(6) });
    expect(formatScene(captureScene(scene))).not.toContain(uuidOf(5));
    loadScene(scene, document, { hasAsset });
    expect(scene.getComponent(find(scene, uuidOf(1)), Mesh)?.meshUuid).toBe(uuidOf(5));
    const hash = scene.stateHash();
    const error = expectError('authoring/missing-asset', () =>
      loadScene(scene, document, { hasAsset, missingAssets: 'error' }),
    );
    expect(error.subjects).toMatchObject({ uuid: uuidOf(5), kind: 'mesh' });
    expect(scene.stateHash()).toBe(hash);
  });

  test('leaves what belongs to the running application where it is', () => {
    const scene = makeScene();
    const camera = scene.createEntity(Transient, [Name, { value: 'editor camera' }]);
    const lamp = scene.createEntity([Name, { value: 'lamp' }]);
    scene.setParent(lamp, camera);
    const old = scene.createEntity([Uuid, { value: uuidOf(1) }]);
    loadScene(scene, parseScene(file([{ uuid: uuidOf(1) }])));
    expect(scene.getComponent(camera, Name)?.value).toBe('editor camera');
    expect(scene.childrenOf(camera)).toEqual([lamp]);
    expect(scene.isAlive(old)).toBe(false);
    expect(scene.entityCount).toBe(3);
  });

  test.each(['before anything is touched', 'halfway'])(
    'that fails %s leaves the scene as it was',
    (when) => {
      const scene = new Scene({ maxEntities: 8, arenaBudget: 16 * 1024 * 1024 });
      const data = { some: 'object' };
      const entity = scene.createEntity(
        [Uuid, { value: uuidOf(1) }],
        [Name, { value: 'a' }],
        [Notes, { data }],
      );
      scene.destroyEntity(scene.createEntity());
      const child = scene.createEntity([Uuid, { value: uuidOf(2) }]);
      scene.setParent(child, entity);
      loadScene(scene, captureScene(scene));
      const before = captureSnapshot(scene);
      const text = formatScene(captureScene(scene));
      const blocks = Array.from({ length: 9 }, (_, n) => ({ uuid: uuidOf(n + 1), extra: n }));
      const bad =
        when === 'halfway' ? blocks : [...blocks.slice(0, 2), { ...blocks[2], prefab: 'nobody' }];
      const code = when === 'halfway' ? 'ecs/entity-budget' : 'authoring/unknown-prefab';
      expectError(code, () => loadScene(scene, parseScene(file(bad))));
      expect(captureSnapshot(scene)).toEqual(before);
      expect(scene.getComponent(find(scene, uuidOf(1)), Notes)?.data).toEqual(data);
      expect(formatScene(captureScene(scene))).toBe(text);
      // While systems run it is refused, too.
      scene.lockStructure('system "orbit" runs');
      expectError('ecs/structure-locked', () => loadScene(scene, parseScene(text)));
      scene.unlockStructure();
      expect(captureSnapshot(scene)).toEqual(before);
    },
  );

  test('while the scene is iterated is refused before anything goes', () => {
    const scene = makeScene();
    const entities = [
      { uuid: uuidOf(1) },
      { uuid: uuidOf(2), components: { Name: { value: 'a' } } },
    ];
    loadScene(scene, parseScene(file(entities)));
    const hash = scene.stateHash();
    const document = parseScene(file([]));
    let iterated = 0;
    scene.forEach([read(Name)], () => {
      iterated++;
      expectError('ecs/structural-change-while-iterating', () => loadScene(scene, document));
    });
    expect(iterated).toBe(1);
    expect(scene.stateHash()).toBe(hash);
  });

  test.each<[ObservedChange, number]>([
    ['add', 0],
    ['add', 2],
    ['remove', 2],
  ])(
    'with an observer that throws on %s, where there were %i entities, changes nothing',
    (change, count) => {
      const scene = makeScene();
      const named = (n: number): object => ({
        uuid: uuidOf(n + 1),
        components: { Name: { value: `${n}` } },
      });
      loadScene(scene, parseScene(file(Array.from({ length: count }, (_, n) => named(n)))));
      const hash = scene.stateHash();
      let told = 0;
      scene.observe(change, Name, () => {
        if (++told === 2) throw new RangeError('an observer that fails');
      });
      const document = parseScene(file([named(7), named(8)]));
      expect(() => loadScene(scene, document)).toThrow(RangeError);
      expect(scene.stateHash()).toBe(hash);
      expect(scene.entityCount).toBe(count);
    },
  );

  test('binds what is drawn anew, and a failure leaves the bindings in order', () => {
    const scene = makeScene();
    const backend = new NullBackend();
    const { sync } = createInlineRender({ scene, clock: new ManualClock(), backend });
    const mesh = (n: number): object => ({
      uuid: uuidOf(n),
      components: { Mesh: { meshUuid: uuidOf(50 + n), visible: true }, Transform: {} },
    });
    loadScene(scene, parseScene(file([mesh(1), mesh(2)])));
    sync.sync();
    const drawn = (): string[] => {
      const found: string[] = [];
      scene.forEach([read(Mesh), read(Uuid)], (entity, { renderInstanceId }, { value }) => {
        expect(sync.bindings.instanceOf(entity)).toBe(renderInstanceId);
        const instance = sync.renderScene.instance(renderInstanceId);
        found.push(`${value} ${instance?.meshUuid}`);
      });
      return found;
    };
    expect(drawn()).toEqual([1, 2].map((n) => `${uuidOf(n)} ${uuidOf(50 + n)}`));
    const old = find(scene, uuidOf(1));
    loadScene(scene, parseScene(file([mesh(3), mesh(1)])));
    sync.sync();
    expect(drawn()).toEqual([3, 1].map((n) => `${uuidOf(n)} ${uuidOf(50 + n)}`));
    expect(sync.bindings.size).toBe(2);
    expect(scene.isAlive(old)).toBe(false);
    const many = Array.from({ length: 300 }, (_, n) => mesh(n + 1));
    expectError('ecs/entity-budget', () => loadScene(scene, parseScene(file(many))));
    sync.sync();
    expect(drawn()).toEqual([3, 1].map((n) => `${uuidOf(n)} ${uuidOf(50 + n)}`));
    expect(sync.bindings.size).toBe(2);
  });
});
