import { type Clock, EclipticError, NANOSECONDS_PER_SECOND, sleep } from '@ecliptic/core';
import { yieldToEventLoop } from './yield-to-event-loop.js';

/** Timers are late by up to a millisecond or so: the rest of a frame is spent in short yields. */
const SLEEP_MARGIN = 500_000;

/** Options of a {@link FrameRateCap}. */
export interface FrameRateCapOptions {
  /** Most frames a second, above 0; `Infinity` for no cap. Default 300. */
  readonly rate?: number;
  /** Lets other tasks of this thread run once; a test replaces it. */
  readonly yieldToEventLoop?: () => Promise<void>;
}

/**
 * Holds a loop to a number of frames a second. It sleeps until 0.5 ms before the frame is due and
 * gives way to other tasks for the rest, so it never keeps a core busy; a frame that is over its
 * budget does not sleep at all, but still lets other tasks run once.
 *
 * In a page, `requestAnimationFrame` is the cap; use this where a loop has no display to wait for.
 *
 * @example
 * ```ts
 * const cap = new FrameRateCap(clock, { rate: 300 });
 * while (running) {
 *   frame();
 *   await cap.wait();
 * }
 * ```
 */
export class FrameRateCap {
  readonly #clock: Clock;
  readonly #yield: () => Promise<void>;
  #period = 0;
  #rate = 0;
  #due: number | undefined;

  /** @throws EclipticError `scheduler/invalid-frame-rate` */
  constructor(clock: Clock, options: FrameRateCapOptions = {}) {
    this.#clock = clock;
    this.#yield = options.yieldToEventLoop ?? yieldToEventLoop;
    this.rate = options.rate ?? 300;
  }

  /** Most frames a second. */
  get rate(): number {
    return this.#rate;
  }

  /** @throws EclipticError `scheduler/invalid-frame-rate` */
  set rate(rate: number) {
    if (!(rate > 0)) {
      throw new EclipticError(
        'scheduler/invalid-frame-rate',
        `A cap of ${rate} Hz is not possible`,
        {
          subjects: { rate },
          fix: 'Use a number above 0, or Infinity for no cap.',
        },
      );
    }
    this.#rate = rate;
    this.#period = Math.round(NANOSECONDS_PER_SECOND / rate);
  }

  /**
   * Waits until the next frame is due: one period after the previous one was. A frame that is late
   * moves all later ones, so that nothing is made up for in a burst.
   *
   * @throws the signal's reason when aborted
   */
  async wait(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const start = this.#clock.now();
    let due = (this.#due ?? start) + this.#period;
    if (due <= start) {
      this.#due = start;
      await this.#yield();
      return;
    }
    for (;;) {
      const now = this.#clock.now();
      // The clock went back: the frame is due a period from now at the latest.
      due = Math.min(due, now + this.#period);
      const remaining = due - now;
      if (remaining <= 0) break;
      if (remaining > SLEEP_MARGIN) await sleep(this.#clock, remaining - SLEEP_MARGIN, signal);
      else await this.#yield();
      signal?.throwIfAborted();
    }
    this.#due = due;
  }
}
