import { EventLog } from '@ecliptic/core';
import { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { threadedScene } from './fixtures/drive-thread.js';

// Starting a thread takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const worker = (): Worker => new Worker(new URL('./fixtures/render.worker.ts', import.meta.url));

describe.each([
  ['shared memory', true],
  ['transfers', false],
] as const)('a render thread in Node, over %s', (_, shared) => {
  test('draws what the simulation publishes, at its own rate, and ends when told', async () => {
    const { thread, scene, entities, until } = threadedScene({ worker, shared });
    await thread.started;
    const stats = await until((all, { instances }) => all.loop.frames >= 20 && instances === 100);
    expect(stats).toMatchObject({ backend: 'null', resources: { meshes: 1, failed: 0 } });
    scene.destroyEntity(entities[0] as number);
    await until((_all, { instances }) => instances === 99);
    const { published, taken, replaced } = thread.frames.stats;
    expect(published).toBeGreaterThan(1);
    expect(taken + replaced).toBeLessThanOrEqual(published);
    await thread.stop();
    await thread.stop();
    expect(thread.failure).toBeUndefined();
    expect(await thread.stats()).toBeUndefined();
    expect(() => thread.messages.tryPost({ kind: 'reset-geometry' })).toThrow(/closed/);
  });
});

describe('a render thread that fails', () => {
  test('whose backend can not be made: started rejects with the cause', async () => {
    const { thread } = threadedScene({ worker, config: 'refuse' });
    await expect(thread.started).rejects.toMatchObject({
      code: 'render-sync/render-failed',
      cause: expect.objectContaining({ message: 'no device' }) as Error,
    });
    await thread.stop();
  });

  test('in a frame: the owner is told once, with the error of the other thread', async () => {
    const onFailure = vi.fn<(error: Error) => void>();
    const { thread, until } = threadedScene({ worker, config: 'break', onFailure });
    await thread.started;
    expect(await until(() => false)).toBeUndefined();
    expect(onFailure).toHaveBeenCalledTimes(1);
    expect(thread.failure).toMatchObject({
      code: 'render-sync/render-failed',
      cause: expect.objectContaining({ code: 'render-sync/backend-invalid' }) as Error,
    });
    await thread.stop();
  });

  test('whose worker dies: the owner is told, with the cause', async () => {
    const failed = new Promise<Error>((resolve) => {
      const { thread } = threadedScene({ worker, config: 'die', onFailure: resolve });
      thread.started.catch(resolve);
    });
    expect(await failed).toMatchObject({
      code: 'render-sync/thread-died',
      cause: expect.objectContaining({ message: 'lost in a timer' }) as Error,
    });
  });

  test('whose worker hangs: it is terminated when it does not stop in time, and reported', async () => {
    const error = vi.spyOn(EventLog.prototype, 'error');
    const hangs = new Int32Array(new SharedArrayBuffer(4));
    const { thread, frame } = threadedScene({ worker, config: hangs, stopTimeout: 300_000_000 });
    await thread.started;
    while (Atomics.load(hangs, 0) === 0) {
      frame();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await thread.stop();
    expect(error.mock.calls).toEqual([['render_thread_hung', { timeout: 300_000_000 }]]);
    error.mockRestore();
  });

  test('whose module never serves: started rejects after the time-out', async () => {
    const silent = (): Worker => new Worker('setInterval(() => {}, 1000)', { eval: true });
    const { thread } = threadedScene({ worker: silent, startTimeout: 300_000_000 });
    await expect(thread.started).rejects.toMatchObject({
      code: 'render-sync/thread-start-timeout',
    });
    await thread.stop();
  });
});

test('waiting for counters keeps the process alive, rendering does not', async () => {
  let hear: (message: unknown) => void = () => {};
  const held: boolean[] = [];
  const sent: { kind: string; id?: number }[] = [];
  const fake = {
    on: (event: string, listener: (value: never) => void) => {
      if (event === 'message') hear = listener as (message: unknown) => void;
    },
    postMessage: (message: { kind: string }) => void sent.push(message),
    ref: () => void held.push(true),
    unref: () => void held.push(false),
    terminate: () => Promise.resolve(0),
  };
  const { thread } = threadedScene({ worker: () => fake as unknown as Worker, stopTimeout: 1 });
  hear({ kind: 'ecliptic:render-ready' });
  await thread.started;
  expect(held).toEqual([false]);
  const asked = [thread.stats(), thread.stats()];
  expect(held.at(-1)).toBe(true);
  for (const { kind, id } of sent.slice(1)) hear({ kind, id, stats: { backend: `${id}` } });
  expect(await Promise.all(asked)).toEqual([{ backend: '1' }, { backend: '2' }]);
  expect(held.at(-1)).toBe(false);
  await thread.stop();
});
