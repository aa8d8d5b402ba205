import { Worker } from 'node:worker_threads';
import { AssetManager, AssetRegistry } from '@ecliptic/assets';
import { EventLog, ManualClock } from '@ecliptic/core';
import { Scene } from '@ecliptic/ecs';
import { Mesh, Transform } from '@ecliptic/ecs/components';
import { describe, expect, test, vi } from 'vitest';
import {
  createInlineRender,
  createInlineRenderer,
  NullBackend,
  type NullBackendStats,
  RenderSync,
} from '../src/index.js';
import { threadedScene } from './fixtures/drive-thread.js';
import { materialOf, texture, triangle, triangleOf, uuid } from './fixtures/triangle.js';

// Starting a thread takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** More than the queue and what waits in front of it hold together. */
const MANY = 2_500;
const BUDGET = { instances: 64, lights: 1, cameras: 1 };
const TIMES = { tick: 0, tickTime: 0, stepDuration: 0, alpha: 0, frameTime: 0 };

/** Creates and deletes entities that have a mesh of their own, publishing now and then. */
function liveOn({ scene, sync }: { readonly scene: Scene; readonly sync: RenderSync }): void {
  for (let n = 0; n < MANY; n++) {
    const entity = scene.createEntity(Transform, [Mesh, { meshUuid: uuid(100 + n) }]);
    if (n % 50 === 0) {
      sync.sync();
      sync.publish(TIMES);
    }
    sync.deleteEntity(entity);
  }
}

