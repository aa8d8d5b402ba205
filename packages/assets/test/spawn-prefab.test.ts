import { INVALID_ENTITY, Scene } from '@ecliptic/ecs';
import {
  Camera,
  Light,
  Mesh,
  MorphWeights,
  Name,
  Parent,
  PrefabNode,
  Skeleton,
  Transform,
} from '@ecliptic/ecs/components';
import { memoryBackend, VFSContext, VFSPath } from '@ecliptic/vfs';
import { expect, test } from 'vitest';
import { gltfImporter, type NodeData, type PrefabData } from '../src/index.js';
import { spawnPrefab } from '../src/scene.js';
import { everything } from './gltf-builder.js';
import { dataOf, importFile } from './import-file.js';

async function samplePrefab(): Promise<PrefabData> {
  const vfs = new VFSContext();
  vfs.mount('/', memoryBackend({ files: { '/a.glb': everything().glb() } }));
  const outcome = await importFile(gltfImporter(), vfs, VFSPath.parse('/a.glb'));
  const [prefab] = outcome.kind === 'imported' ? dataOf(outcome.assets, 'prefab') : [];
  if (!prefab) throw new Error('no prefab');
  return prefab;
}

const node = (name: string, parent: number): NodeData => ({
  name,
  parent,
  translation: [0, 0, 0],
  rotation: [0, 0, 0, 1],
  scale: [1, 1, 1],
});

test('a prefab becomes entities with transforms, names, parents, mesh, camera and light', async () => {
  const prefab = await samplePrefab();
  const scene = new Scene();
  const [root = INVALID_ENTITY, eye = INVALID_ENTITY, quad = INVALID_ENTITY] = spawnPrefab(
    scene,
    prefab,
  );
  expect(scene.entityCount).toBe(3);
  expect(scene.getComponent(quad, Name)?.value).toBe('quad');
  expect(scene.parentOf(quad)).toBe(root);
  expect(scene.hasComponent(root, Parent)).toBe(false);
  expect(scene.getComponent(quad, Transform)?.position.x).toBe(1);
  expect(scene.getComponent(quad, Mesh)?.meshUuid).toBe(prefab.nodes[2]?.mesh);
  expect(scene.getComponent(eye, Camera)?.fovY).toBe(1);
  expect(scene.getComponent(eye, Camera)?.isMain).toBe(false);
  expect(scene.getComponent(root, Light)?.kind).toBe('spot');
});

test('roots get the parent that is asked for; nodes of other scenes are left out', () => {
  const scene = new Scene();
  const owner = scene.createEntity(Transform);
  const prefab: PrefabData = {
    name: '',
    nodes: [node('a', -1), node('b', -1), node('c', 1), node('d', 0)],
    scenes: [
      { name: '0', roots: [0] },
      { name: '1', roots: [1] },
    ],
    defaultScene: 1,
    animations: [],
    variants: [],
  };
  const entities = spawnPrefab(scene, prefab, { parent: owner });
  expect(entities.map((entity) => entity === INVALID_ENTITY)).toEqual([true, false, false, true]);
  expect(scene.parentOf(entities[1] ?? INVALID_ENTITY)).toBe(owner);
  expect(spawnPrefab(scene, prefab, { scene: 0 })[3]).not.toBe(INVALID_ENTITY);
});

test('names that are too long are cut between characters', () => {
  const scene = new Scene();
  const name = `${'x'.repeat(126)}日本`;
  const prefab = { nodes: [node(name, -1)], scenes: [], defaultScene: -1, animations: [] } as never;
  const [entity = INVALID_ENTITY] = spawnPrefab(scene, prefab);
  expect(scene.getComponent(entity, Name)?.value).toBe('x'.repeat(126));
});

test('what skins and animations refer to can be found: nodes by number, from the first root', () => {
  const scene = new Scene();
  const skin = '6f2d4a54-9d5c-4b8e-9a53-0d9f8f4c2b11';
  const prefab: PrefabData = {
    name: '',
    nodes: [
      node('left out', -1),
      node('rig', -1),
      { ...node('body', 1), skin, morphWeights: [0.25, 0.5] },
    ],
    scenes: [{ name: '', roots: [1] }],
    defaultScene: 0,
    animations: [],
    variants: [],
  };
  const [none, rig = INVALID_ENTITY, body = INVALID_ENTITY] = spawnPrefab(scene, prefab);
  expect(none).toBe(INVALID_ENTITY);
  expect(scene.getComponent(rig, PrefabNode)).toMatchObject({ root: rig, index: 1 });
  expect(scene.getComponent(body, PrefabNode)).toMatchObject({ root: rig, index: 2 });
  expect(scene.getComponent(body, Skeleton)).toMatchObject({ root: rig, skinUuid: skin });
  const weights = scene.getComponent(body, MorphWeights);
  expect([weights?.count, weights?.weights.at(0), weights?.weights.at(1)]).toEqual([2, 0.25, 0.5]);
});
