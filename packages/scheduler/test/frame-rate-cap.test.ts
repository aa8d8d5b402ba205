import { ManualClock } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FrameRateCap, yieldToEventLoop } from '../src/index.js';

const PERIOD = 3_333_333;

/** A clock whose timers fire `late` after they are due, and a cap on it whose yields take `yieldCost`. */
function setUp(late = 0, yieldCost = 20_000) {
  const clock = new ManualClock();
  const counts = { sleeps: 0, slept: 0, yields: 0 };
  const lateClock = {
    now: () => clock.now(),
    schedule(delay: number, callback: () => void) {
      counts.sleeps++;
      counts.slept += delay;
      queueMicrotask(() => {
        clock.advance(delay + late);
        callback();
      });
      return () => undefined;
    },
  };
  const yieldToLoop = async (): Promise<void> => {
    counts.yields++;
    clock.advance(yieldCost);
  };
  const cap = new FrameRateCap(lateClock, { rate: 300, yieldToEventLoop: yieldToLoop });
  return { clock, cap, counts };
}

describe('The frame cap (49)', () => {
  it('never spins a core at full speed: it sleeps all but the last half millisecond', async () => {
    const { clock, cap, counts } = setUp();
    for (let frame = 0; frame < 300; frame++) await cap.wait();
    expect(clock.now()).toBeGreaterThanOrEqual(300 * PERIOD);
    expect(clock.now()).toBeLessThan(300 * PERIOD + 20_000);
    expect(counts.slept).toBeGreaterThan(0.8 * clock.now());
    expect(counts.yields).toBeLessThanOrEqual(300 * 26);
  });

  it('never sleeps when over budget, yet lets other tasks run', async () => {
    const { clock, cap, counts } = setUp();
    await cap.wait();
    counts.sleeps = counts.yields = 0;
    for (let frame = 0; frame < 50; frame++) {
      clock.advance(PERIOD + frame);
      await cap.wait();
    }
    expect(counts.sleeps).toBe(0);
    expect(counts.yields).toBe(50);
  });

  it('does not make up for a late frame with a burst', async () => {
    const { clock, cap } = setUp();
    await cap.wait();
    clock.advance(100 * PERIOD);
    await cap.wait();
    const start = clock.now();
    await cap.wait();
    expect(clock.now() - start).toBeGreaterThanOrEqual(PERIOD - 20_000);
  });

  it('holds the rate on average although timers are late', async () => {
    const { clock, cap } = setUp(900_000);
    for (let frame = 0; frame < 600; frame++) await cap.wait();
    expect(clock.now() / (600 * PERIOD)).toBeCloseTo(1, 2);
  });

  it('holds whatever the frames take', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 2 * PERIOD })), async (frames) => {
        const { clock, cap } = setUp();
        await cap.wait();
        let last = clock.now();
        for (const work of frames) {
          clock.advance(work);
          const before = clock.now();
          await cap.wait();
          const allowed = before - last >= PERIOD ? 20_000 : PERIOD + 20_000;
          expect(clock.now() - before).toBeLessThanOrEqual(allowed);
          last = clock.now();
        }
        expect(clock.now()).toBeGreaterThanOrEqual(frames.length * PERIOD);
      }),
    );
  });

  it('a clock that goes back, also in the middle of a wait, costs at most a period', async () => {
    const { clock, cap } = setUp();
    clock.jump(1_000 * PERIOD);
    await cap.wait();
    clock.jump(0);
    await cap.wait();
    expect(clock.now()).toBeLessThanOrEqual(PERIOD + 20_000);
  });

  it('no cap still lets other tasks run', async () => {
    const { clock, cap, counts } = setUp();
    cap.rate = Number.POSITIVE_INFINITY;
    await cap.wait();
    await cap.wait();
    expect(counts).toEqual({ sleeps: 0, slept: 0, yields: 2 });
    expect(clock.now()).toBe(40_000);
  });

  it('a wait can be aborted', async () => {
    const clock = new ManualClock();
    const cap = new FrameRateCap(clock, { rate: 10 });
    const controller = new AbortController();
    const wait = cap.wait(controller.signal);
    controller.abort(new Error('stop'));
    await expect(wait).rejects.toThrow('stop');
    await expect(cap.wait(controller.signal)).rejects.toThrow('stop');
  });

  it.each([0, -1, Number.NaN])('rejects a rate of %d', (rate) => {
    expect(() => new FrameRateCap(new ManualClock(), { rate })).toThrow(
      expect.objectContaining({ code: 'scheduler/invalid-frame-rate' }),
    );
  });

  it('yielding lets timers and messages through', async () => {
    let ran = false;
    setImmediate(() => (ran = true));
    await yieldToEventLoop();
    await yieldToEventLoop();
    expect(ran).toBe(true);
  });
});
