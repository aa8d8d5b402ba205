import { Worker } from 'node:worker_threads';
import { createUuid, EventLog, ManualClock, systemClock } from '@ecliptic/core';
import { Camera, Mesh, Transform } from '@ecliptic/ecs/components';
import {
  createInlineRenderer,
  loadPoseKernel,
  NullBackend,
  type PoseKernel,
  type RenderView,
} from '@ecliptic/render-sync';
import { memoryBackend } from '@ecliptic/vfs';
import { describe, expect, test, vi } from 'vitest';
import {
  createEngine,
  headlessPlatform,
  type EngineConfigInput,
  type EngineOptions,
  type PluginOption,
} from '../src/index.js';
import {
  ASSET_MANAGER,
  assets,
  ecs,
  RENDER_LOOP,
  RENDER_SYNC,
  RENDER_THREAD,
  renderSync,
  SCENE,
  scheduler,
  vfs,
} from '../src/plugins.js';
import { failureOf, testEngine } from './support/recorder.js';

const STEP = 16_666_667;
const TARGET = { width: 640, height: 480, pixelRatio: 1 };

const TRIANGLE = {
  name: 'triangle',
  vertexCount: 3,
  streams: [
    { semantic: 'POSITION', components: 3, data: new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]) },
  ],
  indices: new Uint16Array([0, 1, 2]),
  submeshes: [
    {
      topology: 'triangles' as const,
      firstIndex: 0,
      indexCount: 3,
      firstVertex: 0,
      vertexCount: 3,
      material: undefined,
      bounds: { min: [0, 0, 0] as const, max: [1, 1, 0] as const },
    },
  ],
  bounds: { min: [0, 0, 0] as const, max: [1, 1, 0] as const },
  morphTargets: [],
  morphWeights: [],
};

/** Keeps where the instances were drawn. */
class RecordingBackend extends NullBackend {
  readonly drawn: number[] = [];
  override renderScene(view: RenderView): void {
    super.renderScene(view);
    if (view.instanceCount > 0) this.drawn.push(view.transforms[3] ?? Number.NaN);
  }
}

async function running(
  backend: NullBackend,
  more: readonly PluginOption[] = [],
  config: EngineConfigInput = {},
  kernel?: PoseKernel,
) {
  const clock = new ManualClock();
  const platform = headlessPlatform();
  const { engine } = testEngine({
    clock,
    platform,
    config,
    mounts: [{ at: '/', backend: memoryBackend() }],
    plugins: [
      ecs(),
      scheduler(),
      vfs(),
      assets([], { hotReload: false }),
      renderSync({ backend, target: TARGET, ...(kernel && { kernel }) }),
      ...more,
    ],
  });
  await engine.initialize();
  const frame = (nanoseconds = STEP) => {
    clock.advance(nanoseconds);
    return engine.runFrame();
  };
  return { engine, platform, frame };
}

