/** The time of one fixed step or one frame, as systems and drawing code see it. Seconds throughout. */
export interface TimeStep {
  /** Seconds that this step or frame stands for. */
  readonly delta: number;
  /** Seconds of a fixed step. */
  readonly fixedDelta: number;
  /** Between the last fixed step and the next: 0 to 1. Only drawing may use it. */
  readonly alpha: number;
  /** Steps (in a fixed step) or frames that began before this one. */
  readonly frameCount: number;
  /** Seconds of simulated time before this step or frame. */
  readonly totalSeconds: number;
  /** Mean frame time of the last 8 frames, for display. */
  readonly smoothedDelta: number;
  /** Whether this is a fixed step, not a frame. */
  readonly isFixedStep: boolean;
  /** Fixed steps dropped since the start. */
  readonly dropped: number;
}

/**
 * A {@link TimeStep} to fill in and use again each frame, so that the loop allocates nothing.
 *
 * @example
 * ```ts
 * const step = new MutableTimeStep();
 * step.delta = step.fixedDelta = accumulator.fixedDelta;
 * step.frameCount = accumulator.stepCount;
 * worldTick.tick(step, commands);
 * ```
 */
export class MutableTimeStep implements TimeStep {
  delta = 0;
  fixedDelta: number = 1 / 60;
  alpha = 0;
  frameCount = 0;
  totalSeconds = 0;
  smoothedDelta = 0;
  isFixedStep: boolean = true;
  dropped = 0;
}
