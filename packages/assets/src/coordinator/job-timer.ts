import type { Clock } from '@ecliptic/core';
import type { ImportJob } from './import-job.js';
import { importTimeout } from './import-timeout.js';

/** Gives up imports that take too long. */
export class JobTimer {
  readonly #clock: Clock;
  readonly #timeout: number;

  /** @param timeout - nanoseconds that an import may take */
  constructor(clock: Clock, timeout: number) {
    this.#clock = clock;
    this.#timeout = timeout;
  }

  /** Starts the time that a job may take; afresh, if it runs already. */
  start(job: ImportJob): void {
    this.stop(job);
    const { path, controller } = job;
    job.stopTimer = this.#clock.schedule(this.#timeout, () =>
      controller.abort(importTimeout(path.text, this.#timeout)),
    );
  }

  stop(job: ImportJob): void {
    job.stopTimer?.();
    job.stopTimer = undefined;
  }
}
