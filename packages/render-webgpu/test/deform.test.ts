import { AssetManager, AssetRegistry, type MeshData } from '@ecliptic/assets';
import { spawnPrefab } from '@ecliptic/assets/scene';
import { EventLog } from '@ecliptic/core';
import { Commands, INVALID_ENTITY, type EntityId } from '@ecliptic/ecs';
import {
  Animator,
  Material,
  MAX_MORPH_WEIGHTS,
  Mesh,
  MorphWeights,
  PrefabNode,
  Skeleton,
  Transform,
} from '@ecliptic/ecs/components';
import { AnimationPlayer } from '@ecliptic/render-sync';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { packDeform } from '../src/geometry/pack-deform.js';
import { packMesh } from '../src/geometry/pack-mesh.js';
import { OffscreenBackend } from '../src/node.js';
import { deformedSphere } from '../src/scene/deformed-bounds.js';
import { importModel, validModels } from './fixtures/corpus-models.js';
import { comparePicture } from './fixtures/golden.js';
import { tryGpu } from './fixtures/gpu.js';
import { material } from './fixtures/images.js';
import { ground, uuid } from './fixtures/meshes.js';
import { pillar, PILLAR_SKIN } from './fixtures/pillar.js';
import { DOWNWARDS } from './fixtures/shadow-scene.js';
import { stage } from './fixtures/stage.js';

vi.setConfig({ testTimeout: 120_000 });
const { gpu, why } = await tryGpu();
afterAll(() => gpu?.close());
const exact = gpu?.architecture === 'swiftshader';
const SKIN = uuid(50);
const MESH = uuid(51);

type Rotation = [number, number, number, number];
const UPRIGHT: Rotation = [0, 0, 0, 1];
/** A quarter turn to the left. */
const LEFT: Rotation = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

/** A stage whose backend has a device. */
async function open(shadowMapSize = 0) {
  if (!gpu) throw new Error(why);
  const log = new EventLog('test');
  const assets = new AssetManager({ registry: new AssetRegistry() });
  const backend = new OffscreenBackend({ gpu, log, settings: { shadowMapSize } });
  const set = await stage(backend, { width: 160, height: 100 }, assets);
  assets.ingest(SKIN, { type: 'skin', data: PILLAR_SKIN });
  set.light('directional', { intensity: 3, castsShadow: true }, DOWNWARDS);
  const { scene, sync, loop } = set;
  return {
    ...set,
    assets,
    backend,
    log,
    /** A pillar whose upper half is turned. */
    bent(
      position: [number, number, number],
      rotation: Rotation,
      materialUuid?: string,
    ): { entity: EntityId; upper: EntityId } {
      const root = scene.createEntity([Transform, { position }]);
      scene.addComponent(root, PrefabNode, { root, index: 0 });
      const [x, y, z] = position;
      const upper = scene.createEntity(
        [Transform, { position: [x, y + 1, z], rotation }],
        [PrefabNode, { root, index: 1 }],
      );
      const entity = scene.createEntity(
        // Its own transform has no part in a skinned mesh.
        [Transform, { position: [7, 7, 7], scale: [2, 3, 4] }],
        [Mesh, { meshUuid: MESH }],
        [Skeleton, { skinUuid: SKIN, root }],
        ...(materialUuid === undefined ? [] : [[Material, { materialUuid }] as const]),
      );
      return { entity, upper };
    },
    /** Draws what is between the last two steps. */
    async between(alpha: number): Promise<Uint8Array> {
      sync.hierarchy.updateWorld();
      sync.sync();
      sync.publish({ tick: 1, tickTime: 0, stepDuration: 1, alpha, frameTime: 0 });
      loop.runOnce();
      return (await backend.readPixels()).data;
    },
    /** Compares what is drawn now with an approved picture. */
    async picture(name: string) {
      await backend.settled();
      set.frame();
      const pixels = await backend.readPixels();
      return { errors: backend.stats.errors, picture: comparePicture(name, pixels, exact) };
    },
  };
}
const RIGHT = { errors: 0, picture: 'as approved' };

/** As many as `MorphWeights` has. */
function weightsOf(...values: number[]): number[] {
  return Array.from({ length: MAX_MORPH_WEIGHTS }, (_, i) => values[i] ?? 0);
}

/** Mean difference, of 255. */
function difference(one: Uint8Array, other: Uint8Array): number {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, i) => sum + Math.abs(value - (other[i] ?? 0)), 0) / one.length;
}

