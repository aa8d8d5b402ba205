import type { Clock, EclipticError, EventLog } from '@ecliptic/core';
import type { Commands, Scene } from '@ecliptic/ecs';

import type { TimeStep } from '../time/time-step.js';
import type { SystemFailure } from '../workers/settle-systems.js';
import type { WorkerTeam } from '../workers/worker-team.js';
import { asyncError } from '../system/async-error.js';
import { systemError, tickError } from './system-errors.js';
import type { SystemEntry } from './system-entry.js';
import type { TraceRecorder } from './trace.js';

/** Systems of each wave, in canonical order. */
export type EntryWaves = readonly (readonly SystemEntry[])[];

/** Runs waves, merges the commands that their systems staged, and deals with failures. */
export class WaveExecutor {
  readonly #scene: Scene;
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #onDisable: (entry: SystemEntry) => void;
  readonly #failures: { entry: SystemEntry; error: EclipticError }[] = [];
  #rejected = false;
  #stopped: Error | undefined = undefined;
  #trace: TraceRecorder | undefined = undefined;
  #team: WorkerTeam | undefined = undefined;

  constructor(scene: Scene, clock: Clock, log: EventLog, onDisable: (entry: SystemEntry) => void) {
    this.#scene = scene;
    this.#clock = clock;
    this.#log = log;
    this.#onDisable = onDisable;
  }

  /** Where to record what ran when. */
  get trace(): TraceRecorder | undefined {
    return this.#trace;
  }

  set trace(trace: TraceRecorder | undefined) {
    this.#trace = trace;
    if (this.#team !== undefined) this.#team.trace = trace;
  }

  /** Workers that take part, of this schedule. */
  set team(team: WorkerTeam | undefined) {
    this.#team = team;
    if (team !== undefined) team.trace = this.#trace;
  }

  /**
   * Runs all waves, one after the other; those from the first on that has to be waited for, later.
   *
   * @param registered - all systems in order of registration, in which their commands are merged
   * @throws what the failures of systems come to, or the promise rejects with it
   */
  run(
    waves: EntryWaves,
    registered: readonly SystemEntry[],
    time: TimeStep,
    commands: Commands,
    from = 0,
  ): Promise<void> | undefined {
    try {
      if (from === 0) {
        this.#scene.lockStructure('a tick runs');
        this.#team?.wake(waves);
      }
      for (let i = from; i < waves.length && !this.#rejected; i++) {
        if (this.#stopped !== undefined) this.#drop(registered, this.#stopped);
        const pending = this.#runWave(waves[i] ?? [], time);
        if (pending === undefined) continue;
        return pending.then(
          () => this.run(waves, registered, time, commands, i + 1),
          (error: unknown) => {
            this.#scene.unlockStructure();
            throw error;
          },
        );
      }
      this.#finish(registered, commands);
    } catch (error) {
      this.#scene.unlockStructure();
      throw error;
    }
    return undefined;
  }

  /** Lets no further wave start: a tick that has waves left fails with `reason`. */
  stop(reason: Error): void {
    this.#stopped = reason;
  }

  /**
   * Shares out what workers take part in, starts the other systems of the wave in order, then helps. The wave
   * ends when all is done and all promises have settled.
   */
  #runWave(wave: readonly SystemEntry[], time: TimeStep): Promise<unknown> | undefined {
    let pending: Promise<void>[] | undefined;
    const team = this.#team?.start(wave, time) ? this.#team : undefined;
    let start = 0;
    for (const entry of wave) {
      if (!entry.active || entry.link?.shared) continue;
      if (start === 0) start = this.#clock.now();
      const promise = this.#start(entry, time);
      const end = this.#clock.now();
      if (promise === undefined) this.#measure(entry, start, end);
      else (pending ??= []).push(this.#settle(entry, promise, start));
      start = end;
    }
    const joined = team?.join(start);
    if (joined instanceof Promise) {
      (pending ??= []).push(joined.then((failures) => this.#failAll(failures)));
    } else if (joined !== undefined) {
      this.#failAll(joined);
    }
    return pending && Promise.all(pending);
  }

  /** Starts one system; returns its promise if it is an asynchronous one that did not fail at once. */
  #start(entry: SystemEntry, time: TimeStep): Promise<void> | undefined {
    try {
      this.#scene.lockStructure(entry.lockedBy);
      const result = entry.run(time);
      if (result === undefined) {
        entry.failing = false;
        return undefined;
      }
      if (entry.system.async) return result;
      // Nobody will wait for it: what it rejects with is part of the same failure.
      Promise.resolve(result).catch(() => undefined);
      this.#fail(entry, asyncError(entry.name));
    } catch (error) {
      this.#fail(entry, error);
    }
    return undefined;
  }

  async #settle(entry: SystemEntry, result: Promise<void>, start: number): Promise<void> {
    try {
      await result;
      entry.failing = false;
    } catch (error) {
      this.#fail(entry, error);
    }
    this.#measure(entry, start, this.#clock.now());
  }

  #measure(entry: SystemEntry, start: number, end: number): void {
    entry.durations.record(end - start);
    entry.workerShare = 0;
    if (entry.link !== undefined) this.#team?.ranInline(entry.link, end - start);
    this.#trace?.record(entry.index, 0, start, end - start);
  }

  #failAll(failures: readonly SystemFailure[]): void {
    for (const { entry, error } of failures) this.#fail(entry, error);
  }

  #fail(entry: SystemEntry, cause: unknown): void {
    const error = systemError(entry, cause);
    entry.failures++;
    entry.context.commands.clear();
    if (entry.system.onFailure === 'reject') {
      this.#failures.push({ entry, error });
      this.#rejected = true;
      return;
    }
    if (!entry.failing) this.#log.error('system_failed', { system: entry.name, error });
    entry.failing = true;
    if (entry.system.onFailure === 'disable') this.#onDisable(entry);
  }

  #finish(registered: readonly SystemEntry[], commands: Commands): void {
    this.#scene.unlockStructure();
    if (this.#rejected) {
      const failures = this.#failures.splice(0).toSorted((a, b) => a.entry.index - b.entry.index);
      this.#drop(registered, tickError(failures.map(({ error }) => error)));
    }
    for (const entry of registered) {
      const staged = entry.context.commands;
      if (!staged.isEmpty()) commands.merge(staged);
    }
  }

  /** Ends a tick without any of its commands. */
  #drop(registered: readonly SystemEntry[], error: Error): never {
    this.#rejected = false;
    for (const entry of registered) entry.context.commands.clear();
    throw error;
  }
}
