// What workers bring: this thread alone, against this thread and one worker, for two kernels and many sizes.
import { Commands, Scene } from '@ecliptic/ecs';
import { WorldTick, type System } from '@ecliptic/scheduler';
import { Worker } from 'node:worker_threads';
import { heavy, light, Position, Velocity, Wave } from './systems.ts';

const create = (): Worker => new Worker(new URL('./systems.worker.ts', import.meta.url));
const ROUNDS = 9;

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function game(system: System, rows: number, offload: 'auto' | 'always' | 'never') {
  const scene = new Scene({ maxEntities: Math.max(64, rows), arenaBudget: 256 * 1024 * 1024 });
  const worldTick = new WorldTick(scene, {
    development: false,
    workers: { create, count: 1, offload },
  });
  worldTick.registerSystem(system);
  worldTick.commit();
  await worldTick.workersReady();
  for (let i = 0; i < rows; i++) {
    if (system === heavy) scene.createEntity([Wave, { phase: i }]);
    else scene.createEntity(Position, [Velocity, { value: [1, 2, 3] }]);
  }
  const commands = new Commands(scene);
  const run = async (ticks: number): Promise<number> => {
    const start = performance.now();
    for (let i = 0; i < ticks; i++) {
      const pending = worldTick.tick(1 / 60, commands);
      if (pending !== undefined) await pending;
    }
    return ((performance.now() - start) * 1_000) / ticks;
  };
  return {
    run,
    dispose: () => worldTick.dispose(),
    share: () => worldTick.metrics()[0]?.workerShare,
  };
}

console.log(
  'Microseconds a tick; on one thread, with a worker always, and with a worker where it pays:',
);
console.log('  kernel      rows      one   always  speed-up     auto  speed-up  share');
for (const system of [heavy, light]) {
  for (const rows of [1, 100, 1_000, 2_000, 10_000, 100_000, 1_000_000]) {
    const one = await game(system, rows, 'never');
    const always = await game(system, rows, 'always');
    const auto = await game(system, rows, 'auto');
    const games = [one, always, auto];
    const cost = Math.max(0.5, rows * (system === heavy ? 0.03 : 0.003));
    const ticks = Math.max(3, Math.min(2_000, Math.round(30_000 / cost)));
    for (const each of games) await each.run(ticks);
    const times: number[][] = [[], [], []];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, each] of games.entries()) times[i]?.push(await each.run(ticks));
    }
    const [a = 0, b = 0, c = 0] = times.map(median);
    const cells = [
      system.name.padEnd(7),
      String(rows).padStart(8),
      a.toFixed(1).padStart(8),
      b.toFixed(1).padStart(8),
      `${(a / b).toFixed(2)}×`.padStart(9),
      c.toFixed(1).padStart(8),
      `${(a / c).toFixed(2)}×`.padStart(9),
      (auto.share() ?? 0).toFixed(2).padStart(6),
    ];
    console.log(`  ${cells.join(' ')}`);
    for (const each of games) await each.dispose();
  }
}
