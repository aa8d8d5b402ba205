import { EclipticError } from '@ecliptic/core';
import type { CommittedSchedule } from './committed-schedule.js';

/** What a schedule may do now: it is open or committed, runs a tick or not, is disposed or not. */
export class ScheduleState {
  /** The committed schedule; `undefined` while it is open. */
  schedule: CommittedSchedule | undefined = undefined;
  #ticking = false;
  /** The tick that is waited for. */
  #pending: Promise<void> | undefined = undefined;
  #disposing: Promise<void> | undefined = undefined;

  /** Begins a tick. @throws EclipticError `scheduler/tick-in-progress`, `scheduler/not-committed`, `scheduler/disposed` */
  beginTick(): CommittedSchedule {
    const schedule = this.requireSchedule();
    if (this.#ticking || this.#pending !== undefined) this.requireIdle('tick');
    this.#ticking = true;
    return schedule;
  }

  /** The tick has returned; it goes on where there is a promise. */
  endTick(pending: Promise<void> | undefined): void | Promise<void> {
    this.#ticking = false;
    this.#pending = pending;
    return pending?.finally(() => {
      this.#pending = undefined;
    });
  }

  /** Runs `end` once, after the tick that is waited for; forbids all else from now on. */
  dispose(end: (tick: Promise<unknown> | undefined) => Promise<void>): Promise<void> {
    this.#disposing ??= end(this.#pending?.catch(() => undefined));
    return this.#disposing;
  }

  /** @throws EclipticError `scheduler/already-committed`, and as {@link requireIdle} */
  requireOpen(action: string): void {
    this.requireIdle(action);
    if (this.schedule === undefined) return;
    throw new EclipticError('scheduler/already-committed', `Can't ${action} after commit`, {
      fix: 'Do it before commit(), or call reopen() first and commit() afterwards.',
    });
  }

  /** @throws EclipticError `scheduler/not-committed`, and as {@link requireIdle} */
  requireSchedule(): CommittedSchedule {
    if (this.schedule !== undefined && this.#disposing === undefined) return this.schedule;
    this.requireIdle('tick');
    throw new EclipticError('scheduler/not-committed', 'The schedule is not committed', {
      fix: 'Call commit() once all systems are registered.',
    });
  }

  /** @throws EclipticError `scheduler/disposed`, `scheduler/tick-in-progress` */
  requireIdle(action: string): void {
    if (this.#disposing !== undefined) throw disposedError(action);
    if (!this.#ticking && this.#pending === undefined) return;
    throw new EclipticError('scheduler/tick-in-progress', `Can't ${action} during a tick`, {
      fix: 'Wait until the promise of tick() has settled; never tick from inside a system.',
    });
  }
}

/** Error of using a schedule after its end. */
export function disposedError(action: string): EclipticError {
  return new EclipticError('scheduler/disposed', `Can't ${action}: the schedule is disposed`, {
    fix: 'Make a new WorldTick.',
  });
}
