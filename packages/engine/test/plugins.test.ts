import { Actor } from '@ecliptic/actors';
import { EventLog, ManualClock, type EclipticError } from '@ecliptic/core';
import { changed, defineComponent, f32, query, Scene, write, type EntityId } from '@ecliptic/ecs';
import { Camera, Transform } from '@ecliptic/ecs/components';
import { defineSystem, type System } from '@ecliptic/scheduler';
import { memoryBackend } from '@ecliptic/vfs';
import { describe, expect, test, vi } from 'vitest';
import {
  FlyController,
  headlessPlatform,
  type EnginePlugin,
  type EngineOptions,
  type PluginOption,
} from '../src/index.js';
import {
  actors,
  ACTORS,
  cameraControl,
  COMMANDS,
  ecs,
  mainThreadQueue,
  MAIN_THREAD_QUEUE,
  SCENE,
  scheduler,
  SYSTEM_RELOADER,
  vfs,
  VFS,
  worldTick,
  WORLD_TICK,
} from '../src/plugins.js';
import { failureOf, plugin, testEngine } from './support/recorder.js';

const STEP = 16_666_667;
const Counter = defineComponent('Counter', { value: f32() });

/** An initialized engine whose frames the test drives; the first frame, without a step, is over. */
async function running(plugins: readonly PluginOption[], options: Partial<EngineOptions> = {}) {
  const clock = new ManualClock();
  const { engine } = testEngine({ ...options, clock, plugins });
  await engine.initialize();
  await engine.runFrame();
  const frame = (nanoseconds = STEP) => {
    clock.advance(nanoseconds);
    return engine.runFrame();
  };
  return { engine, frame };
}

/** Adds `by` to every counter, once a step. */
function counting(by: number, more: Partial<Parameters<typeof defineSystem>[0]> = {}): System {
  return defineSystem({
    name: 'test.counting',
    queries: { counters: query(write(Counter)) },
    update({ counters }) {
      counters.each((row, counter) => {
        counter.value[row] = (counter.value[row] ?? 0) + by;
      });
    },
    ...(more as object),
  });
}

