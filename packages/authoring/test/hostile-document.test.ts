import { EclipticError } from '@ecliptic/core';
import { captureSnapshot, defineComponent, definePrefab, f32, Scene } from '@ecliptic/ecs';
import { Name, Transform } from '@ecliptic/ecs/components';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  captureScene,
  decodeScene,
  encodeScene,
  formatScene,
  instantiatePrefab,
  loadScene,
  parseScene,
  type LoadOptions,
  type SceneDocument,
} from '../src/index.js';
import { COMPONENTS, entitySpecs, makeScene, populate, uuidOf } from './support.js';

const RUNS = 60;

const Old = defineComponent('Old', { value: f32() }, { version: 2 });
const leaf = definePrefab('leaf', { components: [Transform] });
const tree = definePrefab('tree', {
  components: [[Name, { value: 'tree' }], Transform],
  children: { left: leaf, right: leaf },
});
const options: LoadOptions = {
  components: [...COMPONENTS, Old],
  prefabs: [tree, leaf],
  migrations: {
    Old: {
      1: ({ value }) => {
        if (value === 'throw') throw new Error('a step that fails');
        return { value };
      },
    },
  },
  hasAsset: (uuid) => uuid !== uuidOf(3),
  placeholder: () => uuidOf(0xdead),
};

/** A value that something of a document is replaced by, or that is put into it. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    -0,
    2 ** 53,
    -1,
    0.5,
    1e300,
    [],
    {},
    [[]],
    'NaN',
    'Infinity',
    'throw',
    'tree',
    'leaf',
    'nobody',
    '../models/rock.glb',
    uuidOf(3),
    uuidOf(100),
    uuidOf(101),
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    { prefab: 'tree', parts: { left: null } },
    { left: { uuid: uuidOf(100) }, right: { components: { Name: {} } } },
    { value: 'throw' },
    [0, 0, 0, 2],
    ['Name', 'Transform', 'Name'],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const NAMES =
  'uuid parent prefab parts without components version entities left ' +
  'Old Parent Uuid PrefabInstance PrefabPart Transient Name Transform ' +
  'constructor toString __proto__ value position rotation world';
const key = fc.oneof(fc.constantFrom(...NAMES.split(' ')), fc.string({ maxLength: 3 }));
/** A change of a document. */
const change = fc.record({
  /** Which value, of all in the document. */
  at: fc.nat(),
  how: fc.constantFrom('replace', 'insert', 'remove', 'copy'),
  key,
  value: anything,
  from: fc.nat(),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** What a document may be refused with. */
const CODES = /^authoring\/|^ecs\/(entity-budget|archetype-budget|component-budget)$/;

function saved(scene: Scene): string {
  return formatScene(captureScene(scene, { prefabs: [tree, leaf] }));
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** All lists and objects of a document. */
function containersOf(
  value: unknown,
  found: Record<string, unknown>[] = [],
): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return found;
  found.push(value as Record<string, unknown>);
  for (const inner of Object.values(value)) containersOf(inner, found);
  return found;
}

function put(into: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(into, name, {
    value: structuredClone(value),
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function mutate(document: unknown, { at, how, key: name, value, from }: Change): void {
  const all = containersOf(document);
  const into = all[at % all.length] as Record<string, unknown>;
  const names = Object.keys(into);
  const chosen = names[from % Math.max(names.length, 1)];
  if (how === 'insert' || chosen === undefined) {
    if (Array.isArray(into)) into.push(structuredClone(value));
    else put(into, name, value);
  } else if (how === 'remove') {
    if (Array.isArray(into)) into.splice(Number(chosen), 1);
    else delete into[chosen];
  } else put(into, chosen, how === 'copy' ? all[from % all.length] : value);
}

/** A scene with what files may have, and an instance of a prefab. */
function running(): Scene {
  const scene = makeScene();
  const root = instantiatePrefab(scene, tree, {}, uuidOf(1));
  instantiatePrefab(scene, leaf, {}, uuidOf(2));
  scene.setParent(scene.createEntity([Name, { value: 'transient' }]), root);
  scene.destroyEntity(scene.childrenOf(root).at(-1) ?? 0);
  return scene;
}

/** Why a document is refused; `undefined` where it was loaded. */
function refusal(scene: Scene, read: () => SceneDocument): unknown {
  try {
    loadScene(scene, read(), options);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Loads a document: it is loaded as a whole, or refused with a coded error and without a trace. @returns whether it was loaded */
function attempt(scene: Scene, read: () => SceneDocument): boolean {
  const before = captureSnapshot(scene);
  const kept = saved(scene);
  const error = refusal(scene, read);
  if (error === undefined) {
    const text = saved(scene);
    const again = makeScene();
    loadScene(again, parseScene(text), options);
    if (saved(again) !== text) throw new Error('what was loaded is saved in another way each time');
    again.dispose();
    return true;
  }
  if (!(error instanceof EclipticError) || !CODES.test(error.code) || !error.fix) throw error;
  if (saved(scene) !== kept || !equal(captureSnapshot(scene), before)) {
    throw new Error('the scene is not as it was', { cause: error });
  }
  return false;
}

test('a document with anything changed is loaded as a whole, or refused without a trace', async () => {
  let loaded = 0;
  let refused = 0;
  const changes = fc.array(change, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(entitySpecs, changes, fc.boolean(), async (specs, list, binary) => {
      const source = running();
      populate(source, specs);
      const document = JSON.parse(saved(source)) as SceneDocument;
      for (const each of list) mutate(document, each);
      source.dispose();
      const scene = running();
      let read = (): SceneDocument => parseScene(JSON.stringify(document));
      if (binary) {
        const bytes = await encodeScene(document);
        const decoded = await decodeScene(bytes).catch((error: unknown) => error);
        read = () => {
          if (decoded instanceof Error) throw decoded;
          return decoded as SceneDocument;
        };
      }
      if (attempt(scene, read)) loaded++;
      else refused++;
      scene.dispose();
    }),
    { numRuns: RUNS },
  );
  expect(Math.min(loaded, refused)).toBeGreaterThan(RUNS / 10);
  expect(({} as Record<string, unknown>)['left']).toBeUndefined();
});
