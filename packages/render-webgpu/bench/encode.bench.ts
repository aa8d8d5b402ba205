// The render thread a frame: 10,000 moving instances of 20 meshes, and 50,000. First JavaScript alone, on a device that does nothing,
// in processor time; then the whole path with Dawn, a tiny target and a software device, whose own work is waited for between
// frames and doesn't count.
import { ManualClock } from '@ecliptic/core';
import { Scene } from '@ecliptic/ecs';
import { Camera, Mesh, Transform } from '@ecliptic/ecs/components';
import { createInlineRender } from '@ecliptic/render-sync';
import { openNodeGpu, type NodeGpu } from '../src/node.js';
import { sphere, uuid } from '../test/fixtures/meshes.js';
import { TimedBackend } from './timed-backend.js';

const MESHES = 20;

async function measure(
  gpu: NodeGpu | undefined,
  instances: number,
  frames: number,
  warmUp: number,
): Promise<void> {
  const backend = new TimedBackend(gpu);
  const scene = new Scene({ name: 'bench' });
  const { sync, loop } = createInlineRender({
    scene,
    backend,
    clock: new ManualClock(),
    budget: { instances },
  });
  await loop.initialize();
  sync.setTarget({ width: 16, height: 16, pixelRatio: 1 });
  for (let m = 0; m < MESHES; m++) {
    sync.outbox.post({ kind: 'mesh', uuid: uuid(m), mesh: sphere(undefined, 3 + (m % 2), 2) });
  }
  scene.createEntity([Transform, { position: [0, 0, 60] }], [Camera, { isMain: true, far: 500 }]);
  const entities = Array.from({ length: instances }, (_, i) =>
    scene.createEntity(
      [Transform, { position: [Math.sin(i) * 40, Math.cos(i * 7) * 40, Math.sin(i * 3) * 40] }],
      [Mesh, { meshUuid: uuid(i % MESHES) }],
    ),
  );
  const times: Record<'loop' | 'scene' | 'graph' | 'submit', number[]> = {
    loop: [],
    scene: [],
    graph: [],
    submit: [],
  };
  let processor = 0;
  for (let frame = -warmUp; frame < frames; frame++) {
    scene.snapshotTransforms();
    for (const entity of entities) {
      const transform = scene.getComponent(entity, Transform);
      if (transform) transform.position.x += 0.01;
    }
    sync.hierarchy.updateWorld();
    sync.sync();
    sync.publish({ tick: frame, tickTime: 0, stepDuration: 16_666_667, alpha: 0.5, frameTime: 0 });
    const used = process.threadCpuUsage();
    const start = performance.now();
    loop.runOnce();
    const whole = performance.now() - start;
    const { user, system } = process.threadCpuUsage(used);
    if (frame >= 0) {
      processor += (user + system) / 1_000;
      const { scene: built, graph, submit } = backend.times;
      times.loop.push(whole - submit);
      times.scene.push(built);
      times.graph.push(graph);
      times.submit.push(submit);
    }
    await backend.settled();
  }
  const show = (values: readonly number[]): string => {
    const sorted = values.toSorted((a, b) => a - b);
    return `${(sorted[0] ?? 0).toFixed(2)} ms, median ${(sorted[sorted.length >> 1] ?? 0).toFixed(2)} ms`;
  };
  const { visible, drawCalls, errors } = backend.stats;
  const on = gpu ? gpu.architecture : 'a device that does nothing';
  console.log(
    `${instances} moving instances of ${MESHES} meshes on ${on}: ${visible} visible, ${drawCalls} draws`,
  );
  console.log(`  processor time, mean          ${(processor / frames).toFixed(2)} ms`);
  console.log(`  a frame without submission    ${show(times.loop)}`);
  console.log(`    upload, cull, compact       ${show(times.scene)}`);
  console.log(`    record passes               ${show(times.graph)}`);
  console.log(`  the driver’s submission       ${show(times.submit)}`);
  if (errors > 0) throw new Error(`${errors} errors of the device`);
  await loop.dispose();
  sync.dispose();
}

console.log('the shortest and the median time of a frame');
await measure(undefined, 10_000, 300, 100);
await measure(undefined, 50_000, 100, 20);
const gpu = await openNodeGpu();
await measure(gpu, 10_000, 30, 15);
await measure(gpu, 50_000, 5, 2);
gpu.close();
