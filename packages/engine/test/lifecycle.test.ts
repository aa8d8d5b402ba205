import { EclipticError } from '@ecliptic/core';
import { describe, expect, test } from 'vitest';
import {
  EngineInitializationError,
  EngineShutdownError,
  INITIALIZATION_ORDER,
  SHUTDOWN_ORDER,
  createToken,
  type EnginePlatform,
  type LifecycleStep,
  type StepCleanup,
  type StepPlace,
  type SubsystemPlugin,
} from '../src/index.js';
import { failureOf, recordingPlugin, settle, testEngine } from './support/recorder.js';

const SECOND = 1_000_000_000;
const STEP_PLACES = INITIALIZATION_ORDER.filter(
  (place): place is StepPlace => place !== 'plugins' && place !== 'start',
);
const CLEANUP_PLACES = SHUTDOWN_ORDER.filter(
  (place): place is StepCleanup['at'] => place !== 'stop' && place !== 'dispose',
);

/** What undoes the step at each place, as the subsystems of this package do it. */
const CLEANUP_OF: Partial<Record<StepPlace, StepCleanup['at'][]>> = {
  window: ['window'],
  device: ['deviceDeinitialize', 'deviceDispose'],
  vfs: ['vfs'],
  assetManager: ['assetManager'],
  scene: ['scene'],
  actorManager: ['actorManager'],
  renderResources: ['renderResources'],
  mainThreadQueue: ['mainThreadQueue'],
  renderPipeline: ['renderPipeline'],
  renderThread: ['renderThread'],
};

/** A subsystem at every place, in a scrambled order, that writes down all it does. */
function everything(calls: string[], failAt?: string): SubsystemPlugin {
  const record = (what: string): void => {
    calls.push(what);
    if (what === failAt) throw new Error(`boom in ${what}`);
  };
  const steps: LifecycleStep[] = STEP_PLACES.map((at) => ({
    name: at,
    at,
    initialize: () => record(`init ${at}`),
    cleanups: (CLEANUP_OF[at] ?? []).map((place) => ({
      at: place,
      cleanup: () => record(`undo ${place}`),
    })),
  }));
  return {
    id: 'everything',
    steps: steps.toReversed(),
    initialize: () => record('init plugins'),
    start: () => record('init start'),
    stop: () => record('undo stop'),
    dispose: () => record('undo dispose'),
  };
}

const ALL_INIT = INITIALIZATION_ORDER.map((place) => `init ${place}`);
/** `terminate` is the engine's own. */
const ALL_UNDO = SHUTDOWN_ORDER.filter((place) => place !== 'terminate').map(
  (place) => `undo ${place}`,
);

