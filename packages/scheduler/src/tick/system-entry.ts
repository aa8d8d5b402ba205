import type { Commands, Query, Scene } from '@ecliptic/ecs';
import type { Access } from '../schedule/access.js';
import type { SchedulableSystem, UpdateKind } from '../schedule/schedule.js';
import type { OrderReference } from '../schedule/order-reference.js';

import { GuardedScene } from '../system/guarded-scene.js';
import { QueryGuard } from '../system/query-guard.js';
import { WriteGuard } from '../system/write-guard.js';
import type { System, SystemContext, SystemSetup } from '../system/system.js';
import type { SystemScene } from '../system/system-scene.js';
import { MutableTimeStep, type TimeStep } from '../time/time-step.js';
import type { WorkerLink } from '../workers/worker-link.js';
import { DurationWindow, type SystemMetrics } from './system-metrics.js';

/** What the `update` of one registered system is given. */
class EntryContext implements SystemContext {
  readonly scene: SystemScene;
  readonly commands: Commands;
  dt = 0;
  time: TimeStep = new MutableTimeStep();
  state: unknown = undefined;

  constructor(scene: SystemScene, commands: Commands) {
    this.scene = scene;
    this.commands = commands;
  }
}

/** A system as registered in one schedule: its queries, staged commands, state, switches and metrics. */
export class SystemEntry implements SchedulableSystem {
  readonly system: System;
  readonly name: string;
  readonly phase: string;
  readonly order: number;
  readonly updateKind: UpdateKind;
  readonly before: readonly OrderReference[];
  readonly after: readonly OrderReference[];
  readonly access: Access;
  readonly queries: Readonly<Record<string, Query>>;
  readonly context: EntryContext;
  readonly durations: DurationWindow = new DurationWindow();
  /** Position in order of registration. */
  index = 0;
  enabled = true;
  /** Enabled, and all its groups too. */
  active = true;
  /** It failed in its last run, which was reported. */
  failing = false;
  failures = 0;
  workerShare = 0;
  /** Of a worker system in a schedule that has workers. */
  link: WorkerLink | undefined = undefined;
  /** Why the structure of the scene is locked while it runs. */
  readonly lockedBy: string;
  /** In development builds: catches writes to columns that it only reads. */
  readonly #guard: WriteGuard | undefined;
  readonly #queryGuards: readonly QueryGuard[];
  readonly #scene: Scene;

  /** @param development - refuse undeclared access */
  constructor(system: System, scene: Scene, commands: Commands, development: boolean) {
    this.#scene = scene;
    this.lockedBy = `system "${system.name}" runs`;
    this.system = system;
    this.name = system.name;
    this.phase = system.phase;
    this.order = system.order;
    this.updateKind = system.updateKind;
    this.before = system.before;
    this.after = system.after;
    const descriptions = Object.entries(system.queries);
    this.access = {
      reads: new Set([...system.reads, ...descriptions.flatMap(([, query]) => query.reads)]),
      writes: new Set([...system.writes, ...descriptions.flatMap(([, query]) => query.writes)]),
    };
    this.queries = Object.fromEntries(
      descriptions.map(([name, description]) => [name, scene.query(description)]),
    );
    const seen = development ? new GuardedScene(scene, system.name, this.access) : scene;
    this.context = new EntryContext(seen, commands);
    this.#queryGuards = development
      ? descriptions.flatMap(
          ([, description]) => QueryGuard.for(scene, description, this.access) ?? [],
        )
      : [];
    this.#guard = this.#queryGuards.length > 0 ? new WriteGuard(system.name) : undefined;
  }

  /** Makes the state, or takes it over, and runs `init`. */
  init(stateFrom?: SystemEntry): void {
    const { hooks } = this.system;
    this.context.state = stateFrom === undefined ? hooks.state?.() : stateFrom.context.state;
    this.#withSetup((setup) => hooks.init?.(setup));
  }

  /** Runs `update` on this thread. */
  run(time: TimeStep): void | Promise<void> {
    this.context.dt = time.delta;
    this.context.time = time;
    if (this.#guard?.begin() && !this.system.async) return this.#runGuarded(this.#guard);
    return this.system.hooks.update(this.queries, this.context);
  }

  #runGuarded(guard: WriteGuard): void | Promise<void> {
    for (const each of this.#queryGuards) each.capture(guard);
    try {
      const result = this.system.hooks.update(this.queries, this.context);
      guard.verify();
      return result;
    } finally {
      guard.drop();
    }
  }

  teardown(): void {
    this.context.commands.clear();
    this.#withSetup((setup) => this.system.hooks.teardown?.(setup));
  }

  #withSetup(hook: (setup: SystemSetup) => void): void {
    const setup = { scene: this.#scene, state: this.context.state };
    hook(setup);
    this.context.state = setup.state;
  }

  metrics(): SystemMetrics {
    let rows = 0;
    for (const query of Object.values(this.queries)) rows += query.count();
    return {
      name: this.name,
      phase: this.phase,
      enabled: this.active,
      runs: this.durations.count,
      failures: this.failures,
      last: this.durations.last,
      mean: this.durations.mean,
      p99: this.durations.p99,
      rows,
      workerShare: this.workerShare,
    };
  }
}
