import type { Clock } from '@ecliptic/core';

const SAMPLES = 8;

/** Options of a {@link FrameTimer}. */
export interface FrameTimerOptions {
  /** Longest `delta`, nanoseconds. Default 250,000,000 (250 ms). */
  readonly maxDelta?: number;
}

/**
 * Measures frames. A clock that went backwards gives a frame of 0.
 *
 * @example
 * ```ts
 * const timer = new FrameTimer(systemClock());
 * // each frame:
 * accumulator.accumulate(timer.tick());
 * camera.update(timer.delta / 1e9);
 * ```
 */
export class FrameTimer {
  readonly #clock: Clock;
  readonly #maxDelta: number;
  readonly #samples = new Float64Array(SAMPLES);
  #sampleCount = 0;
  #last: number | undefined;
  #rawDelta = 0;
  #frameCount = 0;

  constructor(clock: Clock, options: FrameTimerOptions = {}) {
    this.#clock = clock;
    this.#maxDelta = options.maxDelta ?? 250_000_000;
  }

  /** Whole nanoseconds of the last frame as measured, at least 0: for the fixed steps. */
  get rawDelta(): number {
    return this.#rawDelta;
  }

  /** `rawDelta`, but at most `maxDelta`: for what moves by the frame, as a camera. */
  get delta(): number {
    return Math.min(this.#rawDelta, this.#maxDelta);
  }

  /** Mean `delta` of the last 8 frames, nanoseconds: for display. 0 before the second frame. */
  get smoothedDelta(): number {
    const count = Math.min(this.#sampleCount, SAMPLES);
    if (count === 0) return 0;
    let sum = 0;
    for (let i = 0; i < count; i++) sum += this.#samples[i] ?? 0;
    return sum / count;
  }

  /** Frames begun: calls of `tick`. */
  get frameCount(): number {
    return this.#frameCount;
  }

  /**
   * Ends a frame and begins the next.
   *
   * @returns `rawDelta`; 0 for the first frame and after {@link FrameTimer.resync}
   */
  tick(): number {
    const now = this.#clock.now();
    this.#frameCount++;
    if (this.#last === undefined) {
      this.#rawDelta = 0;
    } else {
      this.#rawDelta = Math.max(0, now - this.#last);
      this.#samples[this.#sampleCount % SAMPLES] = this.delta;
      this.#sampleCount++;
    }
    this.#last = now;
    return this.#rawDelta;
  }

  /** Makes the next frame one of 0: after a scene load, a hidden tab, a debugger stop. */
  resync(): void {
    this.#last = undefined;
  }
}
