import type { EventLog } from '@ecliptic/core';
import type { StopReason } from '../plugin/engine-plugin.js';

/** Whether the engine was told to close, and why; the first reason stays. */
export class Closing {
  readonly #log: EventLog;
  readonly #controller = new AbortController();
  #reason: StopReason = 'shutdown';
  #why: string | undefined;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** Why, in words; `undefined` as long as nobody asked. */
  get why(): string | undefined {
    return this.#why;
  }

  /** What plugins are told. */
  get reason(): StopReason {
    return this.#reason;
  }

  /** Aborted when the engine is told to close. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  request(reason: StopReason, why: string): void {
    if (this.#why !== undefined) return;
    this.#why = why;
    this.#reason = reason;
    this.#log.info('close_requested', { reason, why });
    this.#controller.abort(new DOMException(`The engine closes: ${why}`, 'AbortError'));
  }
}
