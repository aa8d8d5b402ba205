import { ManualClock } from '@ecliptic/core';
import { describe, expect, test } from 'vitest';
import {
  EngineFrameError,
  FRAME_PLACES,
  headlessPlatform,
  type EnginePlugin,
  type FramePlace,
  type FrameState,
} from '../src/index.js';
import { failureOf, plugin, settle, testEngine } from './support/recorder.js';

const SECOND = 1_000_000_000;
const STEP = 16_666_667;
const HALF_STEP = 8_333_333;

/** A plugin with a hook at every place, that writes down each call. */
function allPlaces(
  calls: string[],
  failAt: () => FramePlace | undefined = () => undefined,
): EnginePlugin {
  return plugin('test.places', ({ frame }) => {
    for (const place of FRAME_PLACES.toReversed()) {
      frame.on(place, 'recorder', () => {
        calls.push(place);
        if (failAt() === place) throw new Error(`boom in ${place}`);
      });
    }
  });
}

/** An initialized engine whose frames the test drives. */
async function framed(plugins: readonly EnginePlugin[], config = {}) {
  const clock = new ManualClock();
  const platform = headlessPlatform();
  const { engine } = testEngine({ clock, platform, plugins, config });
  await engine.initialize();
  const frame = (nanoseconds: number): Promise<FrameState> => {
    clock.advance(nanoseconds);
    return engine.runFrame();
  };
  return { engine, clock, platform, frame };
}

const STEP_PLACES = ['systems', 'flush', 'actors', 'snapshot'];
const AFTER_STEPS = ['imports', 'drain', 'update', 'camera', 'overlay', 'sync', 'publish'];

