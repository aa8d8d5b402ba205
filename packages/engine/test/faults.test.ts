import { ManualClock } from '@ecliptic/core';
import { memoryBackend } from '@ecliptic/vfs';
import { describe, expect, test } from 'vitest';
import {
  EngineFrameError,
  EngineInitializationError,
  EngineShutdownError,
  FRAME_PLACES,
  OrbitController,
  SHUTDOWN_ORDER,
  type Engine,
  type EnginePlugin,
  type LifecycleStep,
  type PluginOption,
  type StepCleanup,
  type SubsystemPlugin,
} from '../src/index.js';
import { actors, assets, cameraControl, ecs, renderSync, scheduler, vfs } from '../src/plugins.js';
import { failureOf, settle, testEngine } from './support/recorder.js';

const SECOND = 1_000_000_000;

/** What happened, and where something goes wrong. */
interface Fault {
  /** Steps and hooks that completed, in order. */
  readonly done: string[];
  /** Clean-ups that ran, in order. */
  readonly undone: string[];
  /** The name of what fails. */
  readonly at?: string | undefined;
  readonly how?: 'throws' | 'rejects' | 'hangs' | undefined;
  /** Whether what hangs has been reached. */
  hanging?: boolean;
  /** Called when a step is done. */
  readonly onDone?: ((name: string) => void) | undefined;
}

const FAILURES = {
  throws: () => {
    throw new Error('boom');
  },
  rejects: () => Promise.reject(new Error('boom')),
  hangs: () => new Promise<void>(() => {}),
};

/** The real plugin, whose steps are written down, and one of which fails before it does anything. */
function faulty(plugin: SubsystemPlugin | EnginePlugin, fault: Fault): SubsystemPlugin {
  const steps = 'steps' in plugin ? plugin.steps : [];
  const fail = (name: string): void | Promise<void> => {
    if (fault.at !== name) return undefined;
    fault.hanging = fault.how === 'hangs';
    return FAILURES[fault.how ?? 'throws']();
  };
  return {
    ...plugin,
    steps: steps.map((step) => faultyStep(plugin.id, step, fault, fail)),
    initialize: async (engine) => {
      await fail(`${plugin.id} initialize`);
      await plugin.initialize?.(engine);
      complete(`${plugin.id} initialize`, fault);
    },
    start: async (engine) => {
      await fail(`${plugin.id} start`);
      await plugin.start?.(engine);
      complete(`${plugin.id} start`, fault);
    },
    stop: async (reason, engine) => {
      fault.undone.push(`${plugin.id} stop`);
      await plugin.stop?.(reason, engine);
      await fail(`${plugin.id} stop`);
    },
    dispose: async (engine) => {
      fault.undone.push(`${plugin.id} dispose`);
      await plugin.dispose?.(engine);
      await fail(`${plugin.id} dispose`);
    },
  };
}

function complete(name: string, { done, onDone }: Fault): void {
  done.push(name);
  onDone?.(name);
}

function faultyStep(
  id: string,
  step: LifecycleStep,
  fault: Fault,
  fail: (name: string) => void | Promise<void>,
): LifecycleStep {
  const name = `${id} ${step.name}`;
  return {
    ...step,
    initialize: async (engine) => {
      await fail(name);
      await step.initialize(engine);
      complete(name, fault);
    },
    cleanups: (step.cleanups ?? []).map((cleanup) => ({
      ...cleanup,
      cleanup: async (engine) => {
        fault.undone.push(`${name} @${cleanup.at}`);
        await cleanup.cleanup(engine);
        await fail(`${name} @${cleanup.at}`);
      },
    })),
  };
}

/** Every subsystem of this package. */
function everything(): (SubsystemPlugin | EnginePlugin)[] {
  return [
    ecs(),
    ...scheduler(),
    actors(),
    vfs(),
    assets(),
    renderSync(),
    cameraControl(new OrbitController()),
    { id: 'acme.game' },
  ];
}

function compose(fault: Fault): { engine: Engine; clock: ManualClock } {
  const plugins: PluginOption[] = everything().map((plugin) => faulty(plugin, fault));
  const mounts = [{ at: '/', backend: memoryBackend() }];
  const memory = { entities: 256, sceneBytes: 2 ** 21, renderInstances: 16, assets: 256 };
  return testEngine({ plugins, mounts, config: { memory } });
}

/** Waits for `work`, and lets time pass once it hangs: earlier, what is only slow would run into its time-out. */
async function patiently<T>(work: Promise<T>, clock: ManualClock, fault: Fault): Promise<T> {
  let over = false;
  void work.then(
    () => (over = true),
    () => (over = true),
  );
  while (!over) {
    await settle(5);
    if (!over && fault.hanging) clock.advance(SECOND);
  }
  return work;
}

