import { Worker } from 'node:worker_threads';
import { expect, it, vi } from 'vitest';
import { simulate } from './workers/simulate.js';

vi.mock(import('node:os'), async (original) => ({
  ...(await original()),
  availableParallelism: () => 1,
}));

it('one core: everything runs inline, no worker is made, and the state is that of any number', async () => {
  const create = vi.fn<() => Worker>(
    () => new Worker(new URL('./workers/stress.worker.ts', import.meta.url)),
  );
  const one = await simulate(30, { create, offload: 'always' });
  expect(create).not.toHaveBeenCalled();
  expect([one.workerShare, one.awaited]).toEqual([0, 0]);
  const two = await simulate(30, { create, count: 1, offload: 'always' });
  expect(create).toHaveBeenCalledOnce();
  expect(two.workerShare).toBeGreaterThan(0);
  expect(one.hash).toBe(two.hash);
});
