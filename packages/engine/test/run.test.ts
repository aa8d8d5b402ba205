import { ManualClock } from '@ecliptic/core';
import { describe, expect, test } from 'vitest';
import { EngineFrameError, EngineShutdownError, headlessPlatform } from '../src/index.js';
import { failureOf, plugin, recordingPlugin, settle, testEngine } from './support/recorder.js';

const SECOND = 1_000_000_000;
/** At most one frame of the default cap of 300 Hz fits in. */
const FRAME = 3_333_333;

/** Lets time pass until the loop has had its chance to run a frame, `frames` times. */
async function pass(clock: ManualClock, frames: number): Promise<void> {
  for (let i = 0; i < frames; i++) {
    await settle(5);
    clock.advance(FRAME);
  }
  await settle(5);
}

describe('run()', () => {
  test('runs frames at the pace of the cap until it is told to close, and leaves everything live', async () => {
    let frames = 0;
    const calls: string[] = [];
    const { engine, clock } = testEngine({
      plugins: [
        recordingPlugin('a', calls),
        plugin('count', ({ frame }) => void frame.on('update', 'count', () => void frames++)),
      ],
    });
    await engine.initialize();
    const running = engine.run();
    expect(engine.state).toBe('running');
    await pass(clock, 10);
    expect(frames).toBe(11);
    await settle();
    expect(frames).toBe(11);
    engine.requestClose();
    await running;
    expect(engine.state).toBe('ready');
    expect(calls).not.toContain('a stop requested');
    await engine.shutdown();
    expect(calls).toContain('a stop requested');
    expect(clock.pending).toBe(0);
  });

  test('minimised, the cap still waits (48)', async () => {
    let polls = 0;
    const platform = headlessPlatform();
    const { engine, clock } = testEngine({
      platform,
      plugins: [plugin('count', ({ frame }) => void frame.on('poll', 'count', () => void polls++))],
    });
    platform.push({ type: 'visibility', visible: false });
    await engine.initialize();
    const running = engine.run();
    await settle();
    expect(polls).toBe(1);
    await pass(clock, 5);
    expect(polls).toBe(6);
    expect(engine.time.stepCount).toBe(0);
    engine.requestClose();
    await running;
    await engine.shutdown();
  });

  test('a failed frame waits for the cap too, where the configuration says to go on', async () => {
    let frames = 0;
    const { engine, clock } = testEngine({
      config: { loop: { onFrameError: 'continue' } },
      plugins: [
        plugin('faulty', ({ frame }) => {
          frame.on('update', 'boom', () => {
            frames++;
            throw new Error('boom');
          });
        }),
      ],
    });
    await engine.initialize();
    const running = engine.run();
    await settle();
    expect(frames).toBe(1);
    await pass(clock, 3);
    expect(frames).toBe(4);
    engine.requestClose();
    await running;
    await engine.shutdown();
  });

  test('a failed frame ends run() with its error; plugins are told why they stop', async () => {
    const calls: string[] = [];
    const { engine } = testEngine({
      plugins: [
        recordingPlugin('a', calls),
        plugin('faulty', ({ frame }) => {
          frame.on('systems', 'never', () => {});
          frame.on('update', 'boom', () => Promise.reject(new Error('boom')));
        }),
      ],
    });
    await engine.initialize();
    const error = await failureOf(() => engine.run());
    expect(error).toBeInstanceOf(EngineFrameError);
    expect(error).toMatchObject({ plugin: 'faulty', step: 'update/boom' });
    await engine.shutdown();
    expect(calls.slice(-2)).toEqual(['a stop failed', 'a dispose']);
  });

  test.each([
    ['poll', 'poll/broken platform'],
    ['nextFrame', 'pace/broken platform'],
  ])('a platform whose %s fails is named', async (method, step) => {
    const calls: string[] = [];
    const platform = {
      name: 'broken',
      [method]: () => {
        throw new Error('boom');
      },
    };
    const { engine, clock } = testEngine({ platform, plugins: [recordingPlugin('a', calls)] });
    await engine.initialize();
    const running = failureOf(() => engine.run());
    await pass(clock, 1);
    expect(await running).toBeInstanceOf(EngineFrameError);
    expect(await running).toMatchObject({ plugin: 'engine', step });
    await engine.shutdown();
    expect(calls).toContain('a stop failed');
  });

  test('an AbortSignal ends it, also during the wait; one that is aborted already lets no frame run', async () => {
    const controller = new AbortController();
    const calls: string[] = [];
    const { engine, clock } = testEngine({ plugins: [recordingPlugin('a', calls)] });
    await engine.initialize();
    const running = engine.run({ signal: controller.signal });
    await pass(clock, 1);
    controller.abort();
    await running;
    await engine.shutdown();
    expect(calls).toContain('a stop aborted');

    const other = testEngine().engine;
    await other.initialize();
    await other.run({ signal: AbortSignal.abort() });
    expect(other.frameState.frame).toBe(0);
    await other.shutdown();
  });

  test('the close event of the platform ends it', async () => {
    const platform = headlessPlatform();
    const { engine } = testEngine({ platform });
    await engine.initialize();
    platform.push({ type: 'close' });
    await engine.run();
    expect(engine.frameState.frame).toBe(1);
    await engine.shutdown();
  });

  test('shutdown from inside a tick: the frame ends, run() returns, then everything is undone', async () => {
    const calls: string[] = [];
    let down: Promise<void> | undefined;
    const { engine } = testEngine({
      plugins: [
        recordingPlugin('a', calls),
        plugin('quitter', ({ frame }) => {
          frame.on('update', 'quit', () => {
            down = engine.shutdown();
          });
          frame.on('publish', 'last', () => void calls.push('published'));
        }),
      ],
    });
    await engine.initialize();
    await engine.run();
    await down;
    expect(calls.slice(-3)).toEqual(['published', 'a stop shutdown', 'a dispose']);
    expect(engine.state).toBe('shut-down');
  });

  test('a hook that waits for the shutdown it called is given up after 5 s, and everything is undone', async () => {
    const calls: string[] = [];
    const { engine, clock } = testEngine({
      plugins: [
        recordingPlugin('a', calls),
        plugin('quitter', ({ frame }) => {
          frame.on('update', 'quit', () => engine.shutdown().catch(() => {}));
          frame.on('publish', 'too late', () => void calls.push('published'));
        }),
      ],
    });
    await engine.initialize();
    const running = engine.run();
    await settle();
    clock.advance(5 * SECOND);
    const error = await failureOf(() => engine.shutdown());
    expect(error).toBeInstanceOf(EngineShutdownError);
    expect((error as EngineShutdownError).errors[0]).toMatchObject({
      step: 'the current frame',
      cause: { code: 'engine/timeout' },
    });
    expect(calls.slice(-1)).toEqual(['a dispose']);
    await running;
    expect(calls).not.toContain('published');
  });

  test('shutdown of a running engine ends run() and waits for the frame', async () => {
    const calls: string[] = [];
    let finish = (): void => {};
    const { engine } = testEngine({
      plugins: [
        recordingPlugin('a', calls),
        plugin('slow', ({ frame }) => {
          frame.on('update', 'wait', () => new Promise<void>((resolve) => (finish = resolve)));
        }),
      ],
    });
    await engine.initialize();
    const running = engine.run();
    await settle();
    const down = engine.shutdown();
    await settle();
    expect(calls).not.toContain('a stop shutdown');
    finish();
    await Promise.all([running, down]);
    expect(calls.slice(-2)).toEqual(['a stop shutdown', 'a dispose']);
  });
});