/** All steps and hooks of the real plugins, in the order of initialization, learnt from a run without a fault. */
async function learn(): Promise<{ done: string[]; undone: string[] }> {
  const fault: Fault = { done: [], undone: [] };
  const { engine } = compose(fault);
  await engine.initialize();
  await engine.shutdown();
  return fault;
}
const all = await learn();

/** What must be undone, in order, when `done` had completed. */
function expectedUndone(done: readonly string[]): string[] {
  return all.undone.filter((name) => {
    const undoes = name.endsWith(' stop')
      ? name.replace(/ stop$/, ' start')
      : name.endsWith(' dispose')
        ? name.replace(/ dispose$/, ' initialize')
        : name.replace(/ @\w+$/, '');
    return done.includes(undoes);
  });
}

describe('faults in a complete engine', () => {
  test('without a fault each step is done once and undone once, at the places of the documented order', () => {
    expect(new Set(all.done).size).toBe(all.done.length);
    expect(new Set(all.undone).size).toBe(all.undone.length);
    expect(all.undone).toEqual(expectedUndone(all.done));
    const places = all.undone.map((name) => / (?:@(\w+)|(stop|dispose))$/.exec(name));
    const order = places.map((found) =>
      SHUTDOWN_ORDER.indexOf((found?.[1] ?? found?.[2]) as StepCleanup['at']),
    );
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(all.done.length).toBeGreaterThan(25);
  });

  test.each(
    all.done.flatMap((at) =>
      (['throws', 'rejects', 'hangs'] as const).map((how) => [at, how] as const),
    ),
  )(
    'initialization: %s %s, what had completed is undone once, and nothing later starts (53)',
    async (at, how) => {
      const fault: Fault = { done: [], undone: [], at, how };
      const { engine, clock } = compose(fault);
      const error = (await patiently(
        failureOf(() => engine.initialize()),
        clock,
        fault,
      )) as EngineInitializationError;
      expect(error).toBeInstanceOf(EngineInitializationError);
      expect(`${error.plugin} ${error.step}`).toBe(at);
      expect(error.cleanupErrors).toEqual([]);
      const before = all.done.slice(0, all.done.indexOf(at));
      expect(fault.done).toEqual(before);
      expect(fault.undone).toEqual(expectedUndone(before));
      await engine.shutdown();
      expect(fault.undone).toEqual(expectedUndone(before));
    },
  );

  test.each(all.done)(
    'shutdown during initialization: called in %s, nothing later starts, and what had completed is undone once (53)',
    async (at) => {
      let down: Promise<void> | undefined;
      const onDone = (name: string): void => {
        if (name === at) down = engine.shutdown();
      };
      const fault: Fault = { done: [], undone: [], onDone };
      const { engine } = compose(fault);
      const last = at === all.done.at(-1);
      await engine.initialize().then(
        () => expect(last).toBe(true),
        (error: unknown) => {
          expect(error).toMatchObject({ cause: { code: 'engine/closed-during-initialization' } });
        },
      );
      await down;
      const before = all.done.slice(0, all.done.indexOf(at) + 1);
      expect(fault.done).toEqual(before);
      expect(fault.undone).toEqual(expectedUndone(before));
    },
  );

  test.each(
    all.undone.flatMap((at) => (['throws', 'hangs'] as const).map((how) => [at, how] as const)),
  )('shutdown: %s %s, everything else is undone once all the same (54)', async (at, how) => {
    const fault: Fault = { done: [], undone: [], at, how };
    const { engine, clock } = compose(fault);
    await engine.initialize();
    const error = (await patiently(
      failureOf(() => engine.shutdown()),
      clock,
      fault,
    )) as EngineShutdownError;
    expect(error).toBeInstanceOf(EngineShutdownError);
    expect(error.errors.map(({ plugin }) => plugin)).toEqual([at.split(' ')[0]]);
    expect(fault.undone).toEqual(all.undone);
  });

  test.each(FRAME_PLACES)(
    'a frame: a hook at %s throws, the next frame works, everything is undone once',
    async (place) => {
      const fault: Fault = { done: [], undone: [] };
      const { engine, clock } = compose(fault);
      await engine.initialize();
      await engine.runFrame();
      const off = engine.frame.on(place, 'boom', FAILURES.throws);
      clock.advance(SECOND / 50);
      expect(await failureOf(() => engine.runFrame())).toBeInstanceOf(EngineFrameError);
      off();
      await engine.runFrame();
      expect(engine.time.stepCount).toBe(1);
      await engine.shutdown();
      expect(fault.undone).toEqual(all.undone);
    },
  );
});
