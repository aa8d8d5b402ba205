import { EventLog } from '@ecliptic/core';
import type { Commands, Scene } from '@ecliptic/ecs';
import { checkPair } from '../schedule/collect-order.js';
import type { System } from '../system/system.js';
import type { TimeStep } from '../time/time-step.js';
import { ComponentFinder } from '../workers/component-finder.js';
import { CommittedSchedule, type ScheduledWave } from './committed-schedule.js';
import { ScheduleRunner } from './schedule-runner.js';
import { ScheduleState } from './schedule-state.js';
import { requirePhase, requirePhases, startSystem } from './start-system.js';
import type { SystemEntry } from './system-entry.js';
import type { SystemMetrics } from './system-metrics.js';
import { SystemRegistry, type SystemId, type SystemReference } from './system-registry.js';
import type { ChromeTrace } from './trace.js';
import { DEFAULT_PHASES, type WorldTickOptions } from './world-tick-options.js';

/**
 * Runs systems over a scene: each tick in phases, in a phase in waves of systems that do not touch the
 * same data. Register all systems, {@link WorldTick.commit}, then tick; whatever could go wrong with
 * the order of systems is an error at one of these calls, not a surprise later.
 *
 * Systems do not change the structure of the scene; their `commands` are merged, in order of
 * registration, into those that `tick` is given, which the caller flushes. So a tick gives the same
 * result in any legal order of its systems.
 *
 * A tick of n systems allocates nothing and adds less than a microsecond each.
 *
 * @example
 * ```ts
 * const worldTick = new WorldTick(scene);
 * worldTick.registerSystem(gravity);
 * worldTick.registerSystem(movement);
 * worldTick.orderBefore('game.gravity', 'game.movement');
 * worldTick.commit();
 * worldTick.tick(1 / 60, commands);
 * commands.flush();
 * ```
 */
export class WorldTick {
  readonly phases: readonly string[];
  readonly #scene: Scene;
  readonly #options: WorldTickOptions;
  readonly #log: EventLog;
  readonly #registry: SystemRegistry;
  readonly #finder: ComponentFinder;
  readonly #runner: ScheduleRunner;
  readonly #state = new ScheduleState();

  /** @throws EclipticError `scheduler/invalid-phases` */
  constructor(scene: Scene, options: WorldTickOptions = {}) {
    const phases = options.phases ?? DEFAULT_PHASES;
    requirePhases(phases);
    this.phases = [...phases];
    this.#scene = scene;
    this.#options = options;
    this.#log = options.log ?? new EventLog('scheduler');
    this.#registry = new SystemRegistry(options.maxSystems ?? 64);
    this.#finder = new ComponentFinder(scene, this.#registry);
    this.#runner = new ScheduleRunner(scene, this.#registry, options, this.#log);
  }

  /** Whether the schedule is committed: it can be ticked, and no system can be added. */
  get committed(): boolean {
    return this.#state.schedule !== undefined;
  }

  /**
   * Adds a system and calls its `init`.
   *
   * @returns an id that stays valid while the system is registered; its name or itself will do as well
   * @throws EclipticError `scheduler/already-committed`, `scheduler/duplicate-system`,
   *   `scheduler/unknown-phase`, `scheduler/self-order`, `scheduler/system-budget`;
   *   `scheduler/system-init` when `init` throws: the system is then not registered
   */
  registerSystem(system: System): SystemId {
    this.#state.requireOpen(`register "${system.name}"`);
    requirePhase(system, this.phases);
    this.#registry.requireRoom(system);
    return this.#registry.add(this.#start(system));
  }

  /**
   * Removes a system with the orders that name it, and calls its `teardown`.
   *
   * @throws EclipticError `scheduler/already-committed`, `scheduler/unknown-system`, and what `teardown` throws
   */
  unregisterSystem(reference: SystemReference): void {
    this.#state.requireOpen('unregister a system');
    const entry = this.#registry.find(reference);
    this.#registry.remove(entry);
    entry.teardown();
  }

  /**
   * Puts `system` in the place of the one of the same name, also between ticks of a committed schedule:
   * for reloading code. If the new one fails to start or does not fit the order, the old one stays.
   *
   * @param options - `keepState`: hand the old system's state to the new one, before its `init`
   * @throws EclipticError as {@link WorldTick.registerSystem} and {@link WorldTick.commit};
   *   `scheduler/unknown-system`; `scheduler/tick-in-progress`
   */
  replaceSystem(system: System, options: { readonly keepState?: boolean } = {}): void {
    this.#state.requireIdle('replace a system');
    requirePhase(system, this.phases);
    const old = this.#registry.find(system.name);
    const entry = this.#start(system, options.keepState ? old : undefined);
    this.#registry.swap(old, entry);
    try {
      if (this.committed) this.#build();
    } catch (error) {
      this.#registry.swap(entry, old);
      entry.teardown();
      throw error;
    }
    old.teardown();
  }

  /**
   * Makes one system run before another.
   *
   * @throws EclipticError `scheduler/already-committed`, `scheduler/unknown-system`, `scheduler/self-order`,
   *   `scheduler/order-against-phase`, `scheduler/order-across-kinds`
   */
  orderBefore(before: SystemReference, after: SystemReference): this {
    this.#state.requireOpen('order systems');
    const [first, second] = this.#registry.findPair(before, after);
    checkPair(this.phases, first, second);
    this.#registry.ordered.push([first, second]);
    return this;
  }