describe('the subsystems as plugins', () => {
  test('inside a step the order is systems → flush → actors → snapshotTransforms (45)', async () => {
    const seen: string[] = [];
    let spawned: EntityId | undefined;
    class Witness extends Actor {
      override onCreate(): void {
        this.addComponent(Transform);
      }
      override onTick(): void {
        const born = spawned !== undefined && this.scene.isAlive(spawned);
        seen.push(`actor, ${born ? 'after' : 'before'} the flush`);
        const transform = this.getComponent(Transform);
        if (transform) transform.position.x = 5;
      }
    }
    const { engine, frame } = await running([
      ecs(),
      scheduler(),
      actors(),
      plugin('test', ({ get, frame: hooks }) => {
        get(WORLD_TICK).registerSystem(
          defineSystem({
            name: 'test.spawn',
            update(_, { commands }) {
              seen.push('system');
              if (spawned !== undefined) return;
              commands.createEntity((entity) => {
                spawned = entity;
              });
            },
          }),
        );
        const witness = get(ACTORS).create(Witness);
        hooks.on('snapshot', 'after it', () => {
          const transform = get(ACTORS).access(witness)?.getComponent(Transform);
          seen.push(`snapshot shows ${transform?.currentPosition.x}`);
        });
      }),
    ]);
    await frame();
    expect(seen).toEqual(['system', 'actor, after the flush', 'snapshot shows 5']);
    await engine.shutdown();
  });

  test('systems registered in a plugin’s initialize are in the committed graph (55)', async () => {
    const { engine, frame } = await running([
      ecs(),
      scheduler(),
      plugin('test', ({ get }) => void get(WORLD_TICK).registerSystem(counting(1))),
    ]);
    const scene = engine.get(SCENE);
    const entity = scene.createEntity(Counter);
    expect(engine.get(WORLD_TICK).committed).toBe(true);
    await frame(3 * STEP);
    expect(scene.getComponent(entity, Counter)?.value).toBe(3);
    await engine.shutdown();
  });

  test('systems of the kind frame run once a frame, before the hooks at update, and their commands are flushed', async () => {
    const seen: string[] = [];
    const { engine, frame } = await running([
      ecs(),
      scheduler(),
      plugin('test', ({ get, frame: hooks }) => {
        get(WORLD_TICK).registerSystem(
          defineSystem({
            name: 'test.frame',
            updateKind: 'frame',
            update(_, { commands, time }) {
              seen.push(time.isFixedStep ? 'step' : 'frame');
              commands.createEntity();
            },
          }),
        );
        hooks.on('update', 'look', () => void seen.push(`${get(SCENE).entityCount} entities`));
      }),
    ]);
    await frame(3 * STEP);
    expect(seen).toEqual(['frame', '1 entities', 'frame', '2 entities']);
    await engine.shutdown();
  });

  test('a system that throws ends the frame, named, with plugin and step; the next tick works (38)', async () => {
    let fail = true;
    const { engine, frame } = await running([
      ecs(),
      scheduler(),
      plugin('test', ({ get }) => {
        get(WORLD_TICK).registerSystem(
          defineSystem({
            name: 'test.faulty',
            update() {
              if (fail) throw new Error('boom');
            },
          }),
        );
      }),
    ]);
    const error = await failureOf(() => frame());
    expect(error).toMatchObject({ plugin: 'ecliptic.worldTick', step: 'systems/tick systems' });
    expect(error.message).toContain('test.faulty');
    fail = false;
    expect((await frame(0)).steps).toBe(1);
    await engine.shutdown();
  });

  test('the budgets of the one configuration reach the packages; a plugin’s own options win', async () => {
    const { engine } = await running([ecs({ maxEntities: 3 }), scheduler(), actors()], {
      config: { memory: { entities: 2, actors: 2, systems: 1, mainThreadQueueSlots: 4 } },
    });
    expect(engine.get(ACTORS).capacity).toBe(2);
    expect(engine.get(MAIN_THREAD_QUEUE).capacity).toBe(4);
    const scene = engine.get(SCENE);
    for (let i = 0; i < 3; i++) scene.createEntity();
    expect(() => scene.createEntity()).toThrow(
      expect.objectContaining({ code: 'ecs/entity-budget' }),
    );
    await engine.shutdown();
  });

  test('the main-thread queue is drained once a frame; what is pending at the shutdown is discarded and counted (50)', async () => {
    const log = new EventLog('engine');
    const warned = vi.spyOn(log, 'warn');
    const { engine, frame } = await running([mainThreadQueue()], { log });
    const calls: number[] = [];
    const queue = engine.get(MAIN_THREAD_QUEUE);
    for (const n of [1, 2]) queue.post(() => calls.push(n));
    await frame(0);
    expect(calls).toEqual([1, 2]);
    for (const n of [3, 4, 5]) queue.post(() => calls.push(n));
    await engine.shutdown();
    expect(calls).toEqual([1, 2]);
    expect(warned).toHaveBeenCalledWith('main_thread_posts_discarded', { discarded: 3 });
    expect(queue.post(() => {})).toBe(false);
  });

  test('mounts are there for every plugin, the engine’s own assets at /Ecliptic, read-only and below', async () => {
    const platform = {
      ...headlessPlatform(),
      packagedAssets: async () => ({
        root: 'memory',
        open: async () => memoryBackend({ files: { '/a.txt': 'engine', '/b.txt': 'engine' } }),
      }),
    };
    const project = memoryBackend({
      files: { '/notes.txt': 'hello', '/Ecliptic/a.txt': 'project' },
    });
    let seen = '';
    const { engine } = await running(
      [
        vfs(),
        plugin('test', async ({ get }) => void (seen = await get(VFS).readText('/notes.txt'))),
      ],
      { platform, mounts: [{ at: '/', backend: project }] },
    );
    expect(seen).toBe('hello');
    const files = engine.get(VFS);
    expect(await files.readText('/Ecliptic/b.txt')).toBe('engine');
    expect(files.mounts.map(({ at, priority, readOnly }) => [at.text, priority, readOnly])).toEqual(
      [
        ['/', 0, false],
        ['/Ecliptic', -1, true],
      ],
    );
    await engine.shutdown();
    expect(files.mounts).toEqual([]);
  });

  test('a back end that can’t be mounted ends the initialization, and the context is disposed of', async () => {
    const dispose = vi.fn<() => Promise<void>>(async () => {});
    const backend = Object.assign(memoryBackend(), { dispose });
    const { engine } = testEngine({
      plugins: [vfs()],
      mounts: [
        { at: '/', backend },
        { at: '/', backend: memoryBackend() },
      ],
    });
    expect(await failureOf(() => engine.initialize())).toMatchObject({
      plugin: 'ecliptic.vfs',
      step: 'mounts',
      cause: { code: 'vfs/mounted-twice' },
    });
    expect(dispose).toHaveBeenCalledTimes(1);
  });

  test('mounts without the vfs plugin are an error before anything runs', async () => {
    const { engine } = testEngine({ mounts: [{ at: '/', backend: memoryBackend() }] });
    expect(await failureOf(() => engine.initialize())).toMatchObject({
      step: 'check',
      cause: { code: 'engine/mounts-without-vfs' },
    });
  });

  test('the camera controller moves the main camera, after the application had its turn', async () => {
    const fly = new FlyController({ speed: 10, smoothing: 0 });
    const platform = headlessPlatform();
    const { engine, frame } = await running([ecs(), cameraControl(fly)], { platform });
    const scene = engine.get(SCENE);
    const main = scene.createEntity([Camera, { isMain: true }], Transform);
    const other = scene.createEntity(Camera, Transform);
    engine.frame.on('update', 'panel', () => {
      fly.enabled = !engine.input.frame.isDown('Tab');
    });
    platform.push({ type: 'button', code: 'KeyW', down: true });
    await frame(100_000_000);
    expect(scene.getComponent(main, Transform)?.position.z).toBeCloseTo(-1, 5);
    expect(scene.getComponent(main, Transform)?.previousPosition.z).toBeCloseTo(-1, 5);
    expect(scene.getComponent(other, Transform)?.position.z).toBe(0);
    platform.push({ type: 'button', code: 'Tab', down: true });
    await frame(100_000_000);
    const seen = scene.query(changed(Transform));
    seen.forEach(() => {});
    await frame(100_000_000);
    let changes = 0;
    seen.forEach(() => changes++);
    expect(changes).toBe(0);
    expect(scene.getComponent(main, Transform)?.position.z).toBeCloseTo(-1, 5);
    await engine.shutdown();
  });
});

