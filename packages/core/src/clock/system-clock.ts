import { checkDelay, type Clock } from './clock.js';
import { NANOSECONDS_PER_MILLISECOND } from './nanoseconds.js';

/** What one platform timer can wait; longer delays are waited in turns. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * The machine's monotonic clock, in integer nanoseconds since this clock was made. Its resolution
 * is the platform's: about 1 µs in Node and in isolated pages, 100 µs in other pages. Calls are
 * never early, and late by a millisecond or more; a pending call keeps a Node process alive.
 */
export function systemClock(): Clock {
  const origin = performance.now();
  return {
    now: () => Math.round((performance.now() - origin) * NANOSECONDS_PER_MILLISECOND),
    schedule(delay, callback) {
      checkDelay(delay);
      if (delay === Infinity) return () => {};
      const due = performance.now() + delay / NANOSECONDS_PER_MILLISECOND;
      let timer: ReturnType<typeof setTimeout>;
      // Node's timers count whole milliseconds of the event loop: one can come up to 1 ms early.
      const wake = (): void => (performance.now() < due ? wait() : callback());
      const wait = (): void => {
        const remaining = Math.max(0, Math.ceil(due - performance.now()));
        timer = setTimeout(wake, Math.min(remaining, LONGEST_TIMER));
      };
      wait();
      return () => clearTimeout(timer);
    },
  };
}
