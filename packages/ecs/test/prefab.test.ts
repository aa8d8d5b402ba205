import { describe, expect, expectTypeOf, test } from 'vitest';
import { Commands } from '../src/commands/commands.js';
import { INVALID_ENTITY, type EntityId } from '../src/entities/entity-id.js';
import { Parent } from '../src/hierarchy/parent.js';
import { definePrefab, type Prefab } from '../src/prefabs/prefab.js';
import { sdfBox, sdfDistance, SdfShape, sdfSphere } from '../src/prefabs/sdf-shape.js';
import { spawnPrefab } from '../src/prefabs/spawn-prefab.js';
import { added, read } from '../src/query/term.js';
import { Scene } from '../src/scene/scene.js';
import { defineComponent, defineTag } from '../src/schema/component.js';
import { f32 } from '../src/schema/number-fields.js';
import { oneOf } from '../src/schema/one-of-field.js';
import { vec3 } from '../src/schema/vector-fields.js';

const Place = defineComponent('Place', { position: vec3(), scale: vec3({ default: [1, 1, 1] }) });
const Light = defineComponent('Light', {
  kind: oneOf('point', 'spot'),
  intensity: f32({ default: 1, min: 0 }),
});
const Health = defineComponent('Health', { points: f32({ default: 100 }) });
const Burning = defineTag('Burning', { storage: 'sparse' });

const Flame = definePrefab('flame', {
  components: [[Place, { position: [0, 1, 0] }], [Light, { intensity: 2 }], Burning],
});
const Torch = definePrefab('torch', {
  components: [Place, [Health, { points: 10 }]],
  children: { flame: Flame },
  shape: sdfBox([0.1, 0.5, 0.1]),
});

