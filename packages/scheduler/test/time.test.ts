import { EventLog, ManualClock } from '@ecliptic/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FixedTimestepAccumulator, FrameTimer, VirtualTime } from '../src/index.js';

const SECOND = 1_000_000_000;
const RATES = [1, 24, 50, 60, 90, 100, 120, 144, 240, 1_000];

class RecordingLog extends EventLog {
  readonly warnings: string[] = [];
  override warn(event: string): void {
    this.warnings.push(event);
  }
}

/** Runs all steps that are due; returns how many. */
function run(accumulator: FixedTimestepAccumulator): number {
  let steps = 0;
  for (; accumulator.stepsDue > 0; steps++) accumulator.consumeStep();
  return steps;
}

describe('Integer nanoseconds (42)', () => {
  it('the first frame runs 0 steps', () => {
    const clock = new ManualClock(987_654_321_012);
    const accumulator = new FixedTimestepAccumulator();
    accumulator.accumulate(new FrameTimer(clock).tick());
    expect(run(accumulator)).toBe(0);
    expect(accumulator.alpha).toBe(0);
  });

  it('10 s of mixed 16,666,666/7 ns frames run exactly 600', () => {
    const clock = new ManualClock();
    const timer = new FrameTimer(clock);
    const accumulator = new FixedTimestepAccumulator({ rate: 60 });
    accumulator.accumulate(timer.tick());
    let steps = 0;
    for (let frame = 0; frame < 600; frame++) {
      clock.advance(frame % 3 === 2 ? 16_666_668 : 16_666_666);
      accumulator.accumulate(timer.tick());
      steps += run(accumulator);
    }
    expect(clock.now()).toBe(10 * SECOND);
    expect(steps).toBe(600);
    expect(accumulator.totalSeconds).toBe(10);
  });

  it('any frames that add up to a time run floor(time · rate) steps', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RATES),
        fc.array(fc.nat({ max: 40_000_000 }), { maxLength: 200 }),
        (rate, frames) => {
          const accumulator = new FixedTimestepAccumulator({ rate, maxSteps: 1_000 });
          let elapsed = 0n;
          let steps = 0;
          for (const frame of frames) {
            accumulator.accumulate(frame);
            elapsed += BigInt(frame);
            steps += run(accumulator);
            expect(steps).toBe(Number((elapsed * BigInt(rate)) / BigInt(SECOND)));
            const rest = Number((elapsed * BigInt(rate)) % BigInt(SECOND)) / SECOND;
            expect(accumulator.alpha).toBeCloseTo(rest, 6);
          }
        },
      ),
    );
  });

  it('stays exact over years', () => {
    const accumulator = new FixedTimestepAccumulator({ rate: 144 });
    for (let day = 0; day < 3_650; day++) {
      accumulator.accumulate(86_400 * SECOND);
      run(accumulator);
    }
    expect(accumulator.stepCount + accumulator.dropped).toBe(3_650 * 86_400 * 144);
  });

  it('a step that throws is not counted and stays due (48)', () => {
    const accumulator = new FixedTimestepAccumulator({ rate: 100 });
    accumulator.accumulate(10_000_000);
    const step = (): void => {
      throw new Error('boom');
    };
    expect(() => {
      step();
      accumulator.consumeStep();
    }).toThrow('boom');
    expect(accumulator.stepCount).toBe(0);
    expect(accumulator.stepsDue).toBe(1);
  });
});