describe.each([
  ['shared memory', true],
  ['transfers', false],
] as const)('a simulation whose renderer is lost, over %s', (_, shared) => {
  const start = (config?: unknown, onFailure?: (error: Error) => void) => {
    let made: Worker | undefined;
    const worker = (): Worker =>
      (made = new Worker(new URL('./fixtures/render.worker.ts', import.meta.url)));
    const log = new EventLog('test');
    const error = vi.spyOn(log, 'error');
    const all = threadedScene({ worker, shared, config, log, ...(onFailure ? { onFailure } : {}) });
    return { ...all, error, terminate: () => made?.terminate() };
  };

  test.each(['break', 'terminate'])(
    'goes on without one, and with another one (%s)',
    async (how) => {
      const onFailure = vi.fn<(error: Error) => void>();
      const s = start(how, onFailure);
      await s.thread.started;
      const asked = s.sync.pick(0, 0);
      const answer = asked.then(
        () => 'answered',
        ({ cause }: Error) => cause,
      );
      if (how === 'terminate') await s.terminate();
      expect(await s.until(() => false)).toBeUndefined();

      liveOn(s);
      for (let n = 0; n < MANY; n++)
        s.sync.outbox.post({ kind: 'free', resource: 'mesh', uuid: uuid(9) });
      s.sync.replaceScene({ resetGeometry: true });
      expect([s.sync.outbox.waiting, s.thread.messages.pending]).toEqual([0, 0]);
      await s.thread.messages.ready();
      expect(onFailure.mock.calls).toEqual([[s.thread.failure]]);
      expect(s.error.mock.calls.map(([event]) => event)).toEqual(['render_thread_failed']);
      // Before the failure there may have been a frame that answered it.
      expect(['answered', s.thread.failure]).toContain(await answer);
      await expect(s.sync.pick(0, 0)).rejects.toMatchObject({ cause: s.thread.failure });

      const next = start();
      await next.thread.started;
      s.sync.attach(next.thread);
      await s.thread.stop();
      s.sync.outbox.post({ kind: 'mesh', uuid: uuid(1), mesh: triangle });
      s.scene.destroyEntity(s.entities[0] as number);
      for (;;) {
        s.frame();
        const stats = (await next.thread.stats())?.backendStats as NullBackendStats | undefined;
        if (stats?.instances === 99) break;
      }
      const picking = s.sync.pick(5, 0);
      while (s.sync.readBacks.pending > 0) {
        s.frame();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(s.scene.isAlive((await picking) ?? 0)).toBe(true);
      s.sync.dispose();
      await next.thread.stop();
    },
  );
});

/** A device that is gone for good after a number of frames. */
class Mortal extends NullBackend {
  readonly failure = new Error('the device was lost');
  life = 2;
  override acquire(): boolean {
    if (this.life-- <= 0) throw this.failure;
    return super.acquire();
  }
}

describe('a renderer within the thread of the simulation', () => {
  const world = async <Backend extends NullBackend>(backend: Backend, assets?: AssetManager) => {
    const scene = new Scene();
    const clock = new ManualClock();
    const inline = createInlineRender({
      scene,
      clock,
      backend,
      budget: BUDGET,
      ...(assets && { assets }),
    });
    await inline.loop.initialize();
    inline.sync.setTarget({ width: 8, height: 8, pixelRatio: 1 });
    const frame = (loop = inline.loop) => {
      inline.sync.sync();
      inline.sync.publish(TIMES);
      return loop.runOnce();
    };
    return { ...inline, scene, backend, clock, frame };
  };

  test('that fails in every frame fills no queue; another one is given all that is resident', async () => {
    const assets = new AssetManager({ registry: new AssetRegistry() });
    assets.ingestTexture(uuid(3), texture);
    assets.ingestMaterial(uuid(2), materialOf(uuid(3)));
    assets.ingestMesh(uuid(1), triangleOf(uuid(2)));
    const s = await world(new Mortal(), assets);
    s.scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1) }]);
    expect([s.frame(), s.frame()]).toEqual(['drawn', 'drawn']);
    for (let n = 0; n < MANY; n++) {
      const entity = s.scene.createEntity(Transform, [Mesh, { meshUuid: uuid(100 + n) }]);
      expect(() => s.frame()).toThrow(s.backend.failure);
      s.sync.deleteEntity(entity);
    }
    expect(s.sync.outbox.waiting).toBe(0);
    const asked = s.sync.pick(0, 0);
    const { clock } = s;
    const next = createInlineRenderer({ backend: new NullBackend(), clock, budget: BUDGET });
    await next.loop.initialize();
    s.sync.attach(next);
    await expect(asked).rejects.toMatchObject({ code: 'render-sync/read-back-failed' });
    await s.loop.dispose();
    expect(s.frame(next.loop)).toBe('drawn');
    expect(next.loop.backend.stats).toMatchObject({
      instances: 1,
      residentMeshes: 1,
      residentMaterials: 1,
      residentTextures: 1,
    });
    const picked = s.sync.pick(0, 0);
    s.frame(next.loop);
    expect(await picked).toBeUndefined();
  });

  test('that is disposed of takes what is sent, and rejects what is asked', async () => {
    const s = await world(new NullBackend());
    const asked = s.sync.pick(0, 0);
    await s.loop.dispose();
    await expect(asked).rejects.toMatchObject({ code: 'render-sync/read-back-failed' });
    liveOn(s);
    expect(s.sync.outbox.waiting).toBe(0);
  });

  test.each(['no size', 'no image'])(
    'that draws nothing for long, for there is %s, fills no queue',
    async (why) => {
      const s = await world(new NullBackend());
      s.sync.outbox.post({ kind: 'mesh', uuid: uuid(1), mesh: triangle });
      s.scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1) }]);
      s.frame();
      const acquire = vi.spyOn(s.backend, 'acquire');
      if (why === 'no size') s.sync.setTarget({ width: 0, height: 8, pixelRatio: 1 });
      else acquire.mockReturnValue(false);
      const answers: Promise<unknown>[] = [];
      for (let n = 0; n < MANY; n++) {
        const entity = s.scene.createEntity(Transform, [Mesh, { meshUuid: uuid(1) }]);
        answers.push(s.sync.pick(0, 0).catch((error: unknown) => error));
        s.sync.outbox.post({ kind: 'mesh', uuid: uuid(2 + (n % 5)), mesh: triangle });
        expect(s.frame()).toBe('no-image');
        s.scene.destroyEntity(entity);
      }
      acquire.mockRestore();
      s.sync.setTarget({ width: 8, height: 8, pixelRatio: 1 });
      expect(s.frame()).toBe('drawn');
      expect(s.backend.stats).toMatchObject({ instances: 1, residentMeshes: 6 });
      // As many as wait are answered, the others are told why not.
      const failed = (await Promise.all(answers)).filter((answer) => answer instanceof Error);
      expect(failed).toHaveLength(MANY - 1_024);
      expect(failed[0]).toMatchObject({
        code: 'render-sync/read-back-failed',
        message: expect.stringContaining('wait for an image') as string,
      });
    },
  );
});

test('a renderer with smaller frames is refused, and the one before stays', () => {
  const clock = new ManualClock();
  const small = { ...BUDGET, instances: 8 };
  const scene = new Scene();
  const first = createInlineRender({ scene, clock, backend: new NullBackend(), budget: BUDGET });
  const next = createInlineRenderer({ clock, backend: new NullBackend(), budget: small });
  const refusal = expect.objectContaining({
    code: 'render-sync/frame-too-small',
    subjects: { what: 'instances', room: 8, budget: 64 },
  });
  expect(() => first.sync.attach(next)).toThrow(refusal);
  expect(first.sync.publish(TIMES)).toBe(1);
  expect(() => new RenderSync({ scene, ...next, budget: BUDGET })).toThrow(refusal);
  first.sync.dispose();
});
