import { Worker } from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import { memoryLinks, NullBackend, Outbox, ReadBacks, ReliableSender } from '../src/index.js';
import type { ReadBackRequest, ReadBackResult, RenderMessage, RenderView } from '../src/index.js';
import { threadedScene } from './fixtures/drive-thread.js';
import { inlineScene } from './fixtures/inline-scene.js';

// Starting a thread takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const failed = (message: string | RegExp): unknown =>
  expect.objectContaining({
    code: 'render-sync/read-back-failed',
    message: expect.stringMatching(message) as string,
  });

test('a request is answered about the next frame that is drawn, in whatever order answers come', async () => {
  const { sync, frame, backend } = await inlineScene();
  const pixel = sync.readBacks.pixel(319.9, 199.2);
  const shot = sync.readBacks.screenshot();
  expect(sync.readBacks.pending).toBe(2);
  expect(backend.stats.readBacks).toBe(0);
  frame();
  expect(await pixel).toEqual([0, 0, 0, 0]);
  expect(await shot).toMatchObject({ width: 320, height: 200, pixels: { length: 320 * 200 * 4 } });
  expect([sync.readBacks.pending, backend.stats.readBacks]).toEqual([0, 2]);
});

test('picking gives the entity of the instance, and nothing for one that is destroyed meanwhile', async () => {
  const { scene, sync, frame, backend, entity } = await inlineScene();
  entity();
  const picked = entity();
  const instance = (): number => sync.bindings.instanceOf(picked);
  let answer: (result: ReadBackResult) => void = () => {};
  const readBack = vi.spyOn(backend, 'readBack');
  readBack.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  frame();
  const first = sync.pick(1, 2);
  frame();
  expect(readBack.mock.calls).toEqual([[{ kind: 'pick', x: 1, y: 2 }]]);
  frame();
  answer({ kind: 'pick', instance: instance() });
  expect(await first).toBe(picked);
  const second = sync.pick(1, 2);
  frame();
  const was = instance();
  scene.destroyEntity(picked);
  answer({ kind: 'pick', instance: was });
  expect(await second).toBeUndefined();
  const sky = sync.pick(1, 2);
  frame();
  answer({ kind: 'pick', instance: undefined });
  expect(await sky).toBeUndefined();
});

test('what can not be answered says why: outside the image, a backend without it, one that throws', async () => {
  const { sync, frame, backend } = await inlineScene();
  for (const [x, y] of [
    [-1, 0],
    [320, 0],
    [0, 200],
    [NaN, 0],
    [0, Infinity],
  ] as const) {
    const asked = sync.pick(x, y);
    frame();
    await expect(asked).rejects.toEqual(failed('is not in an image of 320 × 200'));
  }
  vi.spyOn(backend, 'readBack').mockImplementation(() => {
    throw new Error('device lost');
  });
  const thrown = sync.pick(0, 0);
  frame();
  await expect(thrown).rejects.toEqual(failed('device lost'));
  Object.defineProperty(backend, 'readBack', { value: undefined });
  const without = sync.readBacks.screenshot();
  frame();
  await expect(without).rejects.toEqual(failed('"null" reads nothing back'));
});

test('a signal ends the wait, before and after the request was sent', async () => {
  const { sync, frame } = await inlineScene();
  const reason = new Error('enough');
  await expect(sync.pick(0, 0, AbortSignal.abort(reason))).rejects.toBe(reason);
  const abort = new AbortController();
  const asked = sync.pick(0, 0, abort.signal);
  abort.abort(reason);
  await expect(asked).rejects.toBe(reason);
  expect(sync.readBacks.pending).toBe(0);
  frame(); // an answer that nobody waits for
  await expect(sync.pick(0, 0, abort.signal)).rejects.toBe(reason);
});

test('at the end what waits is rejected, and so is what is asked later; a full queue says so', async () => {
  const { sync } = await inlineScene();
  const asked = sync.pick(0, 0);
  sync.dispose();
  await expect(asked).rejects.toEqual(failed('The renderer has ended'));
  await expect(sync.pick(0, 0)).rejects.toEqual(failed('The renderer has ended'));

  const sender = new ReliableSender<RenderMessage>(memoryLinks()[0], 1);
  const readBacks = new ReadBacks(new Outbox(sender, 1), sender);
  const held = [readBacks.pick(0, 0), readBacks.pick(0, 0)];
  await expect(readBacks.pick(0, 0)).rejects.toMatchObject({ code: 'render-sync/queue-full' });
  expect(readBacks.pending).toBe(2);
  readBacks.dispose();
  for (const each of held) await expect(each).rejects.toEqual(failed('ended'));
});

test('the null backend refuses requests out of order and outside', async () => {
  const backend = new NullBackend();
  const pick = (x: number): ReadBackRequest => ({ kind: 'pick', x, y: 0 });
  backend.initialize();
  backend.resize({ width: 4, height: 4, pixelRatio: 1 });
  expect(() => backend.readBack(pick(0))).toThrow(/backend was idle/);
  backend.acquire();
  backend.beginFrame(1);
  const nothing = { frame: 1, alpha: 0, instanceCount: 0, deformCount: 0, camera: undefined };
  const state = { lightCount: 0, debugLineCount: 0 };
  backend.renderScene({ ...nothing, state } as unknown as RenderView);
  backend.executeGraph(undefined);
  expect(() => backend.readBack(pick(4))).toThrow(/pixel 4, 0/);
  expect(() => backend.readBack(pick(0.5))).toThrow(/pixel 0.5, 0/);
  expect(await backend.readBack(pick(3))).toEqual({ kind: 'pick', instance: undefined });
});

const worker = (): Worker => new Worker(new URL('./fixtures/render.worker.ts', import.meta.url));

test.each([true, false])('goes to a thread and back, shared memory: %s', async (shared) => {
  const { thread, sync, entities, frame, until } = threadedScene({ worker, shared });
  await thread.started;
  await until((_, { instances }) => instances === 100);
  // The worker's backend sees the instance whose index is x, and an image that is full of sevens.
  const answers = Promise.all([sync.pick(42, 0), sync.readBacks.screenshot()]);
  frame();
  const [picked, { pixels }] = await answers;
  expect(entities).toContain(picked);
  expect([pixels.length, pixels[0], pixels.at(-1)]).toEqual([64 * 64 * 4, 7, 7]);
  const late = sync.pick(0, 0);
  const settled = Promise.allSettled([late]);
  await thread.stop();
  await settled; // It was answered, or has ended with the thread; it never hangs.
});

test('a thread that fails leaves nobody waiting', async () => {
  const { thread, sync, frame, until } = threadedScene({ worker, config: 'break' });
  await thread.started;
  await until(() => false);
  frame();
  await expect(sync.pick(0, 0)).rejects.toMatchObject({
    code: 'render-sync/read-back-failed',
    cause: { code: 'render-sync/render-failed' },
  });
  await thread.stop();
});
