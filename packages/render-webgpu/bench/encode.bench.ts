// JavaScript of the render thread a frame: 10,000 moving instances of 20 meshes, and 50,000. Measured on the real path (render loop,
// backend, Dawn), with a tiny target; the device's own work is waited for between frames and doesn't count.
import { ManualClock } from '@ecliptic/core';
import { Scene } from '@ecliptic/ecs';
import { Camera, Mesh, Transform } from '@ecliptic/ecs/components';
import { createInlineRender } from '@ecliptic/render-sync';
import { openNodeGpu, type NodeGpu } from '../src/node.js';
import { sphere, uuid } from '../test/fixtures/meshes.js';
import { TimedBackend } from './timed-backend.js';

const MESHES = 20;

async function measure(
  gpu: NodeGpu,
  instances: number,
  frames: number,
  warmUp: number,
): Promise<void> {
  const backend = new TimedBackend({ gpu, settings: { shadowMapSize: 0, bloom: 0 } });
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
  for (let frame = -warmUp; frame < frames; frame++) {
    scene.snapshotTransforms();
    for (const entity of entities) {
      const transform = scene.getComponent(entity, Transform);
      if (transform) transform.position.x += 0.01;
    }
    sync.hierarchy.updateWorld();
    sync.sync();
    sync.publish({ tick: frame, tickTime: 0, stepDuration: 16_666_667, alpha: 0.5, frameTime: 0 });
    const start = performance.now();
    loop.runOnce();
    const whole = performance.now() - start;
    if (frame >= 0) {
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
  console.log(
    `${instances} moving instances of ${MESHES} meshes: ${visible} visible, ${drawCalls} draws`,
  );
  console.log(`  JavaScript, a frame           ${show(times.loop)}`);
  console.log(`    upload, cull, compact       ${show(times.scene)}`);
  console.log(`    record passes               ${show(times.graph)}`);
  console.log(`  the driver’s submission       ${show(times.submit)}`);
  if (errors > 0) throw new Error(`${errors} errors of the device`);
  await loop.dispose();
  sync.dispose();
}

const gpu = await openNodeGpu();
console.log(`on ${gpu.architecture}; the shortest and the median time of a frame`);
await measure(gpu, 10_000, 30, 15);
await measure(gpu, 50_000, 5, 2);
gpu.close();