describe.skipIf(gpu === undefined)(`what is bent${why ? ` (no WebGPU here: ${why})` : ''}`, () => {
  test('skins and morph targets in the G-buffer, in shadows, and in blending surfaces', async () => {
    const s = await open(512);
    s.camera([0, 2, 6], [-0.17, 0, 0, 0.985]);
    s.upload({ kind: 'mesh', uuid: MESH, mesh: pillar() });
    s.upload({ kind: 'mesh', uuid: uuid(2), mesh: ground() });
    const glass = material({
      baseColor: [0.2, 0.5, 1, 0.5],
      alphaMode: 'blend',
      doubleSided: true,
    });
    s.upload({ kind: 'material', uuid: uuid(20), material: glass });
    s.mesh(uuid(2), [0, 0, 0], [4, 4, 4]);
    s.bent([-2, 0, 0], LEFT);
    s.bent([2.2, 0, 0], LEFT, uuid(20));
    const morphed = s.mesh(MESH, [0.6, 0, 0]);
    s.scene.addComponent(morphed, MorphWeights, { count: 1 });
    s.scene.getComponent(morphed, MorphWeights)?.weights.set(0, weightsOf(1));
    expect(await s.picture('bent')).toEqual(RIGHT);
    await s.close();
  });

  test('a skinned mesh whose joints all stand as its entity would looks as a rigid one', async () => {
    const s = await open();
    s.camera([0, 1, 5]);
    s.upload({ kind: 'mesh', uuid: MESH, mesh: pillar() });
    const { entity } = s.bent([-0.5, 0, 0], UPRIGHT);
    const skinned = await s.between(1);
    s.scene.destroyEntity(entity);
    const rigid = s.mesh(MESH, [-0.5, 0, 0]);
    const wanted = await s.between(1);
    expect(difference(skinned, wanted)).toBeLessThan(0.05);
    s.scene.destroyEntity(rigid);
    expect(difference(await s.between(1), wanted)).toBeGreaterThan(1);
    expect(s.backend.stats.errors).toBe(0);
    await s.close();
  });

  test('weights of an entity, and those that a mesh has by itself, move as far as a mesh that was modelled so', async () => {
    const s = await open();
    s.camera([0, 1, 5]);
    const narrow = pillar();
    const wide = modelled(narrow, 0.6);
    const pictures: Uint8Array[] = [];
    for (const [i, mesh] of [narrow, { ...narrow, morphWeights: [0.6] }, wide].entries()) {
      s.upload({ kind: 'mesh', uuid: uuid(60 + i), mesh });
      const entity = s.mesh(uuid(60 + i), [0, 0, 0]);
      if (i === 0) {
        // More weights than targets: what is beyond counts nothing.
        s.scene.addComponent(entity, MorphWeights, { count: 3 });
        s.scene.getComponent(entity, MorphWeights)?.weights.set(0, weightsOf(0.6, 1, 1));
      }
      pictures.push(await s.between(1));
      s.scene.destroyEntity(entity);
    }
    const [byEntity, byMesh, wanted] = pictures as [Uint8Array, Uint8Array, Uint8Array];
    expect(difference(byEntity, wanted)).toBeLessThan(0.05);
    expect(difference(byMesh, wanted)).toBeLessThan(0.05);
    expect(difference(await s.between(1), wanted)).toBeGreaterThan(1);
    await s.close();
  });

  test('between two steps a joint is between its places', async () => {
    const s = await open();
    s.camera([0, 1, 5]);
    s.upload({ kind: 'mesh', uuid: MESH, mesh: pillar() });
    const { upper } = s.bent([0, 0, 0], UPRIGHT);
    s.scene.snapshotTransforms();
    const place = s.scene.getComponent(upper, Transform)?.position;
    if (place) place.x = 1;
    s.scene.snapshotTransforms();
    const half = await s.between(0.5);
    if (place) place.x = 0.5;
    s.scene.snapTransform(upper);
    const wanted = await s.between(1);
    expect(difference(half, wanted)).toBeLessThan(0.05);
    if (place) place.x = 1;
    s.scene.snapTransform(upper);
    expect(difference(await s.between(1), wanted)).toBeGreaterThan(0.5);
    await s.close();
  });

  test('one whose joints leave the picture is culled, and one whose entity left is not', async () => {
    const s = await open();
    s.camera([0, 1, 5]);
    s.upload({ kind: 'mesh', uuid: MESH, mesh: pillar() });
    s.bent([0, 0, 0], LEFT);
    s.bent([0, 0, 50], LEFT);
    await s.between(1);
    expect(s.backend.stats).toMatchObject({ instances: 2, visible: 1, errors: 0 });
    await s.close();
  });

  test('it comes, goes, is replaced and freed without an error, and after a lost device it is there again', async () => {
    const s = await open();
    s.camera([0, 1, 5]);
    s.upload({ kind: 'mesh', uuid: MESH, mesh: pillar() });
    const first = s.bent([0, 0, 0], LEFT);
    const wanted = await s.between(1);
    for (let i = 0; i < 6; i++) {
      s.upload({ kind: 'mesh', uuid: MESH, mesh: i % 2 === 0 ? ground() : pillar() });
      const other = s.bent([1, 0, -1], UPRIGHT);
      await s.between(1);
      s.scene.destroyEntity(other.entity);
      if (i === 2) s.upload({ kind: 'free', resource: 'mesh', uuid: MESH });
    }
    const lost = s.backend.device;
    lost?.destroy();
    await lost?.lost;
    await s.backend.settled();
    s.loop.runOnce();
    expect(difference(await s.between(1), wanted)).toBe(0);
    expect(s.backend.stats).toMatchObject({ errors: 0, losses: 1 });
    s.scene.destroyEntity(first.entity);
    await s.between(1);
    expect(s.backend.stats).toMatchObject({ instances: 0, errors: 0 });
    await s.close();
  });
});