describe('render-sync as a plugin', () => {
  test('what has a mesh is drawn once its asset is there, where it is between two steps (46)', async () => {
    const backend = new RecordingBackend();
    const mesh = createUuid();
    const { engine, frame } = await running(backend);
    const scene = engine.get(SCENE);
    scene.createEntity(Transform, [Camera, { isMain: true }]);
    const entity = scene.createEntity(Transform, [Mesh, { meshUuid: mesh }]);
    let x = 0;
    engine.frame.on('systems', 'move', () => {
      const transform = scene.getComponent(entity, Transform);
      if (transform) transform.position.x = ++x;
    });
    await frame(0);
    expect(backend.drawn).toEqual([]);
    engine.get(ASSET_MANAGER).ingestMesh(mesh, TRIANGLE);
    for (let i = 0; i < 12; i++) await frame(6_944_444); // 144 Hz
    expect(backend.stats.residentMeshes).toBe(1);
    const moving = backend.drawn.slice(-8);
    for (const [i, at] of moving.slice(1).entries()) {
      expect(at - (moving[i] ?? 0)).toBeCloseTo(60 / 144, 3);
    }
    await engine.shutdown();
  });

  test('the kernel that is chosen computes the matrices; the state is the same with each', async () => {
    const run = async (kernel?: PoseKernel) => {
      const { engine, frame } = await running(new NullBackend(), [], {}, kernel);
      const scene = engine.get(SCENE);
      const parent = scene.createEntity([Transform, { rotation: [0.1, 0.2, 0.3, 0.9] }]);
      const child = scene.createEntity([Transform, { position: [1.1, 2.3, 3.7] }]);
      scene.setParent(child, parent);
      engine.frame.on('systems', 'move', () => {
        const transform = scene.getComponent(parent, Transform);
        if (transform) transform.position.x += 0.7;
      });
      for (let i = 0; i < 4; i++) await frame();
      const { backend } = engine.get(RENDER_SYNC).hierarchy.kernel;
      const world = scene.getComponent(child, Transform)?.world.toArray() ?? [];
      const state = scene.stateHash();
      await engine.shutdown();
      return { backend, world, state };
    };
    const javascript = await run();
    const wasm = await run(await loadPoseKernel());
    vi.spyOn(WebAssembly, 'compile').mockRejectedValueOnce(new Error('blocked by CSP'));
    const refused = await run(await loadPoseKernel());
    expect([javascript.backend, wasm.backend]).toEqual(['javascript', 'wasm']);
    expect(refused).toEqual(javascript);
    expect(wasm.state).toBe(javascript.state);
    for (const [i, value] of wasm.world.entries())
      expect(value).toBeCloseTo(javascript.world[i] ?? 0, 4);
    expect(wasm.world[12]).toBeGreaterThan(2);
  });

  test('size and visibility of the surface reach the renderer; minimised, nothing is published (48)', async () => {
    const backend = new NullBackend();
    const { engine, platform, frame } = await running(backend);
    await frame(0);
    expect(backend.stats).toMatchObject({ frames: 1, resizes: 1 });
    platform.push({ type: 'resize', width: 320, height: 200, pixelRatio: 2 });
    await frame(0);
    expect(backend.stats).toMatchObject({ frames: 2, resizes: 2 });
    platform.push({ type: 'visibility', visible: false });
    await frame();
    await frame();
    expect(backend.stats.frames).toBe(2);
    expect(engine.get(RENDER_LOOP).stats.sequence).toBe(2);
    await engine.shutdown();
  });

  test('the fallback texture is there before the first frame; a removed asset is freed', async () => {
    const backend = new NullBackend();
    const { engine, frame } = await running(backend);
    await frame(0);
    expect(backend.stats.residentTextures).toBe(1);
    const mesh = createUuid();
    const manager = engine.get(ASSET_MANAGER);
    manager.ingestMesh(mesh, TRIANGLE);
    await frame(0);
    expect([backend.stats.residentMeshes, engine.get(RENDER_SYNC).uploads?.waiting]).toEqual([
      1, 0,
    ]);
    manager.registry.setState(mesh, 'removed');
    for (let i = 0; i < 4; i++) await frame(0);
    expect(backend.stats.residentMeshes).toBe(0);
    await engine.shutdown();
  });

  test('more assets at once than the renderer takes wait, and all arrive', async () => {
    const backend = new NullBackend();
    const { engine, frame } = await running(backend);
    const manager = engine.get(ASSET_MANAGER);
    for (let i = 0; i < 3_000; i++) manager.ingestMesh(createUuid(), { ...TRIANGLE });
    await frame(0);
    expect(engine.get(RENDER_SYNC).uploads?.waiting).toBeGreaterThan(0);
    for (let i = 0; i < 5; i++) await frame(0);
    expect(backend.stats.residentMeshes).toBe(3_000);
    await engine.shutdown();
  });

  test('the budget of instances comes from the configuration', async () => {
    const { engine } = await running(new NullBackend(), [], { memory: { renderInstances: 7 } });
    expect(engine.get(RENDER_SYNC).renderScene.budget.instances).toBe(7);
    await engine.shutdown();
  });

  test('a renderer that can’t start ends the initialization, named', async () => {
    class Fragile extends NullBackend {
      override initialize(): void {
        throw new Error('no device');
      }
    }
    const { engine } = testEngine({ plugins: [ecs(), renderSync({ backend: new Fragile() })] });
    expect(await failureOf(() => engine.initialize())).toMatchObject({
      plugin: 'ecliptic.renderSync',
      step: 'render pipeline',
      cause: { message: 'no device' },
    });
  });

  describe('on a thread of its own', () => {
    const worker = (): Worker =>
      new Worker(new URL('./fixtures/render.worker.ts', import.meta.url));

    function threaded(config?: string, more: Partial<EngineOptions> = {}) {
      const target = TARGET;
      const clock = systemClock();
      const plugins = [ecs(), renderSync({ thread: { worker, config, frameRate: 200 }, target })];
      return createEngine({ platform: headlessPlatform(), clock, plugins, ...more });
    }

    test('it draws what is published, and has ended before anything else goes', async () => {
      const engine = threaded();
      await engine.initialize();
      const thread = engine.get(RENDER_THREAD);
      await vi.waitFor(
        async () => {
          await engine.runFrame();
          expect((await thread.stats())?.loop.frames).toBeGreaterThan(3);
        },
        { timeout: 60_000 },
      );
      expect(engine.services.has(RENDER_LOOP)).toBe(false);
      await engine.shutdown();
      expect(await thread.stats()).toBeUndefined();
      expect(thread.failure).toBeUndefined();
    });

    test('one that can’t start ends the initialization with its error', async () => {
      const error = await failureOf(() => threaded('refuse').initialize());
      expect(error).toMatchObject({
        plugin: 'ecliptic.renderSync',
        step: 'render thread',
        cleanupErrors: [],
        cause: { code: 'render-sync/render-failed', cause: { message: 'no device' } },
      });
    });

    test('one that fails later ends run() with its error', async () => {
      const engine = threaded('break');
      await engine.initialize();
      const error = await failureOf(() => engine.run());
      expect(error).toMatchObject({
        plugin: 'ecliptic.renderSync',
        step: 'publish/draw',
        cause: { code: 'render-sync/render-failed' },
      });
      await engine.shutdown();
    });

    test('where frames go on after errors it is reported once, and another renderer takes its place', async () => {
      const log = new EventLog('engine');
      const logged = vi.spyOn(log, 'error');
      const config = { loop: { onFrameError: 'continue' as const, frameRateCap: 1_000 } };
      const engine = threaded('break', { config, log });
      await engine.initialize();
      const backend = new NullBackend();
      const { budget } = engine.get(RENDER_SYNC).renderScene;
      const next = createInlineRenderer({ backend, budget, clock: systemClock() });
      await next.loop.initialize();
      let after = 0;
      const end = new AbortController();
      engine.frame.on('overlay', 'count', () => {
        if (!engine.get(RENDER_THREAD).failure) return;
        if (after++ === 20) engine.get(RENDER_SYNC).attach(next);
        if (after === 22) end.abort();
      });
      await engine.run({ signal: end.signal });
      expect(logged.mock.calls.map(([event]) => event)).toEqual(['frame_failed']);
      expect(logged.mock.calls[0]?.[1]).toMatchObject({
        step: 'publish/draw',
        error: { cause: { code: 'render-sync/render-failed' } },
      });
      expect(next.loop.runOnce()).toBe('drawn');
      await next.loop.dispose();
      await engine.shutdown();
    });
  });

  test('it works without systems and without assets', async () => {
    const backend = new NullBackend();
    const { engine } = testEngine({ plugins: [ecs(), renderSync({ backend, target: TARGET })] });
    await engine.initialize();
    await engine.runFrame();
    expect(backend.stats.frames).toBe(1);
    await engine.shutdown();
  });
});
