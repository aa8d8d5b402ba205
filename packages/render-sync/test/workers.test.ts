import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { runOnWorkers } from './fixtures/run-on-workers.js';

const create = (): Worker =>
  new Worker(new URL('./fixtures/move-entities.worker.ts', import.meta.url));

test('what is handed to the renderer, and Transform.world, are the same bytes with any number of workers', async () => {
  const alone = await runOnWorkers(10, undefined);
  expect([alone.workerShare, alone.isFinite, new Set(alone.frames).size]).toEqual([0, true, 10]);
  for (const count of [0, 2]) {
    const shared = await runOnWorkers(10, { create, count, offload: 'always' });
    expect(shared.workerShare > 0).toBe(count > 0);
    expect(shared.frames).toEqual(alone.frames);
  }
}, 60_000);
