/**
 * Who is measured. Each gives `{ one, two, auto?, dispose }`: functions that run a tick on one thread, on two, and
 * on as many as the library finds right.
 */
import { Commands, Scene } from '@ecliptic/ecs';
import { WorldTick } from '@ecliptic/scheduler';
import { DT, kernels, phaseOf } from './kernels.mjs';
import { heavy, light, Position, Velocity, Wave } from './systems.mjs';

const systems = { heavy, light };

/** Two threads and nothing else: what this machine can give at all. */
export async function bare(kernel, rows, create) {
  const { run, stride, columns: names } = kernels[kernel];
  const columns = names.map(() => new SharedArrayBuffer(rows * 4 * stride));
  // Held as a library must hold them: constants of a function an engine may fold into its code.
  const tables = [columns.map((buffer) => new Float32Array(buffer).fill(0.5))];
  // The same as everywhere: the sine of always one number is up to 7% cheaper.
  if (kernel === 'heavy') for (let i = 0; i < rows; i++) tables[0][0][i] = phaseOf(i);
  const control = new SharedArrayBuffer(8);
  const words = new Int32Array(control);
  const middle = rows >> 1;
  const worker = create('bare');
  worker.postMessage({ control, columns, kernel, begin: middle, end: rows });
  while (Atomics.load(words, 1) !== -1) await new Promise((resolve) => setTimeout(resolve, 1));
  let ticket = 0;
  const runRows = (end) => {
    for (const [from, to] of tables) run(from, to, 0, end, DT);
  };
  return {
    one: () => runRows(rows),
    two() {
      Atomics.store(words, 0, ++ticket);
      runRows(middle);
      while (Atomics.load(words, 1) !== ticket);
    },
    dispose: () => void Atomics.store(words, 0, -1),
  };
}

async function worldOf(kernel, rows, create, offload) {
  const scene = new Scene({ maxEntities: Math.max(64, rows), arenaBudget: 256 * 1024 * 1024 });
  const worldTick = new WorldTick(scene, {
    development: false,
    workers: { create: () => create('systems'), count: 1, offload },
  });
  worldTick.registerSystem(systems[kernel]);
  worldTick.commit();
  await worldTick.workersReady();
  for (let i = 0; i < rows; i++) {
    if (kernel === 'heavy') scene.createEntity([Wave, { phase: phaseOf(i) }]);
    else scene.createEntity(Position, [Velocity, { value: [1, 2, 3] }]);
  }
  const commands = new Commands(scene);
  return { tick: () => worldTick.tick(DT, commands), dispose: () => worldTick.dispose() };
}

export async function ecliptic(kernel, rows, create) {
  const worlds = [];
  for (const offload of ['never', 'always', 'auto']) {
    worlds.push(await worldOf(kernel, rows, create, offload));
  }
  const [one, two, auto] = worlds.map(({ tick }) => tick);
  return { one, two, auto, dispose: () => Promise.all(worlds.map((world) => world.dispose())) };
}

/** Its partitioned systems run on workers only, so two threads are two workers, and the caller waits. */
export async function woven(kernel, rows, create) {
  if (kernel !== 'heavy') return undefined;
  const { World, addComponent, createEntity, defineSystem, defineWorkerSystem } =
    await import('@woven-ecs/core');
  const shared = await import('./woven-components.mjs');
  const world = new World([shared.Wave], {
    maxEntities: rows,
    maxEvents: 4 * rows + 1_024,
    threads: 2,
  });
  await world.execute((ctx) => {
    for (let i = 0; i < rows; i++)
      addComponent(ctx, createEntity(ctx), shared.Wave, { phase: phaseOf(i) });
  });
  const alone = defineSystem((ctx) => shared.heavy(ctx, shared.waves.current(ctx)));
  const divided = defineWorkerSystem(create.path('woven'), { threads: 2 });
  return {
    one: () => world.execute(alone),
    two: () => world.execute(divided),
    dispose: () => world.dispose(),
  };
}
