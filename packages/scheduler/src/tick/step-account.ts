import { EclipticError } from '@ecliptic/core';
import { MutableTimeStep, type TimeStep } from '../time/time-step.js';

/** A schedule's own account of its steps and frames, for callers that give only seconds. */
export class StepAccount {
  readonly #tick = new MutableTimeStep();
  readonly #frame = new MutableTimeStep();

  constructor() {
    this.#frame.isFixedStep = false;
    this.#tick.frameCount = this.#frame.frameCount = -1;
  }

  /**
   * The next step, or frame; the same object each time.
   *
   * @param delta - seconds
   * @throws EclipticError `scheduler/invalid-delta`
   */
  next(kind: 'tick' | 'frame', delta: number): TimeStep {
    if (!(delta >= 0 && delta < Infinity)) {
      throw new EclipticError('scheduler/invalid-delta', `A step can't last ${delta} s`, {
        subjects: { delta },
        fix: 'Pass seconds, 0 or more.',
      });
    }
    const step = kind === 'tick' ? this.#tick : this.#frame;
    step.totalSeconds += step.delta;
    step.delta = delta;
    if (kind === 'tick') step.fixedDelta = delta;
    step.frameCount++;
    return step;
  }
}