describe('a frame', () => {
  test('runs its places in order; the first has no fixed step, later ones 0, 1 or more (42, 45)', async () => {
    const calls: string[] = [];
    const { engine, frame } = await framed([allPlaces(calls)]);
    const placesOf = async (nanoseconds: number): Promise<string[]> => {
      calls.length = 0;
      await frame(nanoseconds);
      return [...calls];
    };
    expect(await placesOf(SECOND)).toEqual(['poll', 'vfs', ...AFTER_STEPS]);
    expect(await placesOf(HALF_STEP)).toEqual(['poll', 'vfs', ...AFTER_STEPS]);
    expect(await placesOf(STEP)).toEqual(['poll', 'vfs', ...STEP_PLACES, ...AFTER_STEPS]);
    expect(await placesOf(2 * STEP)).toEqual([
      'poll',
      'vfs',
      ...STEP_PLACES,
      ...STEP_PLACES,
      ...AFTER_STEPS,
    ]);
    await engine.shutdown();
  });

  test('10 s of mixed 16,666,666/7 ns frames run exactly 600 steps (42)', async () => {
    let steps = 0;
    const { engine, frame } = await framed([
      plugin('count', (context) => void context.frame.on('systems', 'count', () => void steps++)),
    ]);
    await frame(0);
    for (let i = 0; i < 600; i++) await frame(i % 3 === 0 ? 16_666_666 : 16_666_667);
    expect(steps).toBe(600);
    expect(engine.time.totalSeconds).toBe(10);
    await engine.shutdown();
  });

  test('a long frame runs 5 steps, drops and counts the rest; variable-rate code sees 250 ms (43)', async () => {
    const { engine, frame } = await framed([]);
    await frame(0);
    const state = await frame(SECOND);
    expect(state.steps).toBe(5);
    expect(engine.time.dropped).toBe(55);
    expect(state.rawDelta).toBeCloseTo(0.25, 9);
    await engine.shutdown();
  });

  test('a clock that jumps both ways gives 0 steps backwards and at most 5 forwards (43)', async () => {
    const { engine, clock } = await framed([]);
    await engine.runFrame();
    clock.jump(-3_600 * SECOND);
    expect((await engine.runFrame()).steps).toBe(0);
    clock.jump(3_600 * SECOND);
    expect((await engine.runFrame()).steps).toBe(5);
    expect(engine.time.stepCount).toBe(5);
    clock.advance(STEP);
    expect((await engine.runFrame()).steps).toBe(1);
    await engine.shutdown();
  });

  test('pause freezes steps and alpha, resuming gives no burst; the time scale works; nonsense is rejected (44)', async () => {
    const { engine, frame } = await framed([]);
    await frame(0);
    const { alpha } = await frame(HALF_STEP);
    expect(alpha).toBeCloseTo(0.5, 3);
    engine.time.pause();
    for (let i = 0; i < 10; i++) expect(await frame(STEP)).toMatchObject({ steps: 0, alpha });
    engine.time.resume();
    expect((await frame(STEP)).steps).toBe(1);
    engine.time.scale = 2;
    expect((await frame(STEP)).steps).toBe(2);
    engine.time.scale = 0;
    expect((await frame(10 * STEP)).steps).toBe(0);
    engine.time.scale = 0.5;
    expect((await frame(2 * STEP)).steps).toBe(1);
    for (const scale of [Number.NaN, -1]) {
      expect(() => {
        engine.time.scale = scale;
      }).toThrow(expect.objectContaining({ code: 'scheduler/invalid-time-scale' }));
    }
    await engine.shutdown();
  });

  test('steps one by one while paused, once for each call, whatever the frames last and the scale is', async () => {
    const { engine, frame } = await framed([]);
    await frame(0);
    const { alpha } = await frame(HALF_STEP);
    engine.time.pause();
    engine.time.step();
    expect(await frame(SECOND)).toMatchObject({ steps: 1, alpha });
    expect(await frame(SECOND)).toMatchObject({ steps: 0, alpha });
    engine.time.scale = 0;
    engine.time.step();
    engine.time.step();
    expect(await frame(0)).toMatchObject({ steps: 2, alpha });
    expect(engine.time).toMatchObject({ paused: true, stepCount: 3, dropped: 0 });
    engine.time.scale = 1;
    engine.time.resume();
    engine.time.step();
    expect((await frame(HALF_STEP)).steps).toBe(0);
    expect((await frame(STEP)).steps).toBe(1);
    await engine.shutdown();
  });

  test('a single step is of the next frame: also one that a step asks for, after a resync, and of more than a frame may run', async () => {
    const { engine, frame } = await framed([
      plugin('stepper', ({ frame: hooks, time }) => {
        hooks.on('systems', 'on', () => {
          if (time.stepCount < 2) time.step();
        });
      }),
    ]);
    await frame(0);
    engine.time.pause();
    engine.time.step();
    // As at a scene load, and when the window is shown again.
    engine.time.resync();
    const steps: number[] = [];
    for (let i = 0; i < 4; i++) steps.push((await frame(STEP)).steps);
    expect(steps).toEqual([1, 1, 1, 0]);
    for (let i = 0; i < 12; i++) engine.time.step();
    expect((await frame(STEP)).steps).toBe(12);
    expect(engine.time.dropped).toBe(0);
    await engine.shutdown();
  });

  test('resync after a scene load inside a step ends the steps of that frame and skips its time (44)', async () => {
    const { engine, clock, frame } = await framed([
      plugin('loader', ({ frame: hooks, time }) => {
        hooks.on('systems', 'load', () => {
          if (time.stepCount !== 1) return;
          clock.advance(20 * SECOND);
          time.resync();
        });
      }),
    ]);
    await frame(0);
    await frame(STEP);
    expect((await frame(5 * STEP)).steps).toBe(1);
    expect((await frame(0)).steps).toBe(0);
    expect((await frame(STEP)).steps).toBe(1);
    expect(engine.time.dropped).toBe(0);
    await engine.shutdown();
  });

  test.each(FRAME_PLACES)(
    'a hook that throws at %s ends the frame with its plugin and place; the next frame works',
    async (place) => {
      const calls: string[] = [];
      let failAt: FramePlace | undefined;
      const { engine, frame } = await framed([allPlaces(calls, () => failAt)]);
      await frame(0);
      calls.length = 0;
      failAt = place;
      const error = await failureOf(() => frame(STEP));
      expect(error).toBeInstanceOf(EngineFrameError);
      expect(error).toMatchObject({ plugin: 'test.places', step: `${place}/recorder` });
      expect((error.cause as Error).message).toBe(`boom in ${place}`);
      expect(calls).toEqual(FRAME_PLACES.slice(0, FRAME_PLACES.indexOf(place) + 1));
      calls.length = 0;
      failAt = undefined;
      await frame(0);
      const stepIsDue = FRAME_PLACES.indexOf(place) <= FRAME_PLACES.indexOf('snapshot');
      expect(calls).toEqual(stepIsDue ? [...FRAME_PLACES] : ['poll', 'vfs', ...AFTER_STEPS]);
      await engine.shutdown();
      expect(engine.state).toBe('shut-down');
    },
  );

  test('a step that throws is not counted and not snapshotted (48)', async () => {
    let fail = true;
    const calls: string[] = [];
    const { engine, frame } = await framed([
      plugin('faulty', (context) => {
        context.frame.on('systems', 'boom', () => {
          if (fail) throw new Error('boom');
        });
        context.frame.on('snapshot', 'snapshot', () => void calls.push('snapshot'));
      }),
    ]);
    await frame(0);
    await failureOf(() => frame(STEP));
    expect(engine.time.stepCount).toBe(0);
    expect(calls).toEqual([]);
    fail = false;
    expect((await frame(0)).steps).toBe(1);
    expect(engine.time.stepCount).toBe(1);
    expect(calls).toEqual(['snapshot']);
    await engine.shutdown();
  });

  test('a hook that hangs is timed out and named', async () => {
    const { engine, clock } = await framed([
      plugin('slow', ({ frame }) => void frame.on('update', 'wait', () => new Promise(() => {}))),
    ]);
    const failure = failureOf(() => engine.runFrame());
    await settle();
    clock.advance(30 * SECOND);
    expect(await failure).toMatchObject({
      plugin: 'slow',
      step: 'update/wait',
      cause: { code: 'engine/timeout' },
    });
    await engine.shutdown();
  });

  test('with the policy retain a failing hook is called again, with disable never again; the frame goes on', async () => {
    const calls: string[] = [];
    const { engine, frame } = await framed([
      plugin('faulty', ({ frame: hooks }) => {
        for (const errors of ['retain', 'disable'] as const) {
          hooks.on(
            'update',
            errors,
            () => {
              calls.push(errors);
              throw new Error('boom');
            },
            { errors },
          );
        }
        hooks.on('publish', 'last', () => void calls.push('last'));
      }),
    ]);
    await frame(0);
    await frame(0);
    expect(calls).toEqual(['retain', 'disable', 'last', 'retain', 'last']);
    await engine.shutdown();
  });

  test('hooks may be added and removed at any time, also from inside a hook', async () => {
    const calls: string[] = [];
    const { engine, frame } = await framed([]);
    const off = engine.frame.on('update', 'outer', () => {
      calls.push('outer');
      off();
      engine.frame.on('update', 'inner', () => void calls.push('inner'));
    });
    await frame(0);
    await frame(0);
    expect(calls).toEqual(['outer', 'inner']);
    expect(() => engine.frame.on('nowhere' as FramePlace, 'x', () => {})).toThrow(
      expect.objectContaining({ code: 'engine/unknown-place' }),
    );
    await engine.shutdown();
  });

  test('a frame inside a frame is a coded error', async () => {
    let nested: unknown;
    const { engine, frame } = await framed([]);
    engine.frame.on('update', 'nest', async () => {
      nested = await failureOf(() => engine.runFrame());
    });
    await frame(0);
    expect(nested).toMatchObject({ code: 'engine/nested-frame' });
    await engine.shutdown();
  });

  test('minimised or hidden: no steps, nothing published, files and queues still served, no burst after (44, 48)', async () => {
    const calls: string[] = [];
    const { engine, platform, frame } = await framed([allPlaces(calls)]);
    const minimised = ['poll', 'vfs', 'imports', 'drain'];
    await frame(0);
    for (const [hide, show] of [
      [
        { type: 'visibility', visible: false },
        { type: 'visibility', visible: true },
      ],
      [
        { type: 'resize', width: 0, height: 0, pixelRatio: 1 },
        { type: 'resize', width: 800, height: 600, pixelRatio: 2 },
      ],
    ] as const) {
      platform.push(hide);
      calls.length = 0;
      await frame(STEP);
      expect(calls).toEqual(minimised);
      for (let i = 0; i < 3; i++) await frame(1_200 * SECOND);
      expect(engine.frameState.surface.visible).toBe(false);
      platform.push(show);
      expect((await frame(STEP)).steps).toBe(0);
      expect((await frame(STEP)).steps).toBe(1);
    }
    expect(engine.time.dropped).toBe(0);
    expect(engine.frameState.surface).toEqual({
      width: 800,
      height: 600,
      pixelRatio: 2,
      visible: true,
    });
    await engine.shutdown();
  });

  test('a tab that was frozen for an hour without a single frame goes on without a burst', async () => {
    const { engine, platform, frame } = await framed([]);
    await frame(0);
    platform.push({ type: 'visibility', visible: false });
    platform.push({ type: 'visibility', visible: true });
    expect(await frame(3_600 * SECOND)).toMatchObject({ steps: 0, rawDelta: 0 });
    expect(engine.time.dropped).toBe(0);
    await engine.shutdown();
  });

  test('a resize ends the size epoch', async () => {
    const { engine, platform, frame } = await framed([]);
    const mark = engine.epochs.capture('size');
    platform.push({ type: 'resize', width: 320, height: 200, pixelRatio: 1 });
    await frame(0);
    expect(mark.isCurrent).toBe(false);
    expect(await mark.keep(Promise.resolve('late'))).toBeUndefined();
    await engine.shutdown();
  });

  test('input is latched: a press waits for a step, one step sees it, and each frame sees it once', async () => {
    const seen: string[] = [];
    const { engine, platform, frame } = await framed([
      plugin('player', ({ frame: hooks, input }) => {
        hooks.on('systems', 'jump', () => {
          if (input.step.wasPressed('Space')) seen.push('step');
        });
        hooks.on('update', 'menu', () => {
          if (input.frame.wasPressed('Space')) seen.push('frame');
        });
      }),
    ]);
    await frame(0);
    platform.push({ type: 'button', code: 'Space', down: true });
    platform.push({ type: 'button', code: 'Space', down: false });
    await frame(1);
    await frame(1);
    expect(seen).toEqual(['frame']);
    await frame(3 * STEP);
    expect(seen).toEqual(['frame', 'step']);
    await frame(STEP);
    expect(seen).toHaveLength(2);
    await engine.shutdown();
  });
});
