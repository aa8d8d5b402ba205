import type { FixedTimestepAccumulator, FrameTimer } from '@ecliptic/scheduler';

/** Simulated time: to pause it, to scale it, to skip over time that should not count. */
export class GameTime {
  readonly #accumulator: FixedTimestepAccumulator;
  readonly #timer: FrameTimer;
  #resync = false;
  /** Single steps for the next frame. */
  #steps = 0;

  constructor(accumulator: FixedTimestepAccumulator, timer: FrameTimer) {
    this.#accumulator = accumulator;
    this.#timer = timer;
  }

  /** Seconds of one fixed step. */
  get fixedDelta(): number {
    return this.#accumulator.fixedDelta;
  }

  /** Fixed steps that ran. */
  get stepCount(): number {
    return this.#accumulator.stepCount;
  }

  /** Seconds that were simulated. */
  get totalSeconds(): number {
    return this.#accumulator.totalSeconds;
  }

  /** Fixed steps that were dropped because more were due in a frame than it may run. */
  get dropped(): number {
    return this.#accumulator.dropped;
  }

  get paused(): boolean {
    return this.#accumulator.paused;
  }

  /** Factor of simulated to real time, 0 to 1,000. Counts from the next frame. */
  get scale(): number {
    return this.#accumulator.scale;
  }

  /** @throws EclipticError `scheduler/invalid-time-scale` for NaN and what is out of range */
  set scale(scale: number) {
    this.#accumulator.scale = scale;
  }

  /** Freezes the fixed steps and alpha from the next frame on. */
  pause(): void {
    this.#accumulator.pause();
  }

  /** Goes on where `pause` left off, without a burst of steps. */
  resume(): void {
    this.#accumulator.resume();
  }

  /** While time stands still: lets exactly one fixed step run in the next frame, however long that takes. Else nothing happens. */
  step(): void {
    if (this.paused) this.#steps++;
  }

  /**
   * Makes the single steps due: after the time of the frame, which may drop what is due, and a resync, which forgets it.
   *
   * @internal
   */
  applySteps(): void {
    for (; this.#steps > 0; this.#steps--) this.#accumulator.addStep();
  }

  /**
   * Forgets the time since the last frame, after something that took long and should not be simulated: a scene load. Counts
   * from the next frame. Coming back from a hidden tab or a minimised window does it by itself.
   */
  resync(): void {
    this.#resync = true;
  }

  /** Whether {@link GameTime.resync} waits for the next frame. @internal */
  get resyncRequested(): boolean {
    return this.#resync;
  }

  /** @internal */
  applyResync(): void {
    if (!this.#resync) return;
    this.#resync = false;
    this.#timer.resync();
    this.#accumulator.resync();
  }
}
