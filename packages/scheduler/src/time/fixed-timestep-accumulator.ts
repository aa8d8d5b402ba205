import { EclipticError, type EventLog, NANOSECONDS_PER_SECOND } from '@ecliptic/core';
import { VirtualTime } from './virtual-time.js';

const MAX_RATE = 10_000;

/** Options of a {@link FixedTimestepAccumulator}. */
export interface FixedTimestepOptions {
  /** Steps a second: a whole number, 1 to 10,000. Default 60. */
  readonly rate?: number;
  /** Most steps of one frame; what is due beyond them is dropped. A whole number from 1. Default 5. */
  readonly maxSteps?: number;
  /** Told once an episode that steps are dropped. */
  readonly log?: EventLog;
}

/**
 * Turns frame times into fixed simulation steps: after `t` nanoseconds exactly
 * `floor(t · rate / 1e9)` steps have been due, in integers, whatever the lengths of the frames were.
 *
 * When more than `maxSteps` are due in one frame the excess is dropped and counted, so that a slow
 * machine runs in slow motion instead of falling further behind with each frame. A step is counted
 * only by {@link FixedTimestepAccumulator.consumeStep}, so one that throws stays due.
 *
 * O(1), no allocation.
 *
 * @example
 * ```ts
 * const accumulator = new FixedTimestepAccumulator({ rate: 60 });
 * accumulator.accumulate(timer.tick());
 * while (accumulator.stepsDue > 0) {
 *   simulate(accumulator.fixedDelta);
 *   accumulator.consumeStep();
 * }
 * draw(accumulator.alpha);
 * ```
 */
export class FixedTimestepAccumulator {
  /** Steps a second. */
  readonly rate: number;
  /** Most steps of one frame. */
  readonly maxSteps: number;
  readonly #log: EventLog | undefined;
  readonly #time = new VirtualTime();
  /** Nanoseconds, and the steps of them that have run or were dropped, since a moving whole second. */
  #elapsed = 0;
  #stepsTaken = 0;
  #stepCount = 0;
  #dropped = 0;
  #dropping = false;

  /** @throws EclipticError `scheduler/invalid-rate`, `scheduler/invalid-max-steps` */
  constructor(options: FixedTimestepOptions = {}) {
    const { rate = 60, maxSteps = 5, log } = options;
    if (!Number.isInteger(rate) || rate < 1 || rate > MAX_RATE) {
      throw new EclipticError(
        'scheduler/invalid-rate',
        `A step rate of ${rate} Hz is not possible`,
        {
          subjects: { rate },
          fix: `Use a whole number of steps a second from 1 to ${MAX_RATE}.`,
        },
      );
    }
    if (!Number.isSafeInteger(maxSteps) || maxSteps < 1) {
      throw new EclipticError(
        'scheduler/invalid-max-steps',
        `${maxSteps} steps a frame are not possible`,
        { subjects: { maxSteps }, fix: 'Use a whole number from 1.' },
      );
    }
    this.rate = rate;
    this.maxSteps = maxSteps;
    this.#log = log;
  }

  /** Seconds of one step. */
  get fixedDelta(): number {
    return 1 / this.rate;
  }

  /** Steps that ran since the start. */
  get stepCount(): number {
    return this.#stepCount;
  }

  /** Seconds of simulated time: `stepCount / rate`, without rounding drift. */
  get totalSeconds(): number {
    return this.#stepCount / this.rate;
  }

  /** Steps that were dropped because more than `maxSteps` were due, since the start. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Steps to run now: 0 to `maxSteps`. */
  get stepsDue(): number {
    return Math.floor((this.#elapsed * this.rate) / NANOSECONDS_PER_SECOND) - this.#stepsTaken;
  }

  /**
   * How far real time is between the last step and the next: 0 to 1. For drawing only; a simulation
   * that reads it is not reproducible.
   */
  get alpha(): number {
    const steps = (this.#elapsed * this.rate) / NANOSECONDS_PER_SECOND - this.#stepsTaken;
    return Math.min(1, Math.max(0, steps));
  }

  /** Whether time stands still. */
  get paused(): boolean {
    return this.#time.paused;
  }

  /** Factor of simulated to real time: 0 to 1,000, 1 at first. A change applies from the next frame. */
  get scale(): number {
    return this.#time.scale;
  }

  /** @throws EclipticError `scheduler/invalid-time-scale` */
  set scale(scale: number) {
    this.#time.scale = scale;
  }

  /** Freezes steps and alpha from the next `accumulate` on. Time that passes meanwhile is not made up for. */
  pause(): void {
    this.#time.paused = true;
  }

  /** Lets time pass again, from the next `accumulate` on. */
  resume(): void {
    this.#time.paused = false;
  }

  /** Makes one more step due than the time that passed does, and leaves alpha as it is: to go on by single steps while paused. */
  addStep(): void {
    this.#stepsTaken--;
  }

  /**
   * Adds the time of a frame; call once a frame, also while paused.
   *
   * @param delta - real nanoseconds, a whole number; what is below 0 (a clock that went back) counts as 0
   * @returns the virtual nanoseconds that passed: 0 while paused, else `delta` times the scale
   * @throws EclipticError `scheduler/invalid-delta`
   */
  accumulate(delta: number): number {
    const virtual = this.#time.advance(delta);
    this.#elapsed += virtual;
    const seconds = Math.floor(this.#elapsed / NANOSECONDS_PER_SECOND);
    if (seconds > 0) {
      this.#elapsed -= seconds * NANOSECONDS_PER_SECOND;
      this.#stepsTaken -= seconds * this.rate;
    }
    this.#drop(this.stepsDue - this.maxSteps);
    return virtual;
  }

  /**
   * Counts one step as run.
   *
   * @throws EclipticError `scheduler/no-step-due`
   */
  consumeStep(): void {
    if (this.stepsDue < 1) {
      throw new EclipticError('scheduler/no-step-due', 'A step was consumed that was not due', {
        subjects: { stepCount: this.#stepCount },
        fix: 'Run a step only while stepsDue is above 0.',
      });
    }
    this.#stepsTaken++;
    this.#stepCount++;
  }

  /**
   * Forgets steps that are due but have not run, without counting them as dropped: after a scene
   * load, a hidden tab, a debugger stop. Call it with {@link FrameTimer.resync}. Alpha is kept.
   */
  resync(): void {
    this.#stepsTaken += this.stepsDue;
  }

  #drop(excess: number): void {
    if (excess <= 0) {
      this.#dropping = false;
      return;
    }
    this.#stepsTaken += excess;
    this.#dropped += excess;
    if (this.#dropping) return;
    this.#dropping = true;
    this.#log?.warn('fixed_steps_dropped', { excess, maxSteps: this.maxSteps, rate: this.rate });
  }
}
