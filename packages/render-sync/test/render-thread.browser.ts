import { describe, expect, test, vi } from 'vitest';
import { threadedScene } from './fixtures/drive-thread.js';

// Starting a thread takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const worker = (): Worker =>
  new Worker(new URL('./fixtures/render.worker.ts', import.meta.url), { type: 'module' });

describe.each([
  ['shared memory', true],
  ['transfers', false],
] as const)('a render thread in a browser, over %s', (_, shared) => {
  test('draws what the simulation publishes, at its own rate, and ends when told', async () => {
    expect(crossOriginIsolated).toBe(true);
    const { thread, scene, entities, until } = threadedScene({ worker, shared });
    await thread.started;
    await until((all, { instances }) => all.loop.frames >= 20 && instances === 100);
    scene.destroyEntity(entities[0] as number);
    await until((_all, { instances }) => instances === 99);
    await thread.stop();
    expect(thread.failure).toBeUndefined();
  });

  test('a canvas reaches the backend of the worker', async () => {
    const surface = new OffscreenCanvas(64, 64);
    const { thread, until } = threadedScene({ worker, shared, surface });
    await thread.started;
    await until((all) => all.loop.frames >= 3);
    await thread.stop();
    expect(thread.failure).toBeUndefined();
  });
});

test('a renderer that fails in a frame is reported', async () => {
  const { thread, until } = threadedScene({ worker, config: 'break' });
  await thread.started;
  expect(await until(() => false)).toBeUndefined();
  expect(thread.failure).toMatchObject({ code: 'render-sync/render-failed' });
  await thread.stop();
});
