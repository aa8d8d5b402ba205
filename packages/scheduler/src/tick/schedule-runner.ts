import { systemClock, type EventLog } from '@ecliptic/core';
import type { Commands, Scene } from '@ecliptic/ecs';
import { seededRandom } from '../schedule/random-order.js';
import type { TimeStep } from '../time/time-step.js';
import type { CommittedSchedule } from './committed-schedule.js';
import { disposedError } from './schedule-state.js';
import { ScheduleWorkers } from './schedule-workers.js';
import { StepAccount } from './step-account.js';
import type { SystemRegistry } from './system-registry.js';
import { TraceRecorder, type ChromeTrace } from './trace.js';
import { WaveExecutor } from './wave-executor.js';
import type { WorldTickOptions } from './world-tick-options.js';

/** Runs a committed schedule: with its workers, its account of time, and a record of what ran when. */
export class ScheduleRunner {
  readonly #registry: SystemRegistry;
  readonly #executor: WaveExecutor;
  readonly #workers: ScheduleWorkers;
  readonly #steps = new StepAccount();
  readonly #random: (() => number) | undefined;

  constructor(scene: Scene, registry: SystemRegistry, options: WorldTickOptions, log: EventLog) {
    const { clock = systemClock(), shuffleSeed } = options;
    this.#registry = registry;
    this.#executor = new WaveExecutor(scene, clock, log, (entry) => {
      entry.enabled = false;
      registry.updateActive();
    });
    this.#workers = new ScheduleWorkers(scene, options, clock, log);
    this.#random = shuffleSeed === undefined ? undefined : seededRandom(shuffleSeed);
  }

  /** Settles when all workers take part. */
  get workersReady(): Promise<void> | undefined {
    return this.#workers.ready;
  }

  /** Gives the systems that are registered now their workers. @throws EclipticError as {@link ScheduleWorkers.replace} */
  replaceWorkers(): void {
    this.#executor.team = undefined;
    this.#executor.team = this.#workers.replace(this.#registry.entries);
  }

  /**
   * Runs the systems of a kind once.
   *
   * @param time - seconds, or all about the step's time
   * @returns a promise if something is to be waited for
   * @throws what the failures of systems come to; `scheduler/invalid-delta`
   */
  run(
    schedule: CommittedSchedule,
    kind: 'tick' | 'frame',
    time: number | TimeStep,
    commands: Commands,
  ): Promise<void> | undefined {
    const step = typeof time === 'number' ? this.#steps.next(kind, time) : time;
    const waves =
      this.#random === undefined ? schedule[kind] : schedule.shuffled(kind, this.#random);
    return this.#executor.run(waves, this.#registry.entries, step, commands);
  }

  /** Records from now on what ran when. */
  startTrace(capacity: number): void {
    this.#executor.trace = new TraceRecorder(capacity);
  }

  /** Ends recording. */
  stopTrace(): ChromeTrace {
    const trace = this.#executor.trace ?? new TraceRecorder(0);
    this.#executor.trace = undefined;
    const { entries } = this.#registry;
    return trace.toChromeTrace(
      entries.map(({ name }) => name),
      entries.map(({ phase }) => phase),
    );
  }

  /**
   * Lets no further wave start, and sends the workers home.
   *
   * @param tick - that is waited for
   */
  async dispose(tick: Promise<unknown> | undefined): Promise<void> {
    this.#executor.stop(disposedError('tick'));
    await tick;
    await this.#workers.dispose();
  }
}
