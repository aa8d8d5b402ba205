// A project folder in Node: a model is imported, drawn, edited on disk and imported again; the state is captured and restored.
import { gltfImporter } from '@ecliptic/assets';
import { spawnPrefab } from '@ecliptic/assets/scene';
import { captureSnapshot, restoreSnapshot } from '@ecliptic/ecs';
import { Camera, Transform } from '@ecliptic/ecs/components';
import { createEngine } from '@ecliptic/engine';
import { nodePlatform } from '@ecliptic/engine/node';
import {
  ASSET_MANAGER,
  assets,
  ecs,
  IMPORT_COORDINATOR,
  renderSync,
  SCENE,
  scheduler,
  vfs,
} from '@ecliptic/engine/plugins';
import { NullBackend } from '@ecliptic/render-sync';
import { diskBackend } from '@ecliptic/vfs/node';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A glTF file of so many triangles. */
function model(triangles) {
  const corners = Array.from({ length: triangles }, (_, z) => [0, 0, z, 1, 0, z, 0, 1, z]).flat();
  const bytes = Buffer.from(new Float32Array(corners).buffer);
  const uri = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
  const position = { bufferView: 0, componentType: 5126, count: 3 * triangles, type: 'VEC3' };
  return JSON.stringify({
    asset: { version: '2.0' },
    buffers: [{ byteLength: bytes.length, uri }],
    bufferViews: [{ buffer: 0, byteLength: bytes.length }],
    accessors: [{ ...position, min: [0, 0, 0], max: [1, 1, triangles - 1] }],
    meshes: [{ name: 'stone', primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ name: 'stone', mesh: 0 }],
    scenes: [{ nodes: [0] }],
    scene: 0,
  });
}

/** Runs frames until `done`. */
async function runUntil(engine, what, done) {
  for (const end = Date.now() + 20_000; !done();) {
    if (Date.now() > end) throw new Error(`waited 20 s until ${what}`);
    await engine.runFrame();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** @returns what was seen, or throws */
export async function openProject() {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  const renderer = new NullBackend();
  const engine = createEngine({
    platform: nodePlatform(),
    mounts: [{ at: '/', backend: diskBackend(folder) }],
    plugins: [
      ecs(),
      scheduler(),
      vfs(),
      assets([gltfImporter()], { cache: '/.cache' }),
      renderSync({ backend: renderer, target: { width: 64, height: 64, pixelRatio: 1 } }),
    ],
  });
  const file = join(folder, 'stone.gltf');
  await writeFile(file, model(1));
  await engine.initialize();
  try {
    const scene = engine.get(SCENE);
    let report;
    engine
      .get(IMPORT_COORDINATOR)
      .enqueue('/stone.gltf')
      .then((value) => (report = value));
    await runUntil(engine, 'the model is imported', () => report !== undefined);
    spawnPrefab(scene, engine.get(ASSET_MANAGER).get(report.uuid, 'prefab'));
    scene.createEntity([Transform, { position: [0, 0, 9] }], [Camera, { isMain: true }]);
    await runUntil(engine, 'it is drawn', () => renderer.stats.triangles === 1);

    const before = scene.stateHash();
    const snapshot = captureSnapshot(scene);
    scene.createEntity(Transform);
    restoreSnapshot(scene, snapshot);
    if (scene.stateHash() !== before) throw new Error('the snapshot restored another state');

    await writeFile(file, model(2));
    await runUntil(engine, 'the edited model is drawn', () => renderer.stats.triangles === 2);
    return { imported: report.status, entities: scene.entityCount };
  } finally {
    await engine.shutdown();
    await rm(folder, { recursive: true });
  }
}