describe('At most N catch-up steps (43)', () => {
  it.each(RATES)('at %i Hz exactly 5 run, the rest are dropped and counted', (rate) => {
    const accumulator = new FixedTimestepAccumulator({ rate });
    accumulator.accumulate(20 * SECOND);
    expect(run(accumulator)).toBe(5);
    expect(accumulator.dropped).toBe(20 * rate - 5);
    accumulator.accumulate(0);
    expect(run(accumulator)).toBe(0);
  });

  it('warns once an episode', () => {
    const log = new RecordingLog('scheduler');
    const accumulator = new FixedTimestepAccumulator({ rate: 60, log });
    const frame = (nanoseconds: number): void => {
      accumulator.accumulate(nanoseconds);
      run(accumulator);
    };
    for (let i = 0; i < 10; i++) frame(SECOND);
    expect(log.warnings).toEqual(['fixed_steps_dropped']);
    frame(16_666_667);
    frame(SECOND);
    expect(log.warnings).toEqual(['fixed_steps_dropped', 'fixed_steps_dropped']);
  });

  it('never runs more than N in a frame, and never counts a step twice', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...RATES),
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.nat({ max: 400_000_000 })),
        (rate, maxSteps, frames) => {
          const accumulator = new FixedTimestepAccumulator({ rate, maxSteps });
          let elapsed = 0n;
          for (const frame of frames) {
            accumulator.accumulate(frame);
            elapsed += BigInt(frame);
            expect(run(accumulator)).toBeLessThanOrEqual(maxSteps);
            expect(BigInt(accumulator.stepCount + accumulator.dropped)).toBe(
              (elapsed * BigInt(rate)) / BigInt(SECOND),
            );
          }
        },
      ),
    );
  });

  it('a backwards clock gives 0', () => {
    const clock = new ManualClock(5 * SECOND);
    const timer = new FrameTimer(clock);
    const accumulator = new FixedTimestepAccumulator();
    timer.tick();
    clock.jump(SECOND);
    expect(accumulator.accumulate(timer.tick())).toBe(0);
    expect(accumulator.accumulate(-SECOND)).toBe(0);
    expect(run(accumulator)).toBe(0);
    clock.advance(16_666_667);
    accumulator.accumulate(timer.tick());
    expect(run(accumulator)).toBe(1);
  });

  it.each([Number.NaN, 0.5, Number.POSITIVE_INFINITY])('rejects a frame of %d ns', (delta) => {
    const accumulator = new FixedTimestepAccumulator();
    expect(() => accumulator.accumulate(delta)).toThrow(
      expect.objectContaining({ code: 'scheduler/invalid-delta' }),
    );
  });

  it('rejects a rate or a step limit that makes no sense, and a step that is not due', () => {
    for (const rate of [0, -60, 59.94, Number.NaN, 10_001]) {
      expect(() => new FixedTimestepAccumulator({ rate })).toThrow(
        expect.objectContaining({ code: 'scheduler/invalid-rate' }),
      );
    }
    for (const maxSteps of [0, 1.5, Number.NaN]) {
      expect(() => new FixedTimestepAccumulator({ maxSteps })).toThrow(
        expect.objectContaining({ code: 'scheduler/invalid-max-steps' }),
      );
    }
    expect(() => new FixedTimestepAccumulator().consumeStep()).toThrow(
      expect.objectContaining({ code: 'scheduler/no-step-due' }),
    );
  });
});

