import { AssetManager, AssetRegistry } from '@ecliptic/assets';
import { EventLog, ManualClock } from '@ecliptic/core';
import { Scene } from '@ecliptic/ecs';
import { Mesh, Transform } from '@ecliptic/ecs/components';
import { describe, expect, test, vi } from 'vitest';
import { createInlineRender, NullBackend } from '../src/index.js';
import {
  environment,
  materialOf,
  texture,
  triangle,
  triangleOf,
  uuid,
} from './fixtures/triangle.js';

const newAssets = (): AssetManager => new AssetManager({ registry: new AssetRegistry() });

async function world(assets: AssetManager = newAssets(), log = new EventLog('render-sync')) {
  const scene = new Scene();
  const clock = new ManualClock();
  const backend = new NullBackend();
  const budget = { instances: 64, lights: 1, cameras: 1 };
  const { sync, loop } = createInlineRender({ scene, clock, backend, assets, budget, log });
  await loop.initialize();
  sync.setTarget({ width: 8, height: 8, pixelRatio: 1 });
  const publish = (): void => {
    sync.sync();
    sync.publish({ tick: 0, tickTime: 0, stepDuration: 0, alpha: 0, frameTime: 0 });
  };
  const frame = (): void => {
    publish();
    loop.runOnce();
  };
  const entity = (mesh: number): number =>
    scene.createEntity(Transform, [Mesh, { meshUuid: uuid(mesh) }]);
  return { scene, backend, assets, sync, loop, publish, frame, entity };
}

describe('uploads of assets', () => {
  test('a mesh that no asset is, is reported once; one that is being imported is not', async () => {
    const log = new EventLog('test');
    const warned: unknown[] = [];
    vi.spyOn(log, 'warn').mockImplementation((event, { subject, state } = {}) => {
      if (event === 'mesh_missing') warned.push([subject, state]);
    });
    const assets = newAssets();
    assets.registry.register({ uuid: uuid(1), type: 'mesh', path: '/one.mesh' });
    const { backend, frame, entity } = await world(assets, log);
    entity(1);
    entity(2);
    frame();
    entity(2);
    frame();
    expect(warned).toEqual([[uuid(2), 'unregistered']]);
    assets.ingestMesh(uuid(2), triangle);
    frame();
    expect(backend.stats.instances).toBe(2);
  });

  test('a mesh is skipped until its asset is ready, and then drawn without further ado', async () => {
    const { backend, assets, frame, entity } = await world();
    entity(1);
    frame();
    expect(backend.stats).toMatchObject({ instances: 0, meshUploads: 0 });
    assets.ingestMesh(uuid(1), triangle);
    frame();
    expect(backend.stats).toMatchObject({ instances: 1, meshUploads: 1 });
    frame();
    expect(backend.stats.meshUploads).toBe(1);
  });

  test('what was resident before the renderer is uploaded when it is used, with its material and textures', async () => {
    const assets = newAssets();
    assets.ingestTexture(uuid(3), texture);
    assets.ingestMaterial(uuid(2), materialOf(uuid(3)));
    assets.ingestMesh(uuid(1), triangleOf(uuid(2)));
    assets.ingestMesh(uuid(4), triangle); // not used
    const { backend, sync, frame, entity } = await world(assets);
    entity(1);
    frame();
    expect([1, 2, 3, 4].map((n) => sync.uploads?.isSent(uuid(n)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(backend.stats).toMatchObject({
      residentMeshes: 1,
      residentMaterials: 1,
      residentTextures: 1,
      instances: 1,
    });
  });

  test('the environment map of the sky is uploaded, and freed when its asset goes', async () => {
    const assets = newAssets();
    const ingest = (n: number): void => {
      assets.ingest(uuid(n), { type: 'environment', data: environment });
    };
    ingest(7);
    const { backend, sync, frame } = await world(assets);
    frame();
    expect(backend.stats.residentEnvironments).toBe(0);
    sync.renderScene.sky.set({ kind: 'environment', environmentUuid: uuid(7) });
    frame();
    frame();
    expect(backend.stats).toMatchObject({ residentEnvironments: 1, environmentUploads: 1 });
    assets.registry.setState(uuid(7), 'removed');
    assets.drop(uuid(7));
    for (let i = 0; i < 4; i++) frame();
    expect(backend.stats).toMatchObject({ residentEnvironments: 0, frees: 1 });
  });

  test('an asset that is removed is freed at the renderer, and sent again when it comes back', async () => {
    const { backend, assets, frame, entity } = await world();
    entity(1);
    assets.ingestMesh(uuid(1), triangle);
    frame();
    assets.registry.setState(uuid(1), 'removed');
    assets.drop(uuid(1));
    for (let i = 0; i < 4; i++) frame();
    expect(backend.stats).toMatchObject({ residentMeshes: 0, frees: 1, instances: 0 });
    assets.registry.setState(uuid(1), 'registered');
    assets.ingestMesh(uuid(1), { ...triangle });
    frame();
    expect(backend.stats).toMatchObject({ residentMeshes: 1, instances: 1 });
  });

  test('a replaced asset is uploaded again: hot reload', async () => {
    const { backend, assets, frame, entity } = await world();
    assets.ingestMesh(uuid(1), triangle);
    entity(1);
    frame();
    const two = { ...triangle, submeshes: [...triangle.submeshes, ...triangle.submeshes] };
    assets.ingestMesh(uuid(1), two);
    frame();
    expect(backend.stats).toMatchObject({ meshUploads: 2, residentMeshes: 1, triangles: 2 });
  });

  test('what is freed with its last user is uploaded again for the next', async () => {
    const { backend, assets, sync, frame, entity } = await world();
    assets.ingestMesh(uuid(1), triangle);
    const rock = entity(1);
    frame();
    sync.deleteEntity(rock);
    for (let n = 0; n < 4; n++) frame();
    expect(backend.stats).toMatchObject({ residentMeshes: 0, frees: 1 });
    entity(1);
    frame();
    expect(backend.stats).toMatchObject({ residentMeshes: 1, instances: 1 });
  });

  test('after a reset of geometry the meshes in use are uploaded again', async () => {
    const { backend, assets, sync, frame, entity } = await world();
    assets.ingestMesh(uuid(1), triangle);
    assets.ingestMesh(uuid(2), triangle);
    entity(1);
    frame();
    expect(backend.stats.residentMeshes).toBe(2);
    sync.replaceScene({ resetGeometry: true });
    frame();
    expect(backend.stats).toMatchObject({ residentMeshes: 1, instances: 1, geometryResets: 1 });
  });

  test('3,000 assets at once: nothing is lost, the queue is never over its bounds', async () => {
    const { backend, assets, sync, loop, publish } = await world();
    for (let n = 1; n <= 3_000; n++) assets.ingestMesh(uuid(n), triangle);
    publish();
    expect(sync.outbox.waiting).toBe(1_024);
    expect(sync.uploads?.waiting).toBe(3_000 - 2 * 1_024);
    loop.runOnce();
    expect(backend.stats.residentMeshes).toBe(1_024);
    for (let frames = 0; frames < 3; frames++) {
      publish();
      loop.runOnce();
    }
    expect(backend.stats).toMatchObject({ residentMeshes: 3_000, meshUploads: 3_000 });
    expect([sync.outbox.waiting, sync.uploads?.waiting]).toEqual([0, 0]);
  });
});
