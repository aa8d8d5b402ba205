import { EclipticError } from '@ecliptic/core';

const MAX_SCALE = 1_000;

/**
 * Real time made to stand still, run slower or run faster, in whole nanoseconds: what a scale leaves
 * over as a fraction is carried to the next frame, so that nothing is lost in the long run.
 *
 * @example
 * ```ts
 * const time = new VirtualTime();
 * time.scale = 0.5;
 * time.advance(3); // 1
 * time.advance(3); // 2
 * ```
 */
export class VirtualTime {
  /** Whether time stands still. */
  paused = false;
  #scale = 1;
  #remainder = 0;

  /** Virtual nanoseconds for each real one: 0 to 1,000. */
  get scale(): number {
    return this.#scale;
  }

  /** @throws EclipticError `scheduler/invalid-time-scale` for NaN, negatives and what is above 1,000 */
  set scale(scale: number) {
    if (!(scale >= 0 && scale <= MAX_SCALE)) {
      throw new EclipticError('scheduler/invalid-time-scale', `Time can't be scaled by ${scale}`, {
        subjects: { scale },
        fix: `Use a number from 0 to ${MAX_SCALE}.`,
      });
    }
    this.#scale = scale;
  }

  /**
   * @param delta - real nanoseconds, a whole number; what is below 0 counts as 0
   * @returns whole virtual nanoseconds
   * @throws EclipticError `scheduler/invalid-delta` for NaN, fractions and infinities
   */
  advance(delta: number): number {
    if (!Number.isSafeInteger(delta)) {
      throw new EclipticError('scheduler/invalid-delta', `A frame can't last ${delta} ns`, {
        subjects: { delta },
        fix: 'Pass whole nanoseconds, as FrameTimer gives them.',
      });
    }
    if (this.paused || delta <= 0) return 0;
    const exact = delta * this.#scale + this.#remainder;
    const whole = Math.floor(exact);
    this.#remainder = exact - whole;
    return whole;
  }
}
