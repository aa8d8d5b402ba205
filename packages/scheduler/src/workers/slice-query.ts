import { EclipticError } from '@ecliptic/core';
import type { Component } from '@ecliptic/ecs';
import type { SharedColumn } from './part-layout.js';
import type { RowRuns } from './row-runs.js';
import { ROW_LOOPS, type RowCallback, type RowLoop } from './row-loops.js';

/** How a system used a query, as bits. */
export const QueryUse = { each: 1, tables: 2 } as const;

/** Whether a query visits whole tables, whole chunks of 256 rows, or single rows of them. */
export type QueryFilter = 'none' | 'chunks' | 'rows';

/** Cuts of one part that are kept. */
const MAX_SLICES = 64;

/** Columns of one component by field name, and `$touch`, which reports a row as changed. */
export type ColumnsObject = Readonly<Record<string, unknown>> & {
  readonly $touch: (row: number) => void;
};

/**
 * Makes the columns object of a component. All of one component have the same shape.
 *
 * @param touch - hears of rows that are reported as changed
 */
export function makeColumns(
  component: Component,
  columns: readonly SharedColumn[],
  touch: (row: number) => void,
): ColumnsObject {
  const own: Record<string, unknown> & { $touch: (row: number) => void } = { $touch: touch };
  for (const [i, { name }] of component.fields.entries()) own[name] = columns[i];
  return own;
}

/** A table that a query matches, as a thread that runs jobs sees it. */
export class Part {
  readonly id: number;
  readonly entities: Int32Array;
  /** Components of the query's read and write terms, in order. */
  readonly components: readonly Component[];
  /** Their columns; `undefined` for an optional one that the table has not. */
  readonly columns: readonly (ColumnsObject | undefined)[];

  constructor(
    id: number,
    entities: Int32Array,
    components: readonly Component[],
    columns: readonly (ColumnsObject | undefined)[],
  ) {
    this.id = id;
    this.entities = entities;
    this.components = components;
    this.columns = columns;
  }
}

/** Some rows of a part, shown as a table of its own: row 0 is the first of them. */
export class PartSlice {
  readonly id: number;
  readonly count: number;
  readonly entities: Int32Array;
  readonly part: Part;
  readonly start: number;
  readonly end: number;
  readonly #columns: (ColumnsObject | undefined)[] = [];

  constructor(part: Part, start: number, end: number) {
    this.id = part.id;
    this.count = end - start;
    this.entities = part.entities.subarray(start, end);
    this.part = part;
    this.start = start;
    this.end = end;
  }

  /**
   * Columns of a component that the query reads or writes.
   *
   * @throws EclipticError `scheduler/undeclared-access`
   */
  column(component: Component): ColumnsObject {
    const index = this.part.components.indexOf(component);
    const known = this.#columns[index];
    if (known !== undefined) return known;
    const whole = this.part.columns[index];
    if (whole === undefined) {
      throw new EclipticError(
        'scheduler/undeclared-access',
        `Component "${component.name}" is not in the query, or not in this table`,
        {
          subjects: { component: component.name, table: this.id },
          fix: 'Add read() or write() of it to the query of the system.',
        },
      );
    }
    const rows = this.part.entities.length;
    const columns = component.fields.map(({ name }) => {
      const column = whole[name] as SharedColumn;
      const stride = column.length / rows;
      return column.subarray(this.start * stride, this.end * stride);
    });
    const sliced = makeColumns(component, columns, (row) => whole.$touch(this.start + row));
    this.#columns[index] = sliced;
    return sliced;
  }
}

/**
 * A query of a system while it runs a job: rows of one table, or whole tables. Bound anew for each job;
 * what it hands out is kept for the next job with the same rows.
 */
export class SliceQuery {
  /** Bits of {@link QueryUse}, since they were last set to 0. */
  used = 0;
  readonly #loop: RowLoop;
  readonly #filter: QueryFilter;
  readonly #runs: RowRuns | undefined;
  readonly #bound: PartSlice[] = [];
  /** First and end of the runs of selected rows of each bound slice. */
  readonly #selected: number[] = [];
  readonly #known = new Map<Part, PartSlice[]>();

  /**
   * @param copy - queries with different numbers do not share a loop
   * @param runs - the rows that it visits, where these are not all
   */
  constructor(copy: number, filter: QueryFilter, runs: RowRuns | undefined) {
    this.#loop = ROW_LOOPS[copy % ROW_LOOPS.length] as RowLoop;
    this.#filter = filter;
    this.#runs = runs;
  }

  /** Shows nothing, until `bind`. */
  unbind(): void {
    this.#bound.length = 0;
    this.#selected.length = 0;
    this.#runs?.refresh();
  }

  /** Shows rows `start` to `end - 1` of a part too; of them, `each` visits those in runs `firstRun` to `endRun - 1`. */
  bind(part: Part, start: number, end: number, firstRun: number, endRun: number): void {
    let slices = this.#known.get(part);
    if (slices === undefined) this.#known.set(part, (slices = []));
    let slice = slices.find((each) => each.start === start && each.end === end);
    if (slice === undefined) {
      // Rows come and go: where a part is cut changes, and old cuts are of no use.
      if (slices.length >= MAX_SLICES) slices.length = 0;
      slice = new PartSlice(part, start, end);
      slices.push(slice);
    }
    this.#bound.push(slice);
    this.#selected.push(firstRun, endRun);
  }

  /** Forgets a part whose columns have moved. */
  forget(part: Part): void {
    this.#known.delete(part);
  }

  /** What is bound. */
  get slices(): readonly PartSlice[] {
    return this.#bound;
  }

  /** As `Query.each`: calls `fn` with the row in the whole table, and the table's columns. */
  each(fn: RowCallback): void {
    this.used |= QueryUse.each;
    for (let i = 0; i < this.#bound.length; i++) {
      const { part, start, end } = this.#bound[i] as PartSlice;
      const [a, b, c, d, e, f, g, h] = part.columns;
      const runs = this.#runs;
      if (runs === undefined) {
        this.#loop(fn, start, end, a, b, c, d, e, f, g, h);
        continue;
      }
      const endRun = this.#selected[2 * i + 1] ?? 0;
      let run = runs.search(this.#selected[2 * i] ?? 0, endRun, start);
      for (; run < endRun && runs.from(run) < end; run++) {
        const from = Math.max(runs.from(run), start);
        this.#loop(fn, from, Math.min(runs.to(run), end), a, b, c, d, e, f, g, h);
      }
    }
  }

  /**
   * As `Query.tables`: the bound rows as tables of their own.
   *
   * @throws EclipticError `ecs/row-filter`
   */
  tables(): readonly PartSlice[] {
    if (this.#filter === 'rows') {
      throw new EclipticError('ecs/row-filter', 'The query does not select whole tables', {
        fix: 'Use each().',
      });
    }
    this.used |= QueryUse.tables;
    return this.#bound;
  }
}
