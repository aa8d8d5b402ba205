import { expect, test } from 'vitest';
import { runOnWorkers } from './fixtures/run-on-workers.js';

const create = (): Worker =>
  new Worker(new URL('./fixtures/move-entities.worker.ts', import.meta.url), { type: 'module' });

test('in a browser: what is handed to the renderer is the same bytes with workers and without', async () => {
  const alone = await runOnWorkers(10, undefined);
  const shared = await runOnWorkers(10, { create, count: 2, offload: 'always' });
  expect([alone.workerShare, shared.workerShare > 0]).toEqual([0, true]);
  expect(shared.frames).toEqual(alone.frames);
}, 60_000);