const code = (call: () => unknown): string => {
  try {
    call();
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
  return 'no error';
};
const makeScene = () => new Scene({ maxEntities: 64, arenaBudget: 2 ** 20 });
const only = (scene: Scene, id: EntityId): EntityId => scene.childrenOf(id)[0] ?? INVALID_ENTITY;

describe('spawning a prefab', () => {
  test('makes the entity with its components, its children below it, and its shape', () => {
    const scene = makeScene();
    const torch = spawnPrefab(scene, Torch);
    const flame = only(scene, torch);
    expect(scene.entityCount).toBe(2);
    expect(scene.getComponent(torch, Health)?.points).toBe(10);
    expect(scene.getComponent(flame, Light)?.intensity).toBe(2);
    expect(scene.getComponent(flame, Place)?.position.y).toBe(1);
    expect(scene.hasComponent(flame, Burning)).toBe(true);
    const shape = scene.getComponent(torch, SdfShape);
    expect(shape && sdfDistance(shape, [0, 1, 0])).toBeCloseTo(0.5);
    expect(scene.hasComponent(torch, Parent)).toBe(false);
  });

  test('overrides change fields of this copy only, and may add and leave out components', () => {
    const scene = makeScene();
    const changed = spawnPrefab(scene, Torch, {
      components: [
        [Place, { scale: [2, 2, 2] }],
        [Light, { intensity: 5 }],
      ],
      without: [Health],
      shape: sdfSphere(3),
    });
    expect(scene.getComponent(changed, Place)?.scale.x).toBe(2);
    expect(scene.getComponent(changed, Place)?.position.x).toBe(0);
    expect(scene.getComponent(changed, Light)?.intensity).toBe(5);
    expect(scene.hasComponent(changed, Health)).toBe(false);
    expect(scene.getComponent(changed, SdfShape)?.kind).toBe('sphere');
    const plain = spawnPrefab(scene, Torch);
    expect(scene.getComponent(plain, Place)?.scale.x).toBe(1);
    expect(scene.hasComponent(plain, Light)).toBe(false);
    const shapeless = spawnPrefab(scene, Torch, { shape: null });
    expect(scene.hasComponent(shapeless, SdfShape)).toBe(false);
  });

  test('children are overridden and left out by name', () => {
    const scene = makeScene();
    const bright = spawnPrefab(scene, Torch, {
      children: { flame: { components: [[Light, { intensity: 9 }]] } },
    });
    expect(scene.getComponent(only(scene, bright), Light)?.intensity).toBe(9);
    expect(scene.getComponent(only(scene, bright), Light)?.kind).toBe('point');
    const dark = spawnPrefab(scene, Torch, { children: { flame: null } });
    expect(scene.childrenOf(dark)).toEqual([]);
  });

  test('the copy may become a child; destroying it destroys what was spawned with it', () => {
    const scene = makeScene();
    const wall = scene.createEntity(Place);
    const torch = spawnPrefab(scene, Torch, { parent: wall });
    expect(scene.parentOf(torch)).toBe(wall);
    scene.destroyEntity(torch);
    expect(scene.entityCount).toBe(1);
    expect(code(() => spawnPrefab(scene, Torch, { parent: torch }))).toBe('ecs/stale-parent');
    expect(scene.entityCount).toBe(1);
  });

  test('filters see what prefabs bring (17)', () => {
    const scene = makeScene();
    const query = scene.query(read(Light), added(Light));
    const seen = (): number => {
      let count = 0;
      query.forEach(() => count++);
      return count;
    };
    expect(seen()).toBe(0);
    spawnPrefab(scene, Torch);
    expect([seen(), seen()]).toEqual([1, 0]);
  });

  test('into commands it is queued, and the family holds at flush', () => {
    const scene = makeScene();
    const commands = new Commands(scene);
    const queued = spawnPrefab(commands, Torch, { components: [[Health, { points: 3 }]] });
    expect(scene.entityCount).toBe(0);
    commands.flush();
    const torch = commands.resolve(queued);
    expect(scene.entityCount).toBe(2);
    expect(scene.getComponent(torch, Health)?.points).toBe(3);
    expect(scene.getComponent(only(scene, torch), Light)?.intensity).toBe(2);
  });

  test('when a budget ends halfway, nothing is left', () => {
    const scene = makeScene();
    for (let i = 0; i < 63; i++) scene.createEntity(Place);
    const hash = scene.stateHash();
    const destroyed: EntityId[] = [];
    scene.observeDestroy((id) => destroyed.push(id));
    expect(code(() => spawnPrefab(scene, Torch))).toBe('ecs/entity-budget');
    expect(scene.entityCount).toBe(63);
    expect(scene.stateHash()).toBe(hash);
    expect(destroyed).toHaveLength(1);
  });
});

describe('inheritance', () => {
  test('fields, components, children and shape are inherited one by one', () => {
    const Big = definePrefab('big torch', {
      extends: Torch,
      components: [
        [Place, { scale: [3, 3, 3] }],
        [Light, { kind: 'spot' }],
      ],
      without: [Health],
      children: { smoke: definePrefab('smoke', { components: [Place] }) },
    });
    const Lit = definePrefab('lit torch', {
      extends: Big,
      components: [[Light, { intensity: 7 }]],
    });
    const scene = makeScene();
    const torch = spawnPrefab(scene, Lit);
    expect(scene.getComponent(torch, Place)?.scale.x).toBe(3);
    expect(scene.getComponent(torch, Light)?.kind).toBe('spot');
    expect(scene.getComponent(torch, Light)?.intensity).toBe(7);
    expect(scene.hasComponent(torch, Health)).toBe(false);
    expect(scene.getComponent(torch, SdfShape)?.kind).toBe('box');
    expect([...Lit.children.keys()]).toEqual(['flame', 'smoke']);
    expect(scene.childrenOf(torch)).toHaveLength(2);
    expect([...Torch.children.keys()]).toEqual(['flame']);
    expect(Torch.components.has(Health)).toBe(true);
  });

  test('a child of the same name is replaced in its place, null leaves it out', () => {
    const Base = definePrefab('base', { children: { a: Flame, b: Torch } });
    const Other = definePrefab('other', { extends: Base, children: { a: definePrefab('x', {}) } });
    expect([...Other.children].map(([name, child]) => [name, child.name])).toEqual([
      ['a', 'x'],
      ['b', 'torch'],
    ]);
    const Less = definePrefab('less', { extends: Other, children: { a: null } });
    expect([...Less.children.keys()]).toEqual(['b']);
    expect(definePrefab('bare', { extends: Torch, shape: null }).components.has(SdfShape)).toBe(
      false,
    );
  });
});

test('mistakes are found when the prefab is defined, or before anything is spawned', () => {
  const invalid: [() => unknown, string][] = [
    [() => definePrefab('', {}), 'ecs/invalid-prefab'],
    [() => definePrefab('p', { components: [Place, [Place, {}]] }), 'ecs/invalid-prefab'],
    [() => definePrefab('p', { without: [Place] }), 'ecs/invalid-prefab'],
    [() => definePrefab('p', { extends: Flame, shape: null }), 'ecs/invalid-prefab'],
    [() => definePrefab('p', { children: { a: null } }), 'ecs/invalid-prefab'],
    [() => definePrefab('p', { components: [[Parent, { entity: 1 }]] }), 'ecs/invalid-prefab'],
    [() => definePrefab('p', { components: [[Light, { intensity: -1 }]] }), 'ecs/invalid-value'],
    [
      () => definePrefab('p', { components: [[Light, { lumen: 1 } as object]] }),
      'ecs/invalid-value',
    ],
    [
      () => definePrefab('p', { components: [SdfShape], shape: sdfSphere(1) }),
      'ecs/invalid-prefab',
    ],
  ];
  for (const [define, expected] of invalid) expect(code(define)).toBe(expected);
  const scene = makeScene();
  expect(code(() => spawnPrefab(scene, Torch, { children: { smoke: {} } }))).toBe(
    'ecs/invalid-prefab',
  );
  expect(code(() => spawnPrefab(scene, Torch, { children: { toString: {} } }))).toBe(
    'ecs/invalid-prefab',
  );
  expect(code(() => spawnPrefab(scene, Torch, { without: [Light] }))).toBe('ecs/invalid-prefab');
  expect(code(() => spawnPrefab(scene, Torch, { components: [[Light, { intensity: NaN }]] }))).toBe(
    'ecs/invalid-value',
  );
  expect(scene.entityCount).toBe(0);
});

test('values are typed by their component', () => {
  expectTypeOf(Torch).toEqualTypeOf<Prefab>();
  const wrong = [
    // @ts-expect-error: a text is no number
    () => definePrefab('p', { components: [[Light, { intensity: 'bright' }]] }),
    // @ts-expect-error: no such choice
    () => spawnPrefab(makeScene(), Torch, { components: [[Light, { kind: 'laser' }]] }),
  ];
  expect(wrong.map(code)).toEqual(['ecs/invalid-value', 'ecs/invalid-value']);
});
