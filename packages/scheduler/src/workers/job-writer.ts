import { EclipticError } from '@ecliptic/core';
import type { Component, ComponentColumns, Query, QueryTable } from '@ecliptic/ecs';
import type { JobBoard } from './job-board.js';
import { JobSizes } from './job-sizes.js';
import { LayoutSelection } from './layout-selection.js';
import type { PartLayout, SharedColumn } from './part-layout.js';
import type { QueryShape } from './job-runner.js';

/** Cuts the rows of systems into jobs, and keeps the layout of their tables up to date. */
export class JobWriter {
  readonly #board: JobBoard;
  readonly #layout: PartLayout;
  /** The `entities` array that each part had when its columns were written down: all move together. */
  readonly #written: (Int32Array | undefined)[][] = [];
  readonly #selection: LayoutSelection;
  readonly #sizes = new JobSizes();
  #count = 0;

  constructor(board: JobBoard, layout: PartLayout) {
    this.#board = board;
    this.#layout = layout;
    this.#selection = new LayoutSelection(layout);
  }

  /** Jobs written since the last `publish`. */
  get count(): number {
    return this.#count;
  }

  /** Opens a wave with the jobs written. */
  publish(): void {
    this.#board.publish(this.#count);
    this.#count = 0;
  }

  /**
   * How many rows a query visits now; writes down which, where these are not all of its tables.
   *
   * @param number - of the query in the layout
   */
  select(number: number, query: Query): number {
    return this.#isFiltered(number) ? this.#selection.write(number, query) : query.count();
  }

  /**
   * Writes the jobs of a system over the tables of its first query.
   *
   * @param number - of that query in the layout
   * @param rows - that it visits
   * @param threads - that will share the work
   * @param perRow - nanoseconds, 0 if unknown
   * @returns whether there was room; else nothing was written
   */
  write(
    system: number,
    number: number,
    tables: readonly QueryTable[],
    rows: number,
    threads: number,
    perRow: number,
  ): boolean {
    const { capacity } = this.#board.memory;
    const before = this.#count;
    let all = 0;
    for (let part = 0; part < tables.length; part++) all += this.#rowsOf(number, tables, part);
    this.#sizes.begin(all, threads, (perRow * rows) / all);
    for (let part = 0; part < tables.length; part++) {
      const count = this.#rowsOf(number, tables, part);
      for (let start = 0; start < count;) {
        if (this.#count === capacity) {
          this.#count = before;
          return false;
        }
        const end = this.#sizes.end(start, count);
        this.#board.write(this.#count++, system, part, start, end);
        start = end;
      }
    }
    return true;
  }

  /** Rows of a table among which a query may visit some. */
  #rowsOf(number: number, tables: readonly QueryTable[], part: number): number {
    if (this.#isFiltered(number) && this.#layout.runsOf(number, part) === undefined) return 0;
    return tables[part]?.count ?? 0;
  }

  #isFiltered(number: number): boolean {
    return this.#layout.runs[number] !== undefined;
  }

  /** Writes down where the tables of a query are, if they have moved. Returns false if they are too many. */
  describe(number: number, shape: QueryShape, tables: readonly QueryTable[]): boolean {
    if (tables.length > this.#layout.memory.maxParts) return false;
    const written = (this.#written[number] ??= []);
    this.#layout.setParts(number, tables.length);
    for (let part = 0; part < tables.length; part++) {
      const table = tables[part];
      if (table === undefined) continue;
      this.#layout.setRows(number, part, table.count);
      if (written[part] === table.entities) continue;
      written[part] = table.entities;
      this.#layout.setColumns(number, part, columnsOf(shape, table));
    }
    return true;
  }
}

/** All columns of a query in one table: entities, then each field of each component. */
function columnsOf(
  { components, optional }: QueryShape,
  table: QueryTable,
): (SharedColumn | undefined)[] {
  const columns: (SharedColumn | undefined)[] = [table.entities];
  for (const [i, component] of components.entries()) {
    const own = optional[i] ? columnIfAny(table, component) : table.column(component);
    for (const { name } of component.fields) columns.push(own?.[name] as SharedColumn | undefined);
  }
  return columns;
}

function columnIfAny(
  table: QueryTable,
  component: Component,
): ComponentColumns<Component> | undefined {
  try {
    return table.column(component);
  } catch (error) {
    if (error instanceof EclipticError && error.code === 'ecs/no-column') return undefined;
    throw error;
  }
}
