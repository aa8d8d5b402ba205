// Random schedules of random systems, in random orders and on workers: all come to the same state, in every engine.
import { EventLog } from '@ecliptic/core';
import { Commands, Scene } from '@ecliptic/ecs';
import {
  checkDeterminism,
  defineSystem,
  WorldTick,
  type DeterminismRun,
  type DeterminismSubject,
  type WorkerOptions,
} from '@ecliptic/scheduler';
import { Bond, fields, stressSystems } from './stress-systems.js';

const STEPS = 420;

/** The state that each schedule comes to, by its seed: known from a run in Node.js 24. */
export const STRESS_HASHES: readonly string[] = [
  '7936d8c093d9208e',
  'a11d5b7ec6fa4132',
  '55a746f97f6bdac1',
];

/**
 * Runs every schedule in the order of its waves, in a random one, and on 1 and 3 workers.
 *
 * @param create - a worker that serves the stress systems
 * @param report - hears of each schedule that is done
 * @returns the states that they came to
 */
export async function runStress(
  create: WorkerOptions['create'],
  report?: (line: string) => void,
): Promise<string[]> {
  const hashes: string[] = [];
  for (let seed = 0; seed < STRESS_HASHES.length; seed++) {
    const hash = await checkDeterminism({
      create: (run) => makeGame(seed, run),
      steps: STEPS,
      seeds: [seed],
      workers: [
        { create, count: 1 },
        { create, count: 3 },
      ],
    });
    hashes.push(hash);
    report?.(`schedule ${seed}, ${STEPS} steps in each of 4 ways: ${hash}`);
  }
  return hashes;
}

/** A random schedule over random data, from a seed. */
function makeGame(seed: number, run: DeterminismRun): DeterminismSubject {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = (count: number): number => Math.floor(random() * count);
  const scene = new Scene({ maxEntities: 8_192, arenaBudget: 16 * 1024 * 1024 });
  scene.registerComponent(Bond);
  const worldTick = new WorldTick(scene, {
    conflicts: 'off',
    log: new EventLog('test'),
    ...run,
  });
  const chosen = stressSystems.filter(() => random() < 0.6);
  for (const system of chosen) worldTick.registerSystem(system);
  const names = chosen.map(({ name }) => name);
  for (let i = 0; i < 4 && names.length > 1; i++) {
    const a = pick(names.length - 1);
    worldTick.orderBefore(names[a] ?? '', names[a + 1 + pick(names.length - 1 - a)] ?? '');
  }
  worldTick.registerSystem(
    defineSystem({
      name: 'churn',
      phase: 'lateUpdate',
      update(_, { commands }) {
        for (let i = 0; i < 3; i++) {
          const entity = commands.createEntity();
          for (const field of fields) {
            if (random() < 0.5) commands.addComponent(entity, field, { value: pick(1_000) });
          }
        }
      },
    }),
  );
  for (let i = 0; i < 200; i++) {
    const entity = scene.createEntity();
    for (const field of fields) {
      if (random() < 0.6) scene.addComponent(entity, field, { value: pick(1_000) });
    }
  }
  return { scene, worldTick, commands: new Commands(scene), dispose: () => scene.dispose() };
}
