import { CHUNK_SHIFT } from '../storage/chunk-versions.js';
import type { ColumnSet } from '../storage/columns.js';
import type { IterableTable } from './query-host.js';
import type { RowFilter } from './row-filter.js';
import { TermKind, type Term } from './term.js';

/** A table that a query visits, with what the callbacks get of it. */
export class QueryMatch {
  readonly table: IterableTable;
  /** Columns of the data terms, in order; `undefined` where an optional one is absent, and for sparse components. */
  readonly sets: readonly (ColumnSet | undefined)[];
  readonly filters: readonly RowFilter[];
  /** Whether no filter tells rows of one chunk apart. */
  readonly isWhole: boolean;
  /** `moves` of the table when its rows were begun. */
  moves = 0;
  /** Columns objects of the data terms. */
  readonly a: unknown;
  readonly b: unknown;
  readonly c: unknown;
  readonly d: unknown;
  readonly e: unknown;
  readonly f: unknown;
  readonly g: unknown;
  readonly h: unknown;
  /** Columns of the write terms. */
  readonly #written: readonly ColumnSet[];

  constructor(
    table: IterableTable,
    data: readonly Term[],
    sets: readonly (ColumnSet | undefined)[],
    filters: readonly RowFilter[],
  ) {
    this.table = table;
    this.sets = sets;
    this.filters = filters;
    this.isWhole = filters.every(({ wholeChunks }) => wholeChunks);
    this.#written = sets.filter(
      (set, i): set is ColumnSet => set !== undefined && data[i]?.kind === TermKind.write,
    );
    const [a, b, c, d, e, f, g, h] = sets.map((set) => set?.columns);
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
    this.e = e;
    this.f = f;
    this.g = g;
    this.h = h;
  }

  /** Whether any of the first `count` rows can pass. */
  mayPass(count: number, since: number): boolean {
    const { filters } = this;
    for (let i = 0; i < filters.length; i++) {
      if (!(filters[i] as RowFilter).mayPass(count, since)) return false;
    }
    return true;
  }

  /** Whether a row passes all filters. */
  passes(row: number, since: number): boolean {
    const { filters } = this;
    const entity = this.table.entities[row] as number;
    for (let i = 0; i < filters.length; i++) {
      if (!(filters[i] as RowFilter).passes(entity, row, since)) return false;
    }
    return true;
  }

  /** Notes that rows were written, for those who watch. */
  mark(version: number, from: number, to: number): void {
    const written = this.#written;
    for (let i = 0; i < written.length; i++) {
      written[i]?.chunks?.fill(version, from >> CHUNK_SHIFT, ((to - 1) >> CHUNK_SHIFT) + 1);
    }
  }
}
