import type { EclipticError, EventLog } from '@ecliptic/core';
import type { ActorEntry } from './actor-entry.js';
import { asyncHookFailed, tickFailed } from './actor-errors.js';

/** What becomes of an actor whose `onTick` throws; see {@link ActorManagerOptions.tickErrors}. */
export type TickErrorPolicy = 'retain' | 'disable' | 'reject';

/** Reports what actors' hooks throw, as the policy for ticks says. */
export class HookFailures {
  readonly #policy: TickErrorPolicy;
  readonly #log: EventLog;
  readonly #onError: ((error: EclipticError) => void) | undefined;

  constructor(
    policy: TickErrorPolicy,
    log: EventLog,
    onError: ((error: EclipticError) => void) | undefined,
  ) {
    this.#policy = policy;
    this.#log = log;
    this.#onError = onError;
  }

  /** Reports a failed tick; returns the error if the policy is to throw it. */
  ofTick(entry: ActorEntry, cause: unknown): EclipticError | undefined {
    const error = tickFailed(entry.actor.constructor.name, entry.entity, cause);
    if (this.#policy === 'reject') return error;
    if (this.#policy === 'disable') entry.ticks = false;
    if (entry.failures++ === 0) this.report('tick_failed', error);
    else this.#onError?.(error);
    return undefined;
  }

  /** Hooks are synchronous by contract; an `async` one is reported, and its rejection isn't lost. */
  checkResult(entry: ActorEntry, hook: 'onCreate' | 'onDestroy' | 'onTick', result: unknown): void {
    if (!(result instanceof Promise)) return;
    const actor = entry.actor.constructor.name;
    this.#log.warnOnce('async_hook', `${actor}.${hook}`, { fix: `Make ${hook} synchronous.` });
    result.catch((error: unknown) => {
      if (hook === 'onTick') {
        const failure = this.ofTick(entry, error);
        if (failure) this.report('tick_failed', failure);
      } else {
        this.report('async_hook_failed', asyncHookFailed(actor, hook, entry.entity, error));
      }
    });
  }

  /** Reports how many failed ticks of an actor that ends the log left out. */
  summarize(entry: ActorEntry): void {
    if (entry.failures < 2) return;
    this.#log.warn('tick_failures_suppressed', {
      actor: entry.actor.constructor.name,
      entity: entry.entity,
      count: entry.failures - 1,
    });
  }

  report(event: string, error: EclipticError): void {
    this.#log.error(event, { ...error.subjects, error });
    this.#onError?.(error);
  }

  /** Writes the log's pending summaries. */
  flush(): void {
    this.#log.flush();
  }
}
