import { Actor, ActorManager, type ActorHandle } from '@ecliptic/actors';
import { gltfImporter, type MeshData } from '@ecliptic/assets';
import { captureScene, EditorSession, type SceneDocument } from '@ecliptic/authoring';
import { editing, inspection } from '@ecliptic/authoring/plugin';
import { EclipticError, type Clock } from '@ecliptic/core';
import { createTaskPool, type TaskPool } from '@ecliptic/core/pool';
import { defineComponent, f32, query, read, Scene, write, type EntityId } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import { createEngine, createToken, headlessPlatform, type EnginePlugin } from '@ecliptic/engine';
import { nodePlatform } from '@ecliptic/engine/node';
import { ecs, SCENE } from '@ecliptic/engine/plugins';
import { NullBackend, type RenderBackend } from '@ecliptic/render-sync';
import { requestDevice } from '@ecliptic/render-webgpu';
import { defineSystem, type System } from '@ecliptic/scheduler';
import { memoryBackend, VFSPath, type VFSBackend } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { ecliptic } from '@ecliptic/vite';
import { openProject } from '@ecliptic/vite/client';
import type { Plugin } from 'vite';

const Heat = defineComponent('Heat', { kelvin: f32({ min: 0, default: 293 }) });
const scene = new Scene({ name: 'typed' });
const id: EntityId = scene.createEntity([Heat, { kelvin: 300 }], Transform);
const kelvin: number | undefined = scene.getComponent(id, Heat)?.kelvin;
// @ts-expect-error there is no such field
scene.setComponent(id, Heat, { celsius: 20 });

class Oven extends Actor {
  readonly label: string;
  constructor(label: string) {
    super();
    this.label = label;
  }
}
const oven: ActorHandle<Oven> = new ActorManager(scene).create(Oven, 'hot');
const heat: System = defineSystem({
  name: 'typed.heat',
  queries: { ovens: query(write(Heat), read(Transform)) },
  update({ ovens }, { dt }) {
    ovens.each((row, column) => {
      column.kelvin[row] = (column.kelvin[row] ?? 0) + dt;
    });
  },
});
const document: SceneDocument = captureScene(scene);
const session = new EditorSession(scene);
const serving: Plugin = ecliptic({ project: 'project' });
const plugin: EnginePlugin = { id: 'typed', initialize: ({ get }) => void get(SCENE) };
const engine = createEngine({
  platform: headlessPlatform(),
  plugins: [ecs(), editing(), inspection(), plugin],
});
const backends: VFSBackend[] = [memoryBackend(), diskBackend('.')];
const renderer: RenderBackend = new NullBackend();
const pool: TaskPool = createTaskPool({ name: 'typed', size: 1, worker: new URL('file:///x.js') });
export type Seen = [MeshData, Clock];
export const all = [
  kelvin,
  oven,
  heat,
  engine,
  backends,
  renderer,
  document,
  session,
  serving,
  openProject,
  requestDevice,
  pool,
  nodePlatform(),
  gltfImporter(),
  VFSPath.root,
  EclipticError,
  createToken<number>('n'),
];
