import { describe, expect, it } from 'vitest';
import { connectMainThreadQueue, FrameRateCap, MainThreadQueue } from '../src/index.js';
import { systemClock } from '@ecliptic/core';
import { simulate, type SimulationResult } from './workers/simulate.js';
import { runStress, STRESS_HASHES } from './workers/stress.js';

const TICKS = 30;

const create = (): Worker =>
  new Worker(new URL('./workers/stress.worker.ts', import.meta.url), { type: 'module' });

describe('Systems on workers, in a browser', () => {
  it('a page waits for them without blocking, and comes to the same state (36)', async () => {
    const inline = await simulate(TICKS, undefined);
    expect([inline.workerShare, inline.awaited]).toEqual([0, 0]);
    const shared = await simulate(TICKS, { create, count: 2, offload: 'always' });
    expect(shared.hash).toBe(inline.hash);
    expect(shared.workerShare).toBeGreaterThan(0);
  });

  it('a simulation in a worker shares its systems out to workers of its own (36)', async () => {
    const inline = await simulate(TICKS, undefined);
    const simulation = new Worker(new URL('./workers/simulation.worker.ts', import.meta.url), {
      type: 'module',
    });
    const result = new Promise<SimulationResult>((resolve, reject) => {
      simulation.addEventListener('message', ({ data }) => resolve(data));
      simulation.addEventListener('error', reject);
    });
    simulation.postMessage(TICKS);
    const { hash, workerShare } = await result;
    simulation.terminate();
    expect(hash).toBe(inline.hash);
    expect(workerShare).toBeGreaterThan(0);
  });

  it('random schedules come to the states that they come to in Node.js (36)', async () => {
    expect(await runStress(create)).toEqual(STRESS_HASHES);
  }, 300_000);

  it('a worker module that is not there is reported', async () => {
    const missing = simulate(1, {
      create: () => new Worker('/nowhere.js', { type: 'module' }),
      count: 1,
    });
    await expect(missing).rejects.toMatchObject({ code: 'scheduler/worker-start' });
  });
});

describe('Time and queue, in a browser', () => {
  it('the frame cap yields without timers', async () => {
    const cap = new FrameRateCap(systemClock(), { rate: Number.POSITIVE_INFINITY });
    await cap.wait();
    expect(cap.rate).toBe(Number.POSITIVE_INFINITY);
  });

  it('the main-thread queue takes posts through shared memory and ports (50)', async () => {
    const queue = new MainThreadQueue();
    const seen: unknown[] = [];
    queue.on('it', (payload) => seen.push(payload));
    const shared = connectMainThreadQueue(queue.connect({ transport: 'shared' }).endpoint);
    const port = connectMainThreadQueue(queue.connect({ transport: 'port' }).endpoint);
    expect([shared.post('it', 1), port.post('it', 2)]).toEqual([true, true]);
    while (queue.pending < 2) await new Promise((resolve) => setTimeout(resolve, 1));
    expect(queue.drain()).toBe(2);
    expect(seen).toEqual([1, 2]);
    queue.close();
  });
});
