import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ManualClock, sleep, systemClock } from '../src/index.js';
import { codeOf } from './error-of.js';

const MILLISECOND = 1_000_000;

describe('a manual clock', () => {
  test('fires in order of time, then of scheduling, each at its own time', () => {
    const clock = new ManualClock(100);
    const seen: string[] = [];
    for (const [name, delay] of [
      ['c', 30],
      ['a', 10],
      ['b', 10],
      ['late', 41],
    ] as const) {
      clock.schedule(delay, () => seen.push(`${name}@${clock.now()}`));
    }
    clock.advance(40);
    expect(seen).toEqual(['a@110', 'b@110', 'c@130']);
    expect(clock.now()).toBe(140);
    expect(clock.pending).toBe(1);
  });

  test('agrees with a stable sort, whatever is scheduled and cancelled', () => {
    const timer = fc.record({ delay: fc.integer({ min: -5, max: 50 }), cancelled: fc.boolean() });
    fc.assert(
      fc.property(fc.array(timer), fc.array(fc.integer({ min: 0, max: 20 })), (timers, steps) => {
        const clock = new ManualClock();
        const seen: number[] = [];
        const cancels = timers.map(({ delay }, index) =>
          clock.schedule(delay, () => seen.push(index)),
        );
        cancels.forEach((cancel, index) => timers[index]?.cancelled && cancel());
        for (const step of steps) clock.advance(step);
        const expected = timers
          .map(({ delay, cancelled }, index) => ({ due: Math.max(0, delay), cancelled, index }))
          .filter(({ due, cancelled }) => !cancelled && due <= clock.now())
          .sort((a, b) => a.due - b.due)
          .map(({ index }) => index);
        // Nothing fires without an advance, not even what is due at once.
        expect(seen).toEqual(steps.length === 0 ? [] : expected);
      }),
    );
  });

  test('fires what callbacks schedule within the span, and not what they cancel', () => {
    const clock = new ManualClock();
    const seen: number[] = [];
    const cancel = clock.schedule(20, () => seen.push(-1));
    clock.schedule(10, () => {
      cancel();
      clock.schedule(5, () => seen.push(clock.now()));
      clock.schedule(50, () => seen.push(clock.now()));
    });
    clock.advance(30);
    expect(seen).toEqual([15]);
    clock.advance(30);
    expect(seen).toEqual([15, 60]);
  });

  test('keeps the other timers when a callback throws', () => {
    const clock = new ManualClock();
    const seen: number[] = [];
    clock.schedule(10, () => {
      throw new Error('broken');
    });
    clock.schedule(20, () => seen.push(clock.now()));
    expect(() => clock.advance(100)).toThrow('broken');
    expect(clock.now()).toBe(10);
    clock.advance(10);
    expect(seen).toEqual([20]);
  });

  test('refuses fractions, negatives and NaN, and to be advanced by its own callback', () => {
    const clock = new ManualClock();
    for (const span of [-1, 0.5, Number.NaN, Infinity]) {
      expect(codeOf(() => clock.advance(span))).toBe('core/clock-advance');
    }
    expect(codeOf(() => clock.jump(0.5))).toBe('core/clock-advance');
    expect(codeOf(() => clock.schedule(Number.NaN, () => {}))).toBe('core/clock-delay');
    clock.schedule(1, () => clock.advance(1));
    expect(codeOf(() => clock.advance(1))).toBe('core/clock-advance');
  });

  test('jumps without firing; timers keep their due times', () => {
    const clock = new ManualClock(100);
    const seen: number[] = [];
    clock.schedule(50, () => seen.push(clock.now()));
    clock.jump(0);
    clock.advance(149);
    expect(seen).toEqual([]);
    clock.advance(1);
    expect(seen).toEqual([150]);
  });
});

describe('the system clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('counts integer nanoseconds from where it was made', () => {
    const clock = systemClock();
    expect(clock.now()).toBe(0);
    vi.advanceTimersByTime(1_500);
    expect(clock.now()).toBe(1_500 * MILLISECOND);
  });

  test('calls once, never synchronously, never early, unless cancelled', () => {
    const clock = systemClock();
    const seen: string[] = [];
    clock.schedule(-5, () => seen.push('at once'));
    clock.schedule(1.2 * MILLISECOND, () => seen.push('later'));
    clock.schedule(MILLISECOND, () => seen.push('cancelled'))();
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['at once']);
    vi.advanceTimersByTime(1_000);
    expect(seen).toEqual(['at once', 'later']);
  });

  test('waits again when the platform wakes it early', () => {
    const clock = systemClock();
    const seen: string[] = [];
    const now = vi.spyOn(performance, 'now').mockReturnValue(100.9);
    clock.schedule(5 * MILLISECOND, () => seen.push('called'));
    now.mockReturnValue(105.3); // 4.4 ms later, for a timer that counts from 100 to 105
    vi.advanceTimersByTime(5);
    expect(seen).toEqual([]);
    now.mockReturnValue(106.1);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['called']);
    now.mockRestore();
  });

  test('waits longer than one platform timer can, and for ever', () => {
    const clock = systemClock();
    const seen: string[] = [];
    const days = 24 * 3_600 * 1_000;
    clock.schedule(60 * days * MILLISECOND, () => seen.push('60 days'));
    clock.schedule(60 * days * MILLISECOND, () => seen.push('cancelled on the way'));
    const cancel = clock.schedule(30 * days * MILLISECOND, () => seen.push('cancelled late'));
    clock.schedule(Infinity, () => seen.push('never'));
    vi.advanceTimersByTime(28 * days);
    cancel();
    vi.advanceTimersByTime(31 * days);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(2 * days);
    expect(seen).toEqual(['60 days', 'cancelled on the way']);
    expect(codeOf(() => clock.schedule(Number.NaN, () => {}))).toBe('core/clock-delay');
  });
});

describe('sleep', () => {
  test('ends when its time has come', async () => {
    const clock = new ManualClock();
    let awake = false;
    const sleeping = sleep(clock, 10).then(() => (awake = true));
    clock.advance(9);
    await Promise.resolve();
    expect(awake).toBe(false);
    clock.advance(1);
    await sleeping;
    expect(awake).toBe(true);
  });

  test('rejects with the reason of the signal, and leaves no timer behind', async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const reason = new Error('engine stopped');
    const sleeping = sleep(clock, 10, abort.signal);
    abort.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
    await expect(sleep(clock, 10, abort.signal)).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  test('leaves no listener behind', async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, 'removeEventListener');
    const sleeping = sleep(clock, 10, signal);
    clock.advance(10);
    await sleeping;
    expect(remove).toHaveBeenCalledOnce();
  });
});
