import { EventLog } from '@ecliptic/core';
import { Commands, Scene } from '@ecliptic/ecs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { checkDeterminism, defineSystem, WorldTick, type DeterminismRun } from '../src/index.js';
import { seededRandom } from '../src/schedule/random-order.js';
import { Bond, fields, stressSystems } from './workers/stress-systems.js';

const create = (): Worker => new Worker(new URL('./workers/stress.worker.ts', import.meta.url));

/** A random schedule over random data, from a seed. */
function makeGame(seed: number, run: DeterminismRun) {
  const random = seededRandom(seed);
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

describe('Any worker count ends in the same state (36)', () => {
  it('for random schedules of random systems on 1 to 3 workers', async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const hash = await checkDeterminism({
        create: (run) => makeGame(seed, run),
        steps: 420,
        seeds: [seed],
        workers: [
          { create, count: 1 },
          { create, count: 3 },
        ],
      });
      expect(hash).toMatch(/^[0-9a-f]{16}$/);
    }
  });
});

describe('checkDeterminism', () => {
  it('finds what depends on the order of systems, and says where', async () => {
    const shared = { last: 0 };
    const [field] = fields;
    const check = checkDeterminism({
      create(run) {
        const scene = new Scene({ maxEntities: 64, arenaBudget: 1024 * 1024 });
        if (field === undefined) throw new Error('no field');
        const entity = scene.createEntity([field, { value: 1 }]);
        const worldTick = new WorldTick(scene, run);
        for (let i = 0; i < 4; i++) {
          worldTick.registerSystem(
            defineSystem({
              name: `sneaky ${i}`,
              update() {
                // Undeclared, past the scene: nobody but this check can see it.
                if (i === 3) shared.last = scene.getComponent(entity, field)?.value ?? 0;
                const view = scene.getComponent(entity, field);
                if (view !== undefined) view.value = Math.imul(view.value, 3) + i;
              },
            }),
          );
        }
        return { scene, worldTick, commands: new Commands(scene) };
      },
      steps: 5,
    });
    await expect(check).rejects.toMatchObject({
      code: 'scheduler/not-deterministic',
      subjects: { step: 0 },
    });
    expect(shared.last).not.toBe(0);
  });
});