describe('the lifecycle', () => {
  test('init order and shutdown order are the documented ones, seen by a recorder (51)', async () => {
    const calls: string[] = [];
    const { engine } = testEngine({ plugins: [everything(calls)] });
    await engine.initialize();
    expect(calls).toEqual(ALL_INIT);
    calls.length = 0;
    await engine.shutdown();
    expect(calls).toEqual(ALL_UNDO);
    expect([...INITIALIZATION_ORDER]).toEqual([
      'window',
      'device',
      'vfs',
      'assetManager',
      'scene',
      'actorManager',
      'worldCommands',
      'worldTick',
      'importCoordinator',
      'importers',
      'renderResources',
      'fallbackTexture',
      'fileWatcher',
      'mainThreadQueue',
      'plugins',
      'commit',
      'renderPipeline',
      'renderThread',
      'start',
    ]);
    expect([...SHUTDOWN_ORDER]).toEqual([
      'stop',
      'terminate',
      'renderThread',
      'mainThreadQueue',
      'actorManager',
      'scene',
      'renderResources',
      'assetManager',
      'renderPipeline',
      'vfs',
      'deviceDeinitialize',
      'window',
      'deviceDispose',
      'dispose',
    ]);
  });

  test('plugins start in order; stop and dispose run in reverse', async () => {
    const calls: string[] = [];
    const { engine } = testEngine({ plugins: ['a', 'b'].map((id) => recordingPlugin(id, calls)) });
    await engine.initialize();
    await engine.shutdown();
    expect(calls).toEqual([
      'a configure',
      'b configure',
      'a initialize',
      'b initialize',
      'a start',
      'b start',
      'b stop shutdown',
      'a stop shutdown',
      'b dispose',
      'a dispose',
    ]);
  });

  test('stop and dispose are given the engine, so that a plugin needn’t keep it', async () => {
    const SAVE = createToken<string[]>('test.save');
    const saved: string[] = [];
    const { engine } = testEngine({
      plugins: [
        {
          id: 'test.saver',
          configure: (services) => services.bindValue(SAVE, saved),
          stop: (reason, { plugin, get }) => void get(SAVE).push(`${plugin} ${reason}`),
          dispose: ({ plugin, get }) => void get(SAVE).push(`${plugin} dispose`),
        },
      ],
    });
    await engine.initialize();
    await engine.shutdown();
    expect(saved).toEqual(['test.saver shutdown', 'test.saver dispose']);
  });

  test('what JavaScript passes in place of a platform ends in an initialization error too', async () => {
    const { engine } = testEngine({
      platform: { name: 'odd', open: true } as unknown as EnginePlatform,
    });
    expect(await failureOf(() => engine.initialize())).toMatchObject({
      code: 'engine/initialization-failed',
      plugin: 'engine',
      cause: expect.any(TypeError) as Error,
    });
    expect(engine.state).toBe('failed');
  });

  test('a plugin may leave its steps out', async () => {
    const plugin: { id: string; steps?: undefined } = { id: 'test.bare', steps: undefined };
    const { engine } = testEngine({ plugins: [plugin] });
    await engine.initialize();
    expect(engine.state).toBe('ready');
    await engine.shutdown();
  });

  test.each(ALL_INIT.map((at, k) => ({ at, k })))(
    'a failure at step $at unwinds what had completed, once each, and nothing later starts (53)',
    async ({ at, k }) => {
      const calls: string[] = [];
      const { engine } = testEngine({ plugins: [everything(calls, at)] });
      const error = await failureOf(() => engine.initialize());
      expect(error).toBeInstanceOf(EngineInitializationError);
      const place = INITIALIZATION_ORDER[k] as string;
      const step = { plugins: 'initialize' }[place] ?? place;
      expect(error).toMatchObject({ plugin: 'everything', step, cleanupErrors: [] });
      expect((error.cause as Error).message).toBe(`boom in ${at}`);
      const completed = INITIALIZATION_ORDER.slice(0, k);
      const undone = completed.flatMap((done) => {
        if (done === 'plugins') return ['undo dispose'];
        return done === 'start' ? ['undo stop'] : (CLEANUP_OF[done] ?? []).map((p) => `undo ${p}`);
      });
      expect(calls.slice(0, k + 1)).toEqual(ALL_INIT.slice(0, k + 1));
      expect(calls.slice(k + 1)).toEqual(ALL_UNDO.filter((undo) => undone.includes(undo)));
      expect(engine.state).toBe('failed');
      const count = calls.length;
      await engine.shutdown();
      expect(calls.length).toBe(count);
    },
  );

  test.each([...CLEANUP_PLACES.filter((place) => place !== 'terminate'), 'stop', 'dispose'])(
    'a clean-up that throws at %s does not stop the rest, and is named (54)',
    async (place) => {
      const calls: string[] = [];
      const { engine } = testEngine({ plugins: [everything(calls, `undo ${place}`)] });
      await engine.initialize();
      calls.length = 0;
      const error = await failureOf(() => engine.shutdown());
      expect(error).toBeInstanceOf(EngineShutdownError);
      expect((error as EngineShutdownError).errors).toHaveLength(1);
      expect((error as EngineShutdownError).errors[0]).toMatchObject({ plugin: 'everything' });
      expect(error.message).toContain(`boom in undo ${place}`);
      expect(calls).toEqual(ALL_UNDO);
      expect(engine.state).toBe('shut-down');
    },
  );

  test('the first error is kept, and clean-up errors are attached in order (53)', async () => {
    const boom = (what: string) => () => {
      throw new Error(what);
    };
    const { engine } = testEngine({
      plugins: [
        { id: 'a', dispose: boom('a dispose') },
        { id: 'b', dispose: boom('b dispose') },
        { id: 'c', initialize: boom('c initialize') },
      ],
    });
    const error = (await failureOf(() => engine.initialize())) as EngineInitializationError;
    expect((error.cause as Error).message).toBe('c initialize');
    expect(error.cleanupErrors.map(({ plugin, step }) => `${plugin} ${step}`)).toEqual([
      'b dispose',
      'a dispose',
    ]);
  });

  test('shutdown is idempotent, and concurrent calls share one promise (54)', async () => {
    const calls: string[] = [];
    const { engine } = testEngine({ plugins: [recordingPlugin('a', calls)] });
    await engine.initialize();
    const first = engine.shutdown();
    expect(engine.shutdown()).toBe(first);
    await first;
    expect(engine.shutdown()).toBe(first);
    await engine[Symbol.asyncDispose]();
    expect(calls.filter((call) => call.includes('dispose'))).toEqual(['a dispose']);
  });

  test('a clean-up that hangs is timed out after 5 s and named; the rest run (54)', async () => {
    const calls: string[] = [];
    const { engine, clock } = testEngine({
      plugins: [
        recordingPlugin('a', calls),
        recordingPlugin('b.hangs', calls, { dispose: () => new Promise<void>(() => {}) }),
      ],
    });
    await engine.initialize();
    const failure = failureOf(() => engine.shutdown());
    await settle();
    clock.advance(5 * SECOND - 1);
    await settle();
    expect(calls).not.toContain('a dispose');
    clock.advance(1);
    const error = (await failure) as EngineShutdownError;
    expect(error.errors).toHaveLength(1);
    expect(error.errors[0]).toMatchObject({
      plugin: 'b.hangs',
      step: 'dispose',
      cause: { code: 'engine/timeout' },
    });
    expect(calls).toContain('a dispose');
    expect(clock.pending).toBe(0);
  });

  describe.each(['initialize', 'start'] as const)('a plugin in %s', (hook) => {
    test.each(['throws', 'rejects', 'hangs'])(
      'that %s ends the initialization, named',
      async (how) => {
        const calls: string[] = [];
        const bad = {
          throws: () => {
            throw new Error('boom');
          },
          rejects: () => Promise.reject(new Error('boom')),
          hangs: () => new Promise<void>(() => {}),
        }[how] as () => Promise<void>;
        const { engine, clock } = testEngine({
          plugins: [recordingPlugin('a', calls), recordingPlugin('b', calls, { [hook]: bad })],
        });
        const failure = failureOf(() => engine.initialize());
        await settle();
        if (how === 'hangs') clock.advance(30 * SECOND);
        const error = await failure;
        expect(error).toMatchObject({
          plugin: 'b',
          step: hook,
          code: 'engine/initialization-failed',
        });
        expect(error.cause).toMatchObject(
          how === 'hangs' ? { code: 'engine/timeout' } : { message: 'boom' },
        );
        expect(calls.filter((call) => call === 'a dispose')).toHaveLength(1);
      },
    );
  });

  test('a configure that throws or returns a promise ends the initialization before anything ran', async () => {
    for (const configure of [
      () => {
        throw new Error('boom');
      },
      (async () => {}) as unknown as () => void,
    ]) {
      const calls: string[] = [];
      const { engine } = testEngine({
        plugins: [recordingPlugin('a', calls), { id: 'b', configure }],
      });
      const error = await failureOf(() => engine.initialize());
      expect(error).toMatchObject({ plugin: 'b', step: 'configure' });
      expect(calls).toEqual(['a configure']);
    }
  });

  test.each(['rejects', 'hangs'])(
    'a stop that %s does not keep the others from stopping',
    async (how) => {
      const calls: string[] = [];
      const stop = (): Promise<void> =>
        how === 'hangs' ? new Promise(() => {}) : Promise.reject(new Error('boom'));
      const { engine, clock } = testEngine({
        plugins: [recordingPlugin('a', calls), recordingPlugin('b', calls, { stop })],
      });
      await engine.initialize();
      const failure = failureOf(() => engine.shutdown());
      await settle();
      if (how === 'hangs') clock.advance(5 * SECOND);
      expect(((await failure) as EngineShutdownError).errors[0]).toMatchObject({
        plugin: 'b',
        step: 'stop',
      });
      expect(calls).toContain('a stop shutdown');
      expect(calls).toContain('b dispose');
    },
  );

  test('a step that was given up and succeeds later is undone then', async () => {
    const calls: string[] = [];
    let finish = (): void => {};
    const slow: SubsystemPlugin = {
      id: 'slow',
      steps: [
        {
          name: 'device',
          at: 'device',
          initialize: () =>
            new Promise<void>((resolve) => {
              finish = resolve;
            }),
          cleanups: [
            { at: 'deviceDeinitialize', cleanup: () => void calls.push('deinitialize') },
            { at: 'deviceDispose', cleanup: () => void calls.push('dispose') },
          ],
        },
      ],
    };
    const { engine, clock } = testEngine({ plugins: [slow] });
    const failure = failureOf(() => engine.initialize());
    await settle();
    clock.advance(30 * SECOND);
    expect(await failure).toMatchObject({ plugin: 'slow', step: 'device' });
    expect(calls).toEqual([]);
    finish();
    await settle();
    expect(calls).toEqual(['deinitialize', 'dispose']);
  });

  test('shutdown during initialization lets the current step finish, starts no other, and undoes all (53)', async () => {
    const calls: string[] = [];
    let finish = (): void => {};
    const { engine } = testEngine({
      plugins: [
        recordingPlugin('a', calls),
        recordingPlugin('b', calls, {
          initialize: () =>
            new Promise<void>((resolve) => {
              finish = resolve;
            }),
        }),
        recordingPlugin('c', calls),
      ],
    });
    const failure = failureOf(() => engine.initialize());
    await settle();
    const down = engine.shutdown();
    await settle();
    expect(calls).not.toContain('a dispose');
    finish();
    expect(await failure).toMatchObject({
      plugin: 'c',
      step: 'initialize',
      cause: { code: 'engine/closed-during-initialization' },
    });
    await down;
    expect(calls.slice(3)).toEqual(['a initialize', 'b dispose', 'a dispose']);
    expect(engine.state).toBe('failed');
  });

  test('shutdown at once after initialize() starts nothing; before it, nothing can be started', async () => {
    const calls: string[] = [];
    const { engine } = testEngine({ plugins: [recordingPlugin('a', calls)] });
    const failure = failureOf(() => engine.initialize());
    await engine.shutdown();
    expect(await failure).toMatchObject({ cause: { code: 'engine/closed-during-initialization' } });
    expect(calls).toEqual(['a configure']);

    const other = testEngine().engine;
    await other.shutdown();
    expect(await failureOf(() => other.initialize())).toMatchObject({ code: 'engine/wrong-state' });
  });

  test('a step that waits for the signal ends early when the engine is told to close', async () => {
    const { engine } = testEngine({
      plugins: [
        {
          id: 'a',
          initialize: (context) =>
            new Promise<void>((_, reject) => {
              context.signal.addEventListener('abort', () =>
                reject(context.signal.reason as Error),
              );
            }),
        },
      ],
    });
    const failure = failureOf(() => engine.initialize());
    await settle();
    engine.requestClose('changed my mind');
    expect(await failure).toMatchObject({ plugin: 'a', cause: { name: 'AbortError' } });
  });

  test('hard dependencies between places are checked before anything runs (51)', async () => {
    const calls: string[] = [];
    const step = (at: StepPlace, needs: StepPlace[]): LifecycleStep => ({
      name: `the ${at}`,
      at,
      needs,
      initialize: () => void calls.push(at),
    });
    const plugin: SubsystemPlugin = {
      id: 'acme.textures',
      steps: [step('fallbackTexture', ['renderResources']), step('vfs', ['assetManager', 'vfs'])],
    };
    const { engine } = testEngine({ plugins: [plugin] });
    const error = await failureOf(() => engine.initialize());
    const cause = error.cause as EclipticError;
    expect(cause.code).toBe('engine/step-graph');
    expect(cause.subjects['problems']).toEqual([
      '"the fallbackTexture" of acme.textures needs "renderResources", which no plugin fills',
      '"the vfs" of acme.textures needs "assetManager", which comes later than "vfs"',
      '"the vfs" of acme.textures needs "vfs", which comes later than "vfs"',
    ]);
    expect(calls).toEqual([]);
  });

  test('calls in the wrong state are coded errors that say what to do', async () => {
    const { engine } = testEngine();
    expect(await failureOf(() => engine.run())).toMatchObject({ code: 'engine/wrong-state' });
    expect(await failureOf(() => engine.runFrame())).toMatchObject({ code: 'engine/wrong-state' });
    expect(() => engine.get(createToken('test.later'))).toThrow(
      expect.objectContaining({ code: 'engine/wrong-state' }),
    );
    await engine.initialize();
    const again = await failureOf(() => engine.initialize());
    expect(again).toMatchObject({
      code: 'engine/wrong-state',
      subjects: { call: 'initialize', state: 'ready' },
    });
    await engine.shutdown();
    expect((await failureOf(() => engine.runFrame())).message).toContain('createEngine');
  });

  test('two engines in one process share nothing (56)', async () => {
    interface Counter {
      count: number;
    }
    const COUNTER = createToken<Counter>('test.counter');
    const counting = () => ({
      id: 'test.counter',
      configure: (services: import('../src/index.js').ServiceRegistry) =>
        services.bindFactory(COUNTER, [], () => ({ count: 0 })),
      initialize: (context: import('../src/index.js').EngineContext) => {
        context.frame.on('update', 'count', () => void context.get(COUNTER).count++);
      },
    });
    const a = testEngine({ plugins: [counting()] });
    const b = testEngine({ plugins: [counting()] });
    await a.engine.initialize();
    await b.engine.initialize();
    await a.engine.runFrame();
    await a.engine.runFrame();
    a.engine.time.pause();
    a.engine.epochs.advance('scene');
    expect(a.engine.get(COUNTER)).not.toBe(b.engine.get(COUNTER));
    expect([a.engine.get(COUNTER).count, b.engine.get(COUNTER).count]).toEqual([2, 0]);
    expect(b.engine.time.paused).toBe(false);
    expect(b.engine.epochs.count('scene')).toBe(0);
    await a.engine.shutdown();
    await b.engine.runFrame();
    expect(b.engine.get(COUNTER).count).toBe(1);
    await b.engine.shutdown();
  });
});
