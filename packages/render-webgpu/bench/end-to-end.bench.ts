// 50,000 moving entities from a system to recorded passes, on two threads: what each spends in JavaScript a frame. The simulation
// runs systems and hierarchy, syncs and publishes; the render thread interpolates, culls, uploads and records, with a tiny target. First
// on a device that does nothing: that is JavaScript, and what a software device takes from it can be told.
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { ManualClock } from '@ecliptic/core';
import { Commands, defineComponent, query, read, Scene, vec3, write } from '@ecliptic/ecs';
import { Camera, Mesh, Transform } from '@ecliptic/ecs/components';
import { loadPoseKernel, RenderSync, RenderThread } from '@ecliptic/render-sync';
import { defineSystem, WorldTick } from '@ecliptic/scheduler';
import { meshOf, uuid } from '../test/fixtures/meshes.js';
import type { DrawnFrame } from './render.worker.js';

const ENTITIES = 50_000;
const MESHES = 20;
const STEP = 1 / 60;
/** Of each thread. */
const WARM_UP = 5;
const FRAMES = 20;
/** Milliseconds between two steps, so that the render thread finds processor time on a machine with few cores. */
const PAUSE = 10;
/** Milliseconds after which what was drawn until then has to do: a software device on a busy machine draws few frames. */
const TIMEOUT = 45_000;
/** Nearly endless, so that the render thread stays between two steps. */
const STEP_DURATION = 1e15;

const Velocity = defineComponent('Velocity', { value: vec3() });

const move = defineSystem({
  name: 'move',
  queries: { rows: query(write(Transform), read(Velocity)) },
  update({ rows }, { dt }) {
    for (const table of rows.tables()) {
      const { position } = table.column(Transform);
      const { value } = table.column(Velocity);
      const end = table.count * 3;
      for (let i = 0; i < end; i++)
        position[i] = (position[i] as number) + (value[i] as number) * dt;
    }
  },
});

/** So small that the device keeps up. */
const TRIANGLE = meshOf(
  { positions: [0, 0, 0, 0.2, 0, 0, 0, 0.2, 0], uvs: [0, 0, 1, 0, 0, 1], indices: [0, 1, 2] },
  undefined,
  [0, 0, 1, 0, 0, 1, 0, 0, 1],
);
async function measure(
  device: 'idle' | 'real',
  backend: 'javascript' | 'wasm',
  frameCount: number,
): Promise<void> {
  const drawn: DrawnFrame[] = [];
  const clock = new ManualClock();
  const budget = { instances: ENTITIES };
  const thread = new RenderThread({
    clock,
    budget,
    worker: () => {
      // So that the driver that the worker finds is known to its process.
      const worker = new Worker(new URL('./render.worker.ts', import.meta.url), {
        env: SHARE_ENV,
        workerData: device,
      });
      worker.on('message', (message: DrawnFrame) => {
        if (message.kind === 'drawn' && message.visible > 0) drawn.push(message);
      });
      return worker;
    },
    onFailure: (error) => {
      throw error;
    },
  });
  await thread.started;

  const scene = new Scene({ name: 'bench' });
  const { frames, messages } = thread;
  const kernel = await loadPoseKernel({ backend });
  const sync = new RenderSync({ scene, frames, messages, budget, kernel });
  sync.setTarget({ width: 16, height: 16, pixelRatio: 1 });
  for (let m = 0; m < MESHES; m++) {
    sync.outbox.post({ kind: 'mesh', uuid: uuid(m), mesh: TRIANGLE });
  }
  scene.createEntity([Transform, { position: [0, 0, 60] }], [Camera, { isMain: true, far: 500 }]);
  for (let i = 0; i < ENTITIES; i++) {
    scene.createEntity(
      [Transform, { position: [Math.sin(i) * 40, Math.cos(i * 7) * 40, Math.sin(i * 3) * 40] }],
      [Velocity, { value: [Math.sin(i * 5), Math.cos(i * 3), Math.sin(i)] }],
      [Mesh, { meshUuid: uuid(i % MESHES) }],
    );
  }
  const world = new WorldTick(scene, { development: false });
  for (const system of [move, ...sync.systems()]) world.registerSystem(system);
  world.commit();
  const commands = new Commands(scene);

  const wall: number[] = [];
  let processor = 0;
  const end = performance.now() + TIMEOUT;
  for (let tick = 0; drawn.length < WARM_UP + frameCount && performance.now() < end; tick++) {
    const used = process.threadCpuUsage();
    const start = performance.now();
    // Without workers nothing is waited for.
    void world.tick(STEP, commands);
    scene.snapshotTransforms();
    void world.tickFrame(STEP, commands);
    sync.publish({ tick, tickTime: 0, stepDuration: STEP_DURATION, alpha: 0.5, frameTime: 0 });
    wall.push(performance.now() - start);
    const { user, system } = process.threadCpuUsage(used);
    if (tick >= WARM_UP) processor += (user + system) / 1_000;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  sync.dispose();
  await thread.stop();
  const last = drawn.at(-1);
  if (last === undefined || drawn.length <= WARM_UP) {
    throw new Error(`only ${drawn.length} frames were drawn`);
  }
  const { errors, visible } = last;
  if (errors > 0) throw new Error(`${errors} errors of the device`);
  const measured = drawn.slice(WARM_UP);
  const warm = measured.map(({ times }) => times);
  const ofRenderer = measured.reduce((sum, frame) => sum + frame.processor, 0) / measured.length;

  const ofAll = (values: readonly number[]): readonly [number, number] => {
    const sorted = values.toSorted((a, b) => a - b);
    return [sorted[0] ?? NaN, sorted[sorted.length >> 1] ?? NaN];
  };
  const show = (label: string, [shortest, median]: readonly [number, number]): void =>
    console.log(`  ${label.padEnd(42)} ${shortest.toFixed(2)} ms, median ${median.toFixed(2)} ms`);
  const simulation = ofAll(wall.slice(WARM_UP));
  const rendering = ofAll(warm.map(({ frame }) => frame));
  console.log(
    `${ENTITIES} moving entities, ${device === 'idle' ? 'a device that does nothing' : 'the real path'}, hierarchy by ${backend}: ${visible} seen, ${warm.length} frames drawn; shortest and median`,
  );
  show('simulation: systems to publication', simulation);
  console.log(
    `    processor time of its thread, mean       ${(processor / (wall.length - WARM_UP)).toFixed(2)} ms`,
  );
  show('rendering: newest state to recorded passes', rendering);
  console.log(`    processor time of its thread, mean       ${ofRenderer.toFixed(2)} ms`);
  show('    upload, cull, compact', ofAll(warm.map(({ scene: time }) => time)));
  show('    record passes', ofAll(warm.map(({ graph }) => graph)));
  show('both', [simulation[0] + rendering[0], simulation[1] + rendering[1]]);
  show('the driver’s submission, not counted', ofAll(warm.map(({ submit }) => submit)));
}

await measure('idle', 'javascript', 100);
await measure('idle', 'wasm', 100);
if (!process.argv.includes('--idle')) await measure('real', 'javascript', FRAMES);
