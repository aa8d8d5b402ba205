import type { Component } from '@ecliptic/ecs';
import { WriteGuard } from '../system/write-guard.js';
import { asyncError } from '../system/async-error.js';
import { MutableTimeStep } from '../time/time-step.js';
import type { CommandStage } from './command-stage.js';
import type { FrameBlock } from './frame-block.js';
import type { Job } from './job-board.js';
import type { PartLayout, SharedColumn } from './part-layout.js';
import {
  makeColumns,
  Part,
  SliceQuery,
  type ColumnsObject,
  type QueryFilter,
} from './slice-query.js';
import type { QueryUses } from './query-uses.js';
import type { TouchLog } from './touch-log.js';
import type { WorkerCommands } from './worker-commands.js';

/** One query of a worker system: what columns it has, in the order of the layout, entities first. */
export interface QueryShape {
  readonly name: string;
  readonly components: readonly Component[];
  /** Which of them a table may lack. */
  readonly optional: readonly boolean[];
  /** Which of them the query writes. */
  readonly writes: readonly boolean[];
  /** Which rows of its tables it visits. */
  readonly filter: QueryFilter;
}

/** A worker system as a thread runs it. */
export interface RunnableSystem {
  readonly name: string;
  readonly firstQuery: number;
  readonly shapes: readonly QueryShape[];
  readonly update: (queries: Readonly<Record<string, SliceQuery>>, context: JobContext) => unknown;
}

/** What a worker system works with beside its queries. */
export class JobContext {
  /** Seconds of this step or frame. */
  dt = 0;
  readonly time: MutableTimeStep = new MutableTimeStep();
  readonly commands: WorkerCommands;

  constructor(commands: WorkerCommands) {
    this.commands = commands;
  }
}

interface BoundSystem {
  readonly system: RunnableSystem;
  readonly queries: readonly SliceQuery[];
  readonly byName: Readonly<Record<string, SliceQuery>>;
  readonly guard: WriteGuard;
}

interface KnownPart {
  readonly version: number;
  readonly part: Part;
}

/** Runs jobs on one thread, over the columns that the layout describes. */
export class JobRunner {
  readonly #layout: PartLayout;
  readonly #frame: FrameBlock;
  readonly #buffer: SharedArrayBuffer;
  readonly #systems = new Map<number, BoundSystem>();
  readonly #parts: (KnownPart | undefined)[][] = [];
  readonly #stage: CommandStage;
  readonly #context: JobContext;
  readonly #development: boolean;
  readonly #touches: TouchLog;
  readonly #uses: QueryUses;
  /** The system that runs. */
  #running = 0;

  /**
   * @param commands - takes what jobs on this thread ask for
   * @param touches - takes the rows that they report as changed
   * @param uses - takes how they used their queries
   * @param development - catch systems that write what they only read
   */
  constructor(
    layout: PartLayout,
    frame: FrameBlock,
    buffer: SharedArrayBuffer,
    systems: ReadonlyMap<number, RunnableSystem>,
    commands: CommandStage,
    touches: TouchLog,
    uses: QueryUses,
    development: boolean,
  ) {
    this.#touches = touches;
    this.#uses = uses;
    this.#stage = commands;
    this.#context = new JobContext(commands.commands);
    this.#development = development;
    this.#layout = layout;
    this.#frame = frame;
    this.#buffer = buffer;
    let copy = 0;
    for (const [index, system] of systems) {
      const queries = system.shapes.map(({ filter }, i) => {
        return new SliceQuery(copy++, filter, layout.runs[system.firstQuery + i]);
      });
      const byName = Object.fromEntries(
        system.shapes.flatMap(({ name }, i) => {
          const query = queries[i];
          return query === undefined ? [] : [[name, query]];
        }),
      );
      this.#systems.set(index, { system, queries, byName, guard: new WriteGuard(system.name) });
    }
  }

