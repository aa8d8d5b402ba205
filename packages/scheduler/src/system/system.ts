import { EclipticError } from '@ecliptic/core';
import type {
  ColumnsOf,
  Commands,
  Query,
  QueryDescription,
  QueryTable,
  QueryTerm,
  Scene,
} from '@ecliptic/ecs';
import type { AccessTarget } from '../schedule/access.js';
import type { OrderReference } from '../schedule/order-reference.js';
import type { UpdateKind } from '../schedule/schedule.js';
import type { TimeStep } from '../time/time-step.js';

import type { WorkerCommands } from '../workers/worker-commands.js';
import { requireWorkerSafe } from '../workers/worker-system.js';
import type { SystemScene } from './system-scene.js';

/** Queries of a system by name, as `query(…)` of `@ecliptic/ecs` describes them. */
export type SystemQueries = Readonly<Record<string, QueryDescription>>;

/** The same queries, prepared for the scene. */
export type PreparedQueries<Q extends SystemQueries> = {
  readonly [K in keyof Q]: Q[K] extends QueryDescription<infer Terms> ? Query<Terms> : never;
};

/**
 * What becomes of a tick in which a system fails. `reject`: no further wave starts, the tick throws, all
 * commands of this tick are dropped. `retain`: the failure is logged once, the system's commands are
 * dropped, the rest goes on. `disable`: as `retain`, and the system is disabled.
 */
export type FailurePolicy = 'reject' | 'retain' | 'disable';

/** What a system works with beside its queries. */
export interface SystemContext<State = unknown> {
  /** For components of single entities and resources, as far as declared. */
  readonly scene: SystemScene;
  /** Structural changes, applied in the next flush, in order of system registration. */
  readonly commands: Commands;
  /** Seconds of this step or frame. */
  readonly dt: number;
  readonly time: TimeStep;
  /** What the system keeps from tick to tick: made by its `state`, or set in `init`. */
  state: State;
}

/** What a system has when it is registered and when it goes. */
export interface SystemSetup<State = unknown> {
  /** The whole scene: no system runs now. */
  readonly scene: Scene;
  /** Made by the system's `state`; may be replaced. */
  state: State;
}

/** Hooks of a system; see {@link SystemDefinition}. */
export interface SystemHooks<Q extends SystemQueries, State> {
  /** Makes the system's state, once, before `init`. */
  readonly state?: () => State;
  /** Called once when the system is registered. What it throws leaves the system unregistered. */
  init?(setup: SystemSetup<State>): void;
  /** Called every tick or frame, with the system's queries. */
  update(queries: PreparedQueries<Q>, context: SystemContext<State>): void | Promise<void>;
  /** Called once when the system is unregistered or the schedule is disposed. */
  teardown?(setup: SystemSetup<State>): void;
}

/** When a system runs, and what it touches. */
export interface SystemDeclaration<Q extends SystemQueries> {
  /** Unique in a schedule; by convention `<plugin>.<system>`. */
  readonly name: string;
  /** Default `physics`. */
  readonly phase?: string;
  /** Breaks ties between systems that no order separates: lower first. Never orders a conflict. Default 0. */
  readonly order?: number;
  /** In fixed steps (`tick`, the default), in frames, or in both. */
  readonly updateKind?: UpdateKind;
  readonly before?: readonly OrderReference[];
  readonly after?: readonly OrderReference[];
  /** Sets that are switched together with {@link WorldTick.setGroupEnabled}. */
  readonly groups?: readonly string[];
  /** What it iterates; the components they read and write are declared by that. */
  readonly queries?: Q;
  /** What it reads beside its queries: component types of single entities, resources by name. */
  readonly reads?: readonly AccessTarget[];
  /** What it writes beside its queries. */
  readonly writes?: readonly AccessTarget[];
  /** Default `reject`. */
  readonly onFailure?: FailurePolicy;
}

/** What a system does, when, and what it touches. */
export interface SystemDefinition<Q extends SystemQueries, State>
  extends SystemDeclaration<Q>, SystemHooks<Q, State> {
  /** Whether `update` returns a promise, which the tick then waits for. Default false. */
  readonly async?: boolean;
  readonly worker?: false;
}

