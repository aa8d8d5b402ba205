import type { Clock } from '@ecliptic/core';
import { isPromise, withDeadline } from './deadline.js';
import { CleanupError } from './engine-errors.js';
import { SHUTDOWN_ORDER, type ShutdownPlace } from './places.js';

/** How one completed step is undone. */
export interface Cleanup {
  /** The step that is undone. */
  readonly name: string;
  /** The plugin that it belongs to. */
  readonly plugin: string;
  /** Where in the shutdown it runs. */
  readonly at: ShutdownPlace;
  /** Undoes it. Runs once. */
  readonly cleanup: () => void | Promise<void>;
}

/**
 * What is to be undone: one clean-up is pushed after each step that succeeded. Unwinding runs each of them once, by the order
 * of the shutdown and, within a place, the last pushed first.
 */
export class CleanupStack {
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #cleanups: Cleanup[] = [];

  /** @param timeout - seconds that one clean-up may take */
  constructor(clock: Clock, timeout: number) {
    this.#clock = clock;
    this.#timeout = timeout;
  }

  /** Clean-ups that have not run. */
  get size(): number {
    return this.#cleanups.length;
  }

  push(cleanup: Cleanup): void {
    this.#cleanups.push(cleanup);
  }

  /** Runs and removes every clean-up, also those pushed meanwhile; errors and time-outs stop none of the others. */
  async unwind(): Promise<CleanupError[]> {
    const errors: CleanupError[] = [];
    for (let next = this.#take(); next; next = this.#take()) {
      const error = await this.run(next);
      if (error) errors.push(error);
    }
    return errors;
  }

  /** Runs one clean-up that was never pushed, or was taken. */
  async run({ name, plugin, cleanup }: Cleanup): Promise<CleanupError | undefined> {
    try {
      const work = cleanup();
      if (isPromise(work)) {
        await withDeadline(work, this.#clock, this.#timeout, `The clean-up of ${plugin} "${name}"`);
      }
      return undefined;
    } catch (cause) {
      return new CleanupError(plugin, name, cause);
    }
  }

  /** The earliest place's latest clean-up. */
  #take(): Cleanup | undefined {
    for (const place of SHUTDOWN_ORDER) {
      const index = this.#cleanups.findLastIndex((cleanup) => cleanup.at === place);
      if (index >= 0) return this.#cleanups.splice(index, 1)[0];
    }
    return undefined;
  }
}