describe('Pause, time scale and resync (44)', () => {
  it('pause freezes steps and alpha, and resuming gives no burst', () => {
    const accumulator = new FixedTimestepAccumulator({ rate: 100 });
    accumulator.accumulate(13_000_000);
    run(accumulator);
    accumulator.pause();
    for (let i = 0; i < 100; i++) {
      expect(accumulator.accumulate(10_000_000)).toBe(0);
      expect(run(accumulator)).toBe(0);
      expect(accumulator.alpha).toBeCloseTo(0.3);
    }
    accumulator.resume();
    accumulator.accumulate(7_000_000);
    expect(run(accumulator)).toBe(1);
    expect(accumulator.alpha).toBe(0);
    expect(accumulator.dropped).toBe(0);
  });

  it('a step may be added while paused: it is due whatever a frame lasts, and moves neither alpha nor what comes later', () => {
    const plain = new FixedTimestepAccumulator({ rate: 60 });
    const stepped = new FixedTimestepAccumulator({ rate: 60 });
    for (let frame = 0; frame < 300; frame++) {
      stepped.pause();
      stepped.addStep();
      stepped.accumulate(1_000_000_000);
      expect(run(stepped)).toBe(1);
      expect(stepped.alpha).toBe(plain.alpha);
      stepped.resume();
      for (const each of [plain, stepped]) each.accumulate(16_000_000);
      expect(run(stepped)).toBe(run(plain));
    }
    expect(stepped.stepCount).toBe(plain.stepCount + 300);
    expect(stepped.dropped).toBe(0);
  });

  it.each([
    [0, 0],
    [0.5, 300],
    [1, 600],
    [2, 1_200],
  ])('time scale %d runs %i steps in 10 s at 60 Hz', (scale, expected) => {
    const accumulator = new FixedTimestepAccumulator({ rate: 60 });
    accumulator.scale = scale;
    let steps = 0;
    for (let frame = 0; frame < 600; frame++) {
      accumulator.accumulate(frame % 3 === 2 ? 16_666_668 : 16_666_666);
      steps += run(accumulator);
    }
    expect(steps).toBe(expected);
  });

  it('a scale loses no time to rounding', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 64 }),
        fc.array(fc.nat({ max: 50_000_000 })),
        (sixteenths, frames) => {
          const time = new VirtualTime();
          time.scale = sixteenths / 16;
          let virtual = 0;
          let real = 0;
          for (const frame of frames) {
            virtual += time.advance(frame);
            real += frame;
          }
          expect(virtual).toBe(Math.floor((real * sixteenths) / 16));
        },
      ),
    );
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, 1_001])('rejects a scale of %d', (scale) => {
    const accumulator = new FixedTimestepAccumulator();
    expect(() => {
      accumulator.scale = scale;
    }).toThrow(expect.objectContaining({ code: 'scheduler/invalid-time-scale' }));
    expect(accumulator.scale).toBe(1);
  });

  it('resync forgets the time that a scene load took', () => {
    const clock = new ManualClock();
    const timer = new FrameTimer(clock);
    const accumulator = new FixedTimestepAccumulator({ rate: 100 });
    timer.tick();
    clock.advance(45_000_000);
    accumulator.accumulate(timer.tick());
    clock.advance(60 * SECOND);
    timer.resync();
    accumulator.resync();
    accumulator.accumulate(timer.tick());
    expect(run(accumulator)).toBe(0);
    expect(accumulator.alpha).toBeCloseTo(0.5);
    expect(accumulator.dropped).toBe(0);
    clock.advance(10_000_000);
    accumulator.accumulate(timer.tick());
    expect(run(accumulator)).toBe(1);
  });
});

describe('FrameTimer', () => {
  it('clamps delta to 250 ms and leaves the raw one alone', () => {
    const clock = new ManualClock();
    const timer = new FrameTimer(clock);
    timer.tick();
    clock.advance(3 * SECOND);
    expect(timer.tick()).toBe(3 * SECOND);
    expect(timer.rawDelta).toBe(3 * SECOND);
    expect(timer.delta).toBe(250_000_000);
  });

  it('smooths over the last 8 frames, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 400_000_000 }), { minLength: 1 }), (frames) => {
        const clock = new ManualClock();
        const timer = new FrameTimer(clock);
        timer.tick();
        expect(timer.smoothedDelta).toBe(0);
        for (const frame of frames) {
          clock.advance(frame);
          timer.tick();
        }
        const last = frames.slice(-8).map((frame) => Math.min(frame, 250_000_000));
        const mean = last.reduce((sum, frame) => sum + frame, 0) / last.length;
        expect(timer.smoothedDelta).toBeCloseTo(mean, 3);
        expect(timer.frameCount).toBe(frames.length + 1);
      }),
    );
  });

  it('a frame after resync is one of 0 and does not disturb the mean', () => {
    const clock = new ManualClock();
    const timer = new FrameTimer(clock);
    timer.tick();
    clock.advance(10);
    timer.tick();
    clock.advance(SECOND);
    timer.resync();
    expect(timer.tick()).toBe(0);
    expect(timer.smoothedDelta).toBe(10);
  });
});