  /**
   * Runs a system over the rows of a job; its first query shows these, the others all rows.
   *
   * @throws whatever the system throws; `scheduler/async-system` if it returns something; in development builds
   *   `scheduler/undeclared-access` if it wrote what it only reads
   */
  run(job: Job): void {
    const bound = this.#systems.get(job.system);
    if (bound === undefined) throw new Error(`Job of system ${job.system}, which is not here`);
    const { system, queries, byName, guard } = bound;
    for (let i = 0; i < queries.length; i++) {
      const query = queries[i];
      if (query === undefined) continue;
      const number = system.firstQuery + i;
      query.unbind();
      query.used = 0;
      if (i === 0) this.#bind(number, job.part, job.start, job.end, query, system);
      else this.#bindAll(number, query, system);
    }
    this.#running = job.system;
    this.#frame.readTime(this.#context.time);
    this.#context.dt = this.#context.time.delta;
    this.#stage.begin();
    const checked = this.#development && guard.begin();
    if (checked) capture(guard, bound);
    try {
      const result = system.update(byName, this.#context);
      if (result !== undefined) throw asyncError(system.name);
      if (checked) guard.verify();
      this.#stage.end(job);
    } finally {
      guard.drop();
      for (let i = 0; i < queries.length; i++) {
        this.#uses.add(system.firstQuery + i, queries[i]?.used ?? 0);
      }
    }
  }

  #bindAll(number: number, query: SliceQuery, system: RunnableSystem): void {
    for (let part = 0; part < this.#layout.partsOf(number); part++) {
      const rows = this.#layout.rowsOf(number, part);
      if (rows > 0) this.#bind(number, part, 0, rows, query, system);
    }
  }

  #bind(
    number: number,
    part: number,
    start: number,
    end: number,
    query: SliceQuery,
    system: RunnableSystem,
  ): void {
    let firstRun = 0;
    let runs: number | undefined = 0;
    if (this.#layout.runs[number] !== undefined) {
      firstRun = this.#layout.firstRunOf(number, part);
      runs = this.#layout.runsOf(number, part);
      if (runs === undefined) return;
    }
    query.bind(this.#part(number, part, query, system), start, end, firstRun, firstRun + runs);
  }

  #part(number: number, index: number, query: SliceQuery, system: RunnableSystem): Part {
    const parts = (this.#parts[number] ??= []);
    const known = parts[index];
    const version = this.#layout.versionOf(number, index);
    if (known?.version === version) return known.part;
    if (known !== undefined) query.forget(known.part);
    const columns = this.#layout.columnsOf(number, index, this.#buffer);
    const components = system.shapes[number - system.firstQuery]?.components ?? [];
    const part = this.#makePart(index, columns, components);
    parts[index] = { version, part };
    return part;
  }

  /** Splits the columns of a part, entities first, among its components. */
  #makePart(
    index: number,
    columns: readonly (SharedColumn | undefined)[],
    components: readonly Component[],
  ): Part {
    let next = 1;
    const objects = components.map((component, k): ColumnsObject | undefined => {
      const own = columns.slice(next, next + component.fields.length);
      next += component.fields.length;
      const present = own.filter((column) => column !== undefined);
      if (present.length < own.length) return undefined;
      // Other components count all visited rows as changed.
      const exact = component.trackChanges === 'rows';
      return makeColumns(component, present, (row) => {
        if (exact) this.#touches.write(this.#running, index, k, row);
      });
    });
    return new Part(index, columns[0] as Int32Array, components, objects);
  }
}

/** Has the guard remember the columns that the bound queries only read. */
function capture(guard: WriteGuard, { system, queries }: BoundSystem): void {
  for (const [i, query] of queries.entries()) {
    const { components = [], writes = [] } = system.shapes[i] ?? {};
    for (const slice of query.slices) {
      for (const [k, component] of components.entries()) {
        if (writes[k] || slice.part.columns[k] === undefined) continue;
        const columns = slice.column(component);
        for (const { name: field } of component.fields) {
          const column = columns[field] as SharedColumn;
          guard.capture({ component: component.name, field, column });
        }
      }
    }
  }
}
