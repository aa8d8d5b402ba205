import type { Clock, EventLog } from '@ecliptic/core';
import type { Scene } from '@ecliptic/ecs';
import { WorkerTeam } from '../workers/worker-team.js';
import type { SystemEntry } from './system-entry.js';
import type { WorldTickOptions } from './world-tick-options.js';

/** The workers of a schedule, which change whenever its systems do. */
export class ScheduleWorkers {
  readonly #scene: Scene;
  readonly #options: WorldTickOptions;
  readonly #clock: Clock;
  readonly #log: EventLog;
  #team: WorkerTeam | undefined = undefined;

  constructor(scene: Scene, options: WorldTickOptions, clock: Clock, log: EventLog) {
    this.#scene = scene;
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
  }

  /** Settles when all take part. */
  get ready(): Promise<void> | undefined {
    return this.#team?.ready;
  }

  /**
   * Sends the workers home whose systems have changed, and starts others.
   *
   * @returns those that take part from now on
   * @throws EclipticError `scheduler/invalid-worker-count`, `scheduler/invalid-worker-options`;
   *   `scheduler/worker-memory`, and then there are none
   */
  replace(entries: readonly SystemEntry[]): WorkerTeam | undefined {
    const { workers, development = true } = this.#options;
    const options = typeof workers === 'function' ? { create: workers } : workers;
    const wanted = options !== undefined && entries.some(({ system }) => system.worker);
    const count = wanted ? WorkerTeam.count(options, this.#scene, this.#log) : 0;
    const retired = this.#team?.dispose();
    retired?.catch((error: unknown) => this.#log.error('worker_stop_failed', { error }));
    this.#team = undefined;
    for (const entry of entries) entry.link = undefined;
    if (!wanted || count === 0) return undefined;
    try {
      this.#team = new WorkerTeam(
        this.#scene,
        entries,
        options,
        count,
        development,
        this.#clock,
        this.#log,
      );
    } catch (error) {
      for (const entry of entries) entry.link = undefined;
      throw error;
    }
    return this.#team;
  }

  /** Sends the workers home; settles when they have stopped. */
  async dispose(): Promise<void> {
    await this.#team?.dispose();
  }
}