/** A query of a worker system: rows of its first query are shared out among threads. */
export interface WorkerQuery<Terms extends readonly QueryTerm[] = readonly QueryTerm[]> {
  /**
   * Calls `fn` with a row and the columns of its table, as `Query.each`. With `added`, `removed` and `changed` once in a call of `update`: here
   * a second time would show nothing, on several threads the same again.
   */
  each(fn: (row: number, ...columns: ColumnsOf<Terms>) => void): void;
  /**
   * Tables, or the piece of one that this call is for, each with rows 0 to `count - 1`.
   *
   * @throws EclipticError `ecs/row-filter` when rows of one table may differ, as `Query.tables`
   */
  tables(): readonly QueryTable[];
}

/** What a worker system works with beside its queries. */
export interface WorkerSystemContext {
  /** Structural changes, applied in the next flush, in order of the rows that asked for them. */
  readonly commands: WorkerCommands;
  /** Seconds of this step or frame. */
  readonly dt: number;
  readonly time: TimeStep;
}

/**
 * A system that may run on workers. `update` is called once for each piece of the rows of the first query,
 * on any thread, at the same time. So what it does for a row must depend on that row, on the other queries,
 * which only read, and on constants of its module alone; it must go over its rows once, and ask for changes of
 * structure row by row.
 */
export interface WorkerSystemDefinition<Q extends SystemQueries> extends SystemDeclaration<Q> {
  readonly worker: true;
  readonly queries: Q;
  /** Called once, on the main thread, when the system is registered. */
  init?(setup: SystemSetup<undefined>): void;
  update(
    queries: {
      readonly [K in keyof Q]: Q[K] extends QueryDescription<infer Terms>
        ? WorkerQuery<Terms>
        : never;
    },
    context: WorkerSystemContext,
  ): void;
  /** Called once, on the main thread, when the system goes. */
  teardown?(setup: SystemSetup<undefined>): void;
}

/** A defined system, with all defaults filled in; made by {@link defineSystem}. */
export interface System {
  readonly name: string;
  readonly phase: string;
  readonly order: number;
  readonly updateKind: UpdateKind;
  readonly before: readonly OrderReference[];
  readonly after: readonly OrderReference[];
  readonly groups: readonly string[];
  readonly queries: SystemQueries;
  readonly reads: readonly AccessTarget[];
  readonly writes: readonly AccessTarget[];
  readonly onFailure: FailurePolicy;
  readonly async: boolean;
  readonly worker: boolean;
  readonly hooks: SystemHooks<SystemQueries, unknown>;
}

/**
 * Defines a system: a function over queries, with what it touches, so that the schedule can order it
 * and run it beside others. A definition holds no state; any number of schedules may register it.
 *
 * @throws EclipticError `scheduler/invalid-system` without a name or an `update`,
 *   `scheduler/not-worker-safe` for a worker system that could not be run in pieces
 *
 * @example
 * ```ts
 * const orbit = defineSystem({
 *   name: 'orrery.orbit',
 *   phase: 'physics',
 *   queries: { bodies: query(write(Transform), read(Orbit)) },
 *   update({ bodies }, { dt }) {
 *     for (const table of bodies.tables()) advance(table, dt);
 *   },
 * });
 * ```
 */
export function defineSystem<const Q extends SystemQueries>(
  definition: WorkerSystemDefinition<Q>,
): System;
export function defineSystem<
  const Q extends SystemQueries = Readonly<Record<never, QueryDescription>>,
  State = undefined,
>(definition: SystemDefinition<Q, State>): System;
export function defineSystem(
  definition: SystemDefinition<SystemQueries, unknown> | WorkerSystemDefinition<SystemQueries>,
): System {
  const { name } = definition;
  if (typeof name !== 'string' || name === '' || typeof definition.update !== 'function') {
    throw new EclipticError(
      'scheduler/invalid-system',
      `A system needs a name and an update function, "${name}" has not both`,
      {
        subjects: { system: name },
        fix: "Write defineSystem({ name: 'acme.wind', update() {} }).",
      },
    );
  }
  const system: System = {
    name,
    phase: definition.phase ?? 'physics',
    order: definition.order ?? 0,
    updateKind: definition.updateKind ?? 'tick',
    before: definition.before ?? [],
    after: definition.after ?? [],
    groups: definition.groups ?? [],
    queries: definition.queries ?? {},
    reads: definition.reads ?? [],
    writes: definition.writes ?? [],
    onFailure: definition.onFailure ?? 'reject',
    async: ('async' in definition && definition.async) || false,
    worker: definition.worker ?? false,
    // The schedule calls hooks with the queries and state of this very definition.
    hooks: definition as unknown as SystemHooks<SystemQueries, unknown>,
  };
  if (system.worker) requireWorkerSafe(system);
  return Object.freeze(system);
}
