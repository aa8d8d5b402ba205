import type { Component } from '@ecliptic/ecs';
import { MutableTimeStep } from '../time/time-step.js';
import type { FrameBlock } from './frame-block.js';
import type { Job } from './job-board.js';
import type { PartLayout, SharedColumn } from './part-layout.js';
import { Part, SliceQuery, type ColumnsObject } from './slice-query.js';

/** One query of a worker system: what columns it has, in the order of the layout, entities first. */
export interface QueryShape {
  readonly name: string;
  readonly components: readonly Component[];
  /** Which of them a table may lack. */
  readonly optional: readonly boolean[];
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
}

interface BoundSystem {
  readonly system: RunnableSystem;
  readonly queries: readonly SliceQuery[];
  readonly byName: Readonly<Record<string, SliceQuery>>;
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
  readonly #context = new JobContext();

  constructor(
    layout: PartLayout,
    frame: FrameBlock,
    buffer: SharedArrayBuffer,
    systems: ReadonlyMap<number, RunnableSystem>,
  ) {
    this.#layout = layout;
    this.#frame = frame;
    this.#buffer = buffer;
    let copy = 0;
    for (const [index, system] of systems) {
      const queries = system.shapes.map(() => new SliceQuery(copy++));
      const byName = Object.fromEntries(
        system.shapes.flatMap(({ name }, i) => {
          const query = queries[i];
          return query === undefined ? [] : [[name, query]];
        }),
      );
      this.#systems.set(index, { system, queries, byName });
    }
  }

  /**
   * Runs a system over the rows of a job; its first query shows these, the others all rows.
   *
   * @throws whatever the system throws; an `Error` if it returns something
   */
  run(job: Job): void {
    const bound = this.#systems.get(job.system);
    if (bound === undefined) throw new Error(`Job of system ${job.system}, which is not here`);
    const { system, queries, byName } = bound;
    for (const [i, query] of queries.entries()) {
      const number = system.firstQuery + i;
      query.unbind();
      if (i === 0) query.bind(this.#part(number, job.part, query, system), job.start, job.end);
      else this.#bindAll(number, query, system);
    }
    this.#frame.readTime(this.#context.time);
    this.#context.dt = this.#context.time.delta;
    const result = system.update(byName, this.#context);
    if (result !== undefined) throw new ReturnedValueError(system.name);
  }

  #bindAll(number: number, query: SliceQuery, system: RunnableSystem): void {
    for (let part = 0; part < this.#layout.partsOf(number); part++) {
      const rows = this.#layout.rowsOf(number, part);
      if (rows > 0) query.bind(this.#part(number, part, query, system), 0, rows);
    }
  }

  #part(number: number, index: number, query: SliceQuery, system: RunnableSystem): Part {
    const parts = (this.#parts[number] ??= []);
    const known = parts[index];
    const version = this.#layout.versionOf(number, index);
    if (known?.version === version) return known.part;
    if (known !== undefined) query.forget(known.part);
    const columns = this.#layout.columnsOf(number, index, this.#buffer);
    const { components } = system.shapes[number - system.firstQuery] ?? { components: [] };
    const part = makePart(index, columns, components);
    parts[index] = { version, part };
    return part;
  }
}

/** A worker system returned something, most likely a promise. */
export class ReturnedValueError extends Error {
  constructor(system: string) {
    super(`System "${system}" returned a value; a worker system is synchronous and returns none`);
    this.name = 'ReturnedValueError';
  }
}

/** Splits the columns of a part, entities first, among its components. */
function makePart(
  index: number,
  columns: readonly (SharedColumn | undefined)[],
  components: readonly Component[],
): Part {
  let next = 1;
  const objects = components.map((component): ColumnsObject | undefined => {
    const own: Record<string, SharedColumn> = {};
    let present = true;
    for (const { name } of component.fields) {
      const column = columns[next++];
      if (column === undefined) present = false;
      else own[name] = column;
    }
    return present ? own : undefined;
  });
  return new Part(index, columns[0] as Int32Array, components, objects);
}
