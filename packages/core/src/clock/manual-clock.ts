import { EclipticError } from '../errors/ecliptic-error.js';
import { checkDelay, type Clock } from './clock.js';

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/**
 * A clock that moves only when told to: for tests and replays.
 *
 * @example
 * ```ts
 * const clock = new ManualClock();
 * clock.schedule(1_000, () => console.log('now'));
 * clock.advance(1_000); // prints
 * ```
 */
export class ManualClock implements Clock {
  #now: number;
  #timers: Timer[] = [];
  #advancing = false;

  /** @param start - integer nanoseconds */
  constructor(start = 0) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  schedule(delay: number, callback: () => void): () => void {
    checkDelay(delay);
    const timer = { due: this.#now + Math.max(0, delay), callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Timers that have not fired yet. */
  get pending(): number {
    return this.#timers.length;
  }

  /**
   * Moves time forward and fires what comes due on the way, in order of time, then of scheduling;
   * `now()` inside a callback is that callback's time. Timers that callbacks schedule within the
   * span fire too. A callback that throws stops it at that callback's time; the other timers stay.
   *
   * @param nanoseconds - integer, at least 0
   * @throws EclipticError `core/clock-advance` for anything else (use {@link ManualClock.jump} to
   *   go back), and inside a callback
   */
  advance(nanoseconds: number): void {
    if (!Number.isSafeInteger(nanoseconds) || nanoseconds < 0) {
      throw new EclipticError('core/clock-advance', `Can't advance a clock by ${nanoseconds} ns`, {
        subjects: { nanoseconds },
        fix: 'Pass a whole number of nanoseconds, or use jump() to move backwards.',
      });
    }
    if (this.#advancing) {
      throw new EclipticError('core/clock-advance', "A clock's callback can't advance that clock", {
        fix: 'Advance it after advance() returned.',
      });
    }
    this.#advancing = true;
    try {
      this.#fireUntil(this.#now + nanoseconds);
    } finally {
      this.#advancing = false;
    }
  }

  /**
   * Sets the time without firing anything: a suspended machine, a debugger stop, a faulty source.
   * Timers keep their due times.
   *
   * @param to - integer nanoseconds
   * @throws EclipticError `core/clock-advance` for what is no integer
   */
  jump(to: number): void {
    if (!Number.isSafeInteger(to)) {
      throw new EclipticError('core/clock-advance', `Can't set a clock to ${to} ns`, {
        subjects: { to },
        fix: 'Pass a whole number of nanoseconds.',
      });
    }
    this.#now = to;
  }

  #fireUntil(end: number): void {
    for (;;) {
      let next: Timer | undefined;
      for (const timer of this.#timers) {
        if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
      }
      if (next === undefined) break;
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
  }
}
