import { Commands, Scene } from '@ecliptic/ecs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { checkDeterminism, defineSystem, WorldTick } from '../src/index.js';
import { runStress, STRESS_HASHES } from './workers/stress.js';
import { fields } from './workers/stress-systems.js';

const create = (): Worker => new Worker(new URL('./workers/stress.worker.ts', import.meta.url));

describe('Any worker count ends in the same state (36)', () => {
  it('for random schedules of random systems on 1 to 3 workers', async () => {
    expect(await runStress(create)).toEqual(STRESS_HASHES);
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
