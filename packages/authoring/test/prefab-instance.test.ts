import {
  definePrefab,
  f32,
  defineComponent,
  INVALID_ENTITY,
  read,
  type EntityId,
  type Scene,
} from '@ecliptic/ecs';
import { Name, Transform, Uuid } from '@ecliptic/ecs/components';
import { describe, expect, test } from 'vitest';
import {
  captureScene,
  EditorSession,
  formatScene,
  instantiatePrefab,
  loadScene,
  parseScene,
  type SceneDocument,
} from '../src/index.js';
import { expectError, Follows, makeScene, Marked, uuidOf } from './support.js';

const Flicker = defineComponent('Flicker', { rate: f32({ default: 1 }), depth: f32() });
const spark = definePrefab('spark', { components: [Marked] });
const flame = definePrefab('flame', {
  components: [Transform, [Flicker, { rate: 0.1 }]],
  children: { spark, spare: spark },
});
const torch = definePrefab('torch', {
  components: [[Name, { value: 'torch' }], Transform],
  children: { flame },
});
const prefabs = [torch];

/** An entity by what it is called on the way to it. */
function part(scene: Scene, ...path: number[]): EntityId {
  let entity = INVALID_ENTITY;
  scene.forEach([read(Uuid)], (each, { value }) => {
    if (value === uuidOf(1)) entity = each;
  });
  for (const index of path) entity = scene.childrenOf(entity)[index] ?? INVALID_ENTITY;
  return entity;
}

function blockOf(document: SceneDocument): unknown {
  return JSON.parse(JSON.stringify(document.entities));
}

