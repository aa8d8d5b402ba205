import type { Clock } from './clock.js';

const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/**
 * The machine's monotonic clock, in integer nanoseconds since this clock was made. Its resolution
 * is the platform's: about 1 µs in Node and in isolated pages, 100 µs in other pages.
 */
export function systemClock(): Clock {
  const origin = performance.now();
  return {
    now: () => Math.round((performance.now() - origin) * NANOSECONDS_PER_MILLISECOND),
    schedule(delay, callback) {
      const timer = setTimeout(callback, Math.max(0, delay / NANOSECONDS_PER_MILLISECOND));
      return () => clearTimeout(timer);
    },
  };
}