test('two complete engines in one process share nothing (56)', async () => {
  const compose = () =>
    running([
      ecs(),
      scheduler(),
      actors(),
      vfs(),
      plugin('test', ({ get }) => void get(WORLD_TICK).registerSystem(counting(1))),
    ]);
  const [a, b] = [await compose(), await compose()];
  const counters = [a, b].map(({ engine }) => engine.get(SCENE).createEntity(Counter));
  const valueIn = ({ engine }: typeof a, index: number) =>
    engine.get(SCENE).getComponent(counters[index] as EntityId, Counter)?.value;
  await a.frame(3 * STEP);
  await b.frame();
  expect([valueIn(a, 0), valueIn(b, 1)]).toEqual([3, 1]);
  a.engine.get(ACTORS).create(Actor);
  expect(b.engine.get(ACTORS).size).toBe(0);
  await a.engine.shutdown();
  await b.frame();
  expect(valueIn(b, 1)).toBe(2);
  await b.engine.shutdown();
});

describe('leaving out and replacing', () => {
  const subsets: [string, PluginOption[]][] = [
    ['nothing', []],
    ['only ecs', [ecs()]],
    ['ecs and actors', [ecs(), actors()]],
    ['ecs and systems', [ecs(), worldTick()]],
    ['only the queue', [mainThreadQueue()]],
    ['only vfs', [vfs()]],
    ['all, in the wrong order', [actors(), scheduler(), vfs(), ecs()]],
  ];
  test.each(subsets)('an engine of %s comes up, runs frames and goes down', async (_, plugins) => {
    const { engine, frame } = await running(plugins);
    expect((await frame()).steps).toBe(1);
    await engine.shutdown();
  });

  test('a subsystem without what it needs is refused before anything runs, with the service and the plugin', async () => {
    const { engine } = testEngine({ plugins: [scheduler(), actors()] });
    const error = await failureOf(() => engine.initialize());
    expect((error.cause as EclipticError).subjects['problems']).toEqual([
      '"scheduler.worldTick" (bound by ecliptic.worldTick) needs "ecs.scene", which no plugin binds',
      '"actors.manager" (bound by ecliptic.actors) needs "ecs.scene", which no plugin binds',
    ]);
  });

  test('a team’s own subsystem takes the place of ours by binding the same tokens', async () => {
    const own: EnginePlugin = {
      id: 'acme.ecs',
      configure: (services) => {
        services.bindFactory(SCENE, [], () => new Scene({ name: 'acme' }), {
          dispose: (scene) => scene.dispose(),
        });
      },
    };
    const { engine } = await running([
      own,
      { id: 'acme.game', initialize: ({ get }) => void get(SCENE) },
    ]);
    expect(engine.get(SCENE).name).toBe('acme');
    expect(engine.services.has(COMMANDS)).toBe(false);
    await engine.shutdown();
  });
});