const models = validModels();

describe.skipIf(gpu === undefined || models.length === 0)('models of the corpus that bend', () => {
  const pose = async (id: string, time: number, camera: [number, number, number]) => {
    const model = models.find((found) => found.id === id);
    if (!model) throw new Error(`the corpus has no ${id}`);
    const s = await open(256);
    s.camera(camera);
    s.sync.renderScene.sky.set({ kind: 'analytic' });
    const imported = await importModel(model);
    for (const { uuid: asset, type, data } of imported) {
      s.assets.ingest(asset, { type, data } as Parameters<AssetManager['ingest']>[1]);
    }
    const animation = imported.find(({ type }) => type === 'animation')?.uuid;
    for (const asset of imported) {
      if (asset.type !== 'prefab' || !animation) continue;
      const [root = INVALID_ENTITY] = spawnPrefab(s.scene, asset.data);
      s.scene.addComponent(root, Animator, { animationUuid: animation, time });
    }
    const commands = new Commands(s.scene);
    new AnimationPlayer(s.scene, s.assets, s.log).update(0, commands);
    commands.flush();
    return s;
  };

  test('a skinned one in a pose of its animation', async () => {
    const s = await pose('simpleskin-gltf', 1, [0, 1, 4]);
    expect(await s.picture('corpus-skinned')).toEqual(RIGHT);
    expect(s.backend.stats.visible).toBe(1);
    await s.close();
  });

  test('a morphed one at a moment of its animation', async () => {
    const s = await pose('animatedmorphsphere-gltf', 1, [0, 0, 5]);
    expect(await s.picture('corpus-morphed')).toEqual(RIGHT);
    expect(s.backend.stats.visible).toBe(1);
    await s.close();
  });
});

describe('bounds of what is bent', () => {
  test('hold every vertex, however joints shear and morph targets reach', () => {
    const number = fc.double({ min: -3, max: 3, noNaN: true });
    const rows = fc.array(number, { minLength: 12, maxLength: 12 });
    const packed = packMesh(pillar());
    const { deform } = packed;
    if (!deform) throw new Error('a pillar bends');
    fc.assert(
      fc.property(rows, rows, number, (lower, upper, weight) => {
        const joints = Float32Array.from([...lower, ...upper]);
        const sphere = new Float32Array(4);
        const reach = (deform.reaches[0] ?? 0) * Math.abs(weight);
        deformedSphere(sphere, 0, packed, reach, joints, 0, 2);
        const [x = 0, y = 0, z = 0, radius = 0] = sphere;
        const { rest, deltas, influences } = deform;
        for (let v = 0; v * 15 < rest.length; v++) {
          const p = [0, 1, 2].map(
            (c) => (rest[v * 15 + c] ?? 0) + weight * (deltas[v * 9 + c] ?? 0),
          );
          const bent = [0, 4, 8].map((row) => {
            let sum = 0;
            for (let i = 0; i < 4; i++) {
              const at = (influences[(v * 4 + i) * 2] ?? 0) * 12 + row;
              const moved = p.reduce(
                (all, c, k) => all + c * (joints[at + k] ?? 0),
                joints[at + 3] ?? 0,
              );
              sum += moved * (influences[(v * 4 + i) * 2 + 1] ?? 0);
            }
            return sum;
          }) as [number, number, number];
          const away = Math.hypot(bent[0] - x, bent[1] - y, bent[2] - z);
          expect(away).toBeLessThanOrEqual(radius * (1 + 1e-5) + 1e-5);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('weights that do not add up to 1 are made to, and a vertex without any follows the first joint', () => {
    const mesh = pillar();
    const streams = mesh.streams.map((stream) => {
      if (stream.semantic !== 'WEIGHTS_0') return stream;
      const data = Float32Array.from(stream.data);
      data.set([0, 0, 0, 0, 3, 1, 0, 0]);
      return { ...stream, data };
    });
    const influences = packDeform({ ...mesh, streams }, new Float32Array())?.influences;
    expect([...(influences ?? [])].slice(0, 12)).toEqual([
      0, 1, 1, 0, 0, 0, 0, 0, 0, 0.75, 1, 0.25,
    ]);
  });
});

/** A mesh with its morph target applied at a weight. */
function modelled(mesh: MeshData, weight: number): MeshData {
  const delta = mesh.morphTargets[0]?.streams[0]?.data ?? [];
  const streams = mesh.streams.map((stream) => {
    if (stream.semantic !== 'POSITION') return stream;
    const data = Float32Array.from(stream.data, (value, i) => value + weight * (delta[i] ?? 0));
    return { ...stream, data };
  });
  return { ...mesh, streams, morphTargets: [], morphWeights: [] };
}