describe('an instance of a prefab', () => {
  test('is saved as what it changes', () => {
    const scene = makeScene();
    const at = { components: [[Transform, { position: [5, 0, 3] }]] } as const;
    instantiatePrefab(scene, torch, at, uuidOf(1));
    const uuids = [[0], [0, 0], [0, 1]].map(
      (path) => scene.getComponent(part(scene, ...path), Uuid)?.value,
    );
    const document = captureScene(scene, { prefabs });
    expect(blockOf(document)).toEqual([
      {
        uuid: uuidOf(1),
        prefab: 'torch',
        components: { Transform: { position: [5, 0, 3] } },
        parts: {
          flame: {
            uuid: uuids[0],
            components: {},
            parts: {
              spark: { uuid: uuids[1], components: {} },
              spare: { uuid: uuids[2], components: {} },
            },
          },
        },
      },
    ]);
    // The same again elsewhere: UUIDs of parts follow from that of the instance.
    const other = makeScene();
    instantiatePrefab(other, torch, at, uuidOf(1));
    expect(formatScene(captureScene(other, { prefabs }))).toBe(formatScene(document));
  });

  test('with everything changed comes back as it was', () => {
    const scene = makeScene();
    const root = instantiatePrefab(scene, torch, {}, uuidOf(1));
    scene.removeComponent(root, Name);
    scene.addComponent(root, Marked);
    const flameOf = part(scene, 0);
    scene.setComponent(flameOf, Flicker, { rate: 0.25 });
    scene.destroyEntity(part(scene, 0, 1));
    scene.addComponent(part(scene, 0, 0), Follows, { target: flameOf });
    const guest = scene.createEntity(
      [Uuid, { value: uuidOf(2) }],
      [Follows, { target: part(scene, 0, 0) }],
    );
    scene.setParent(guest, flameOf);
    const document = captureScene(scene, { prefabs });
    const [instance, extra] = document.entities;
    expect(instance).toMatchObject({
      without: ['Name'],
      components: { Marked: {} },
      parts: { flame: { components: { Flicker: { rate: 0.25 } }, parts: { spare: null } } },
    });
    expect(Object.keys(instance?.parts?.['flame']?.components ?? {})).toEqual(['Flicker']);
    expect(extra).toMatchObject({ uuid: uuidOf(2), parent: instance?.parts?.['flame']?.uuid });
    const loaded = makeScene();
    const report = loadScene(loaded, parseScene(formatScene(document)), { prefabs });
    expect(report).toEqual({ entities: 4, repairs: [], warnings: [] });
    expect(formatScene(captureScene(loaded, { prefabs }))).toBe(formatScene(document));
    expect(loaded.hasComponent(part(loaded), Name)).toBe(false);
    expect(loaded.getComponent(part(loaded, 0), Flicker)?.rate).toBeCloseTo(0.25);
    expect(loaded.getComponent(part(loaded, 0, 0), Follows)?.target).toBe(part(loaded, 0));
    expect(loaded.childrenOf(part(loaded, 0))).toHaveLength(2);
  });

  test('has a UUID of its own, though the prefab has one', () => {
    const marked = definePrefab('marked', { components: [[Uuid, { value: uuidOf(9) }], Marked] });
    const scene = makeScene();
    instantiatePrefab(scene, marked, {}, uuidOf(1));
    const text = formatScene(captureScene(scene, { prefabs: [marked] }));
    const loaded = makeScene();
    const report = loadScene(loaded, parseScene(text), { prefabs: [marked] });
    expect(report).toEqual({ entities: 1, repairs: [], warnings: [] });
    expect(formatScene(captureScene(loaded, { prefabs: [marked] }))).toBe(text);
    expect(JSON.parse(text)).toMatchObject({ entities: [{ uuid: uuidOf(1), prefab: 'marked' }] });
  });

  test('follows a later version of the prefab where it says nothing itself', () => {
    const scene = makeScene();
    const root = instantiatePrefab(scene, torch, {}, uuidOf(1));
    scene.setComponent(root, Transform, { position: [1, 2, 3] });
    const text = formatScene(captureScene(scene, { prefabs }));
    const ember = definePrefab('ember', { components: [Marked] });
    const brighter = definePrefab('flame', {
      extends: flame,
      components: [[Flicker, { rate: 0.9, depth: 2 }]],
      children: { ember },
    });
    const later = definePrefab('torch', {
      extends: torch,
      components: [
        [Name, { value: 'lamp' }],
        [Transform, { scale: [2, 2, 2] }],
      ],
      children: { flame: brighter },
    });
    const loaded = makeScene();
    loadScene(loaded, parseScene(text), { prefabs: [later] });
    const transform = loaded.getComponent(part(loaded), Transform);
    expect(transform?.position.toArray()).toEqual([1, 2, 3]);
    expect(transform?.scale.toArray()).toEqual([2, 2, 2]);
    expect(loaded.getComponent(part(loaded), Name)?.value).toBe('lamp');
    expect(loaded.getComponent(part(loaded, 0), Flicker)?.depth).toBe(2);
    expect(loaded.hasComponent(part(loaded, 0, 2), Marked)).toBe(true);
    expect(loaded.entityCount).toBe(5);
  });

  test('is edited like everything else: parts are deleted, and come back', () => {
    const scene = makeScene();
    instantiatePrefab(scene, torch, {}, uuidOf(1));
    const session = new EditorSession(scene);
    const text = (): string => formatScene(captureScene(scene, { prefabs }));
    const before = text();
    const flameUuid = session.uuidOf(part(scene, 0)) ?? '';
    session.edit({ label: 'Delete', edits: [{ kind: 'delete', entity: flameUuid }] });
    expect(captureScene(scene, { prefabs }).entities[0]?.parts).toEqual({ flame: null });
    session.undo();
    expect(text()).toBe(before);
  });

  test('needs its prefab, and names that fit into a file', () => {
    const scene = makeScene();
    instantiatePrefab(scene, torch, {}, uuidOf(1));
    expectError('authoring/unknown-prefab', () => captureScene(scene));
    const long = definePrefab('x'.repeat(129), {});
    expectError('authoring/prefab-name', () => instantiatePrefab(scene, long));
    expectError('authoring/prefab-name', () =>
      instantiatePrefab(scene, definePrefab('holder', { children: { ['ä'.repeat(65)]: spark } })),
    );
    expect(scene.entityCount).toBe(4);
  });

  test('can leave children out, also deep inside', () => {
    const scene = makeScene();
    instantiatePrefab(
      scene,
      torch,
      { children: { flame: { children: { spark: null } } } },
      uuidOf(1),
    );
    const document = captureScene(scene, { prefabs });
    expect(document.entities[0]?.parts?.['flame']?.parts).toMatchObject({ spark: null, spare: {} });
    const loaded = makeScene();
    loadScene(loaded, document, { prefabs });
    expect(formatScene(captureScene(loaded, { prefabs }))).toBe(formatScene(document));
    expect(loaded.entityCount).toBe(3);
  });
});