describe('hot replacement of systems', () => {
  test('a system is replaced by name between frames; the scene and the system’s state stay', async () => {
    const withState = (by: number): System =>
      defineSystem({
        name: 'test.counting',
        queries: { counters: query(write(Counter)) },
        state: () => ({ ticks: 0 }),
        update({ counters }, { state }) {
          state.ticks++;
          counters.each((row, counter) => {
            counter.value[row] = (counter.value[row] ?? 0) + by * state.ticks;
          });
        },
      });
    const { engine, frame } = await running([
      ecs(),
      scheduler(),
      plugin('test', ({ get }) => void get(WORLD_TICK).registerSystem(withState(1))),
    ]);
    const scene = engine.get(SCENE);
    const entity = scene.createEntity(Counter);
    const value = () => scene.getComponent(entity, Counter)?.value;
    await frame();
    expect(value()).toBe(1);
    const reloader = engine.get(SYSTEM_RELOADER);
    const done = reloader.replace([withState(100)]);
    expect(value()).toBe(1);
    await frame();
    await done;
    expect(value()).toBe(201);
    const fresh = reloader.replace([withState(100)], { keepState: false });
    await frame();
    await fresh;
    expect(value()).toBe(301);
    await engine.shutdown();
  });

  test('a new system is added; one that doesn’t fit is refused, and everything runs as before', async () => {
    const { engine, frame } = await running([
      ecs(),
      scheduler(),
      plugin('test', ({ get }) => void get(WORLD_TICK).registerSystem(counting(1))),
    ]);
    const scene = engine.get(SCENE);
    const entity = scene.createEntity(Counter);
    const reloader = engine.get(SYSTEM_RELOADER);
    const bad = failureOf(() => reloader.replace([counting(50, { name: 'test.clash' })]));
    const worse = failureOf(() => reloader.replace([counting(50, { phase: 'nowhere' })]));
    const good = reloader.replace([counting(10, { name: 'test.more', after: ['test.counting'] })]);
    await frame();
    expect(await bad).toMatchObject({ code: 'scheduler/unordered-conflict' });
    expect(await worse).toMatchObject({ code: 'scheduler/unknown-phase' });
    await good;
    expect(scene.getComponent(entity, Counter)?.value).toBe(11);
    await engine.shutdown();
  });
});
