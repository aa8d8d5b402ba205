// What a command costs that a system records for each row: in Commands alone, inline, and shared out with one worker.
import { Worker } from 'node:worker_threads';
import { Commands, query, read, Scene } from '@ecliptic/ecs';
import { WorldTick } from '@ecliptic/scheduler';
import { Heat, record, Source } from './commands-systems.ts';

const ROWS = 20_000;
const ROUNDS = 15;

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function makeScene(): Scene {
  const scene = new Scene({ maxEntities: ROWS, arenaBudget: 64 * 1024 * 1024, development: false });
  for (let i = 0; i < ROWS; i++) scene.createEntity([Source, { value: i }]);
  return scene;
}

async function schedule(offload: 'always' | 'never'): Promise<() => void | Promise<void>> {
  const scene = makeScene();
  const commands = new Commands(scene);
  const worldTick = new WorldTick(scene, {
    development: false,
    workers: {
      create: () => new Worker(new URL('./commands.worker.ts', import.meta.url)),
      count: 1,
      offload,
    },
  });
  worldTick.registerSystem(record);
  worldTick.commit();
  await worldTick.workersReady();
  disposals.push(() => worldTick.dispose());
  return async () => {
    await worldTick.tick(1 / 60, commands);
    commands.clear();
  };
}

const disposals: (() => Promise<void>)[] = [];
const bare = makeScene();
const alone = new Commands(bare);
const sources = bare.query(query(read(Source)));
const ways = {
  'Commands in a loop': () => {
    for (const { count, entities } of sources.tables()) {
      for (let row = 0; row < count; row++) {
        alone.setComponent(entities[row] ?? 0, Heat, { value: row });
      }
    }
    alone.clear();
  },
  'a worker system, inline': await schedule('never'),
  'a worker system, shared out': await schedule('always'),
};

const times = new Map<string, number[]>();
for (let round = 0; round < ROUNDS + 5; round++) {
  for (const [name, run] of Object.entries(ways)) {
    // Time of all threads' processors: wall-clock time of two threads says little beside other work.
    const before = process.cpuUsage();
    for (let i = 0; i < 3; i++) await run();
    const { user, system } = process.cpuUsage(before);
    if (round < 5) continue;
    const list = times.get(name) ?? [];
    list.push(((user + system) * 1_000) / 3 / ROWS);
    times.set(name, list);
  }
}
console.log('Nanoseconds a command, of all threads together:');
for (const [name, list] of times) {
  console.log(`  ${median(list).toFixed(0).padStart(6)}  ${name}`);
}
for (const dispose of disposals) await dispose();