  /**
   * Accepts that two systems touch the same data in no particular order. They still never run at once,
   * and always in the same order: by `order`, then by registration.
   *
   * @throws EclipticError `scheduler/already-committed`, `scheduler/unknown-system`, `scheduler/self-order`
   */
  anyOrderWith(a: SystemReference, b: SystemReference): this {
    this.#state.requireOpen('accept a conflict');
    this.#registry.accepted.push(this.#registry.findPair(a, b));
    return this;
  }

  /**
   * Checks and fixes the order of all systems. No systems is a legal schedule. After an error the
   * schedule is still open.
   *
   * @throws EclipticError `scheduler/already-committed`, `scheduler/unknown-system`,
   *   `scheduler/order-against-phase`, `scheduler/order-across-kinds`, `scheduler/order-cycle`,
   *   `scheduler/unordered-conflict`, `scheduler/invalid-worker-count`, `scheduler/invalid-worker-options`,
   *   `scheduler/worker-memory`
   */
  commit(): void {
    this.#state.requireOpen('commit');
    this.#build();
  }

  /**
   * Opens a committed schedule, so that systems can be registered and unregistered; then commit again.
   *
   * @throws EclipticError `scheduler/tick-in-progress`
   */
  reopen(): void {
    this.#state.requireIdle('reopen');
    this.#state.schedule = undefined;
  }

  /**
   * Waits until all workers take part; before, and without workers, everything runs on this thread.
   *
   * @throws EclipticError `scheduler/worker-start` when a worker could not start, with the cause;
   *   `scheduler/worker-system-missing`, `scheduler/worker-system-differs` when it serves other systems than
   *   are registered here. Systems then run on this thread.
   */
  async workersReady(): Promise<void> {
    await this.#runner.workersReady;
  }

  /**
   * Runs the systems of one fixed step, and merges their commands into `commands`, which the caller flushes.
   *
   * @param time - seconds of the step, or all about its time
   * @returns a promise if something is to be waited for: asynchronous systems; workers, on a page or after a long wave
   * @throws EclipticError `scheduler/system-failed`, or {@link SystemsFailedError} if there are several, when
   *   a system with the policy `reject` fails; `scheduler/not-committed`, `scheduler/tick-in-progress`,
   *   `scheduler/invalid-delta`, `scheduler/disposed`
   */
  tick(time: number | TimeStep, commands: Commands): void | Promise<void> {
    return this.#execute('tick', time, commands);
  }

  /** As {@link WorldTick.tick}, for the systems that run in frames. */
  tickFrame(time: number | TimeStep, commands: Commands): void | Promise<void> {
    return this.#execute('frame', time, commands);
  }

  /**
   * Switches a system; it keeps its place in the order.
   *
   * @throws EclipticError `scheduler/unknown-system`
   */
  setEnabled(reference: SystemReference, enabled: boolean): void {
    this.#registry.find(reference).enabled = enabled;
    this.#registry.updateActive();
  }

  /**
   * Switches a group: a system runs if it and all its groups are enabled.
   *
   * @throws EclipticError `scheduler/unknown-group`
   */
  setGroupEnabled(group: string, enabled: boolean): void {
    this.#registry.setGroupEnabled(group, enabled);
  }

  /** What each system costs, in order of registration. */
  metrics(): SystemMetrics[] {
    return this.#registry.entries.map((entry) => entry.metrics());
  }

  /**
   * The order of systems, as waves: those of a tick, then those of a frame. Allocates; it changes only with
   * {@link WorldTick.commit} and {@link WorldTick.replaceSystem}.
   *
   * @throws EclipticError `scheduler/not-committed`
   */
  waves(): ScheduledWave[] {
    return this.#state.requireSchedule().waves();
  }

  /** Records from now on which system ran when, keeping the newest `capacity` spans. */
  startTrace(capacity = 65_536): void {
    this.#runner.startTrace(capacity);
  }

  /** Ends recording; the result, as JSON, opens in Perfetto and `chrome://tracing`. */
  stopTrace(): ChromeTrace {
    return this.#runner.stopTrace();
  }

  /**
   * The order of systems as a Mermaid flow chart.
   *
   * @throws EclipticError `scheduler/not-committed`
   */
  toMermaid(): string {
    return this.#state.requireSchedule().toMermaid();
  }

  /**
   * Calls every system's `teardown`, once, in reverse order of registration. A tick that is waited for
   * finishes its wave and rejects with `scheduler/disposed`. All later calls fail. Idempotent.
   *
   * @returns a promise that rejects with what a teardown threw, after all have been called, as an
   *   `AggregateError` if there are several
   */
  dispose(): Promise<void> {
    return this.#state.dispose((tick) => this.#dispose(tick));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #dispose(tick: Promise<unknown> | undefined): Promise<void> {
    await this.#runner.dispose(tick);
    try {
      this.#registry.tearDown();
    } finally {
      this.#log.flush();
    }
  }

  #execute(
    kind: 'tick' | 'frame',
    time: number | TimeStep,
    commands: Commands,
  ): void | Promise<void> {
    const schedule = this.#state.beginTick();
    let pending: Promise<void> | undefined;
    try {
      pending = this.#runner.run(schedule, kind, time, commands);
    } catch (error) {
      void this.#state.endTick(undefined);
      throw error;
    }
    return this.#state.endTick(pending);
  }

  #build(): void {
    const { conflicts = 'error' } = this.#options;
    const schedule = new CommittedSchedule(this.#registry, this.phases, conflicts, this.#log);
    this.#runner.replaceWorkers();
    this.#state.schedule = schedule;
  }

  #start(system: System, stateFrom?: SystemEntry): SystemEntry {
    const { development = true } = this.#options;
    return startSystem(system, this.#scene, development, this.#finder.require, stateFrom);
  }
}
