import type { EntityId } from '../entities/entity-id.js';
import type { ComponentType } from '../storage/component-type.js';
import type { QueryDescription } from './query-description.js';
import { rowsDiffer, rowsMoved, sceneDisposed, sparseColumns } from './query-errors.js';
import type { IterableTable, QueryHost } from './query-host.js';
import type { QueryMatch } from './query-match.js';
import { QueryMatches } from './query-matches.js';
import type { QueryTable } from './query-table.js';
import type { QueryViews } from './query-views.js';
import { RowMarker } from './row-marker.js';
import { RunVersions } from './run-versions.js';
import { selectRows, type RowSelection } from './select-rows.js';
import { TableLists } from './table-lists.js';
import { TermKind, type QueryTerm } from './term.js';

/** What is run: decides what may be asked. */
type Method = 'each' | 'forEach' | 'tables';

/**
 * Which rows of which tables a query visits, and what counts as a run of it for `added`, `removed` and `changed`: what a `Query` is
 * without its loops.
 */
export abstract class QueryRows<out T extends readonly QueryTerm[] = readonly QueryTerm[]> {
  readonly description: QueryDescription<T>;
  /** As in errors. */
  readonly name: string;
  /** End of the run of rows that `$from` began. @internal */
  $to = 0;
  /** Whether runs need more than all rows of all tables. @internal */
  $special = true;
  /** Position of the table that the next or present run is limited to, or -1. @internal */
  $sliced = -1;
  /** @internal */
  readonly $core: QueryHost;
  /** @internal */
  readonly $matches: QueryMatches;
  readonly #versions: RunVersions;
  readonly #hasSparseData: boolean;
  /** Whether rows of one table may differ, registered or not: `tables()` must not begin to fail in the middle of a game. */
  readonly #filtersRows: boolean;
  /** Whether anyone may watch what this query writes. */
  #marks = false;
  readonly #chosen = new TableLists();
  readonly #marker = new RowMarker();
  /** The table that runs are limited to, and its rows. */
  readonly #slice: QueryMatch[] = [];
  #sliceFrom = 0;
  #sliceTo = 0;
  /** The scene's when tables were last matched. @internal */
  $epoch = -1;

  /** @internal */
  constructor(core: QueryHost, description: QueryDescription<T>) {
    this.$core = core;
    this.description = description;
    this.name = description.toString();
    this.$matches = new QueryMatches(core, description);
    this.#versions = new RunVersions(core, description.explicit);
    this.#hasSparseData = description.data.some(({ components }) =>
      components.some(({ storage }) => storage === 'sparse'),
    );
    this.#filtersRows = description.explicit.some(
      ({ kind, components }) =>
        kind > TermKind.write && components.some(({ storage }) => storage === 'sparse'),
    );
  }

  /**
   * The matching tables, empty ones included, for loops over whole columns. The list is the query's own: don't keep or
   * change it. With `changed`, only tables where something changed. Write terms count all rows as changed.
   *
   * Nothing stops a structural change inside such a loop: record it in `Commands`.
   *
   * @throws EclipticError `ecs/row-filter` when rows of one table may differ: sparse components, `added`, `removed`, exact `changed`
   *
   * @example
   * ```ts
   * for (const table of movers.tables()) {
   *   const p = table.column(Transform).position, v = table.column(Velocity).linear;
   *   for (let i = 0; i < table.count * 3; i++) p[i] += v[i] * dt;
   * }
   * ```
   */
  tables(): readonly QueryTable[] {
    this.#begin('tables');
    if (this.#filtersRows) throw rowsDiffer(this.description);
    const since = this.#versions.since;
    if (!this.$special) return this.$matches.tables;
    this.#chosen.begin();
    const { list } = this.$matches;
    for (let m = 0; m < list.length; m++) {
      const match = list[m] as QueryMatch;
      const { table } = match;
      if (!match.isWhole) throw rowsDiffer(this.description);
      if (!match.mayPass(table.count, since)) continue;
      this.#chosen.add(table);
      if (this.#marks && table.count > 0) this.#mark(match, 0, table.count);
    }
    return this.#chosen.end();
  }

  /** How many entities match now; is no run of the query. O(tables), or O(rows) where rows of a table may differ. */
  count(): number {
    this.#sync();
    let count = 0;
    const { list } = this.$matches;
    for (let m = 0; m < list.length; m++) {
      const match = list[m] as QueryMatch;
      const rows = match.table.count;
      if (match.filters.length === 0) count += rows;
      else for (let row = 0; row < rows; row++) if (match.passes(row, this.#versions.last)) count++;
    }
    return count;
  }

  /** The tables that match, whatever their rows; is no run of the query. The list is the query's own: don't keep or change it. */
  matches(): readonly QueryTable[] {
    this.$check('each');
    return this.$matches.tables;
  }

  /**
   * Shows what a run would visit now, and is no run itself. With {@link QueryRows.ran}: for schedulers, which share out the rows of a query
   * among threads. O(tables); O(rows), or a 256th of that, where rows of a table differ.
   *
   * @throws EclipticError `ecs/sparse-columns` as `each`
   */
  select(selection: RowSelection): void {
    this.$check('each');
    selectRows(this.$matches.list, this.#versions.last, selection);
  }

  /**
   * Counts as a run: what {@link QueryRows.select} showed has been visited, by `each` or by `tables`. From now on `added`, `removed` and `changed`
   * begin anew, and what was written counts as changed, just as after a run here.
   */
  ran(method: 'each' | 'tables'): void {
    this.#begin(method);
    if (!this.#marks) return;
    const { list } = this.$matches;
    if (method === 'each') {
      this.#marker.begin(list, this.#versions.written);
      selectRows(list, this.#versions.since, this.#marker);
      return;
    }
    for (let m = 0; m < list.length; m++) {
      const match = list[m] as QueryMatch;
      const { count } = match.table;
      if (count > 0 && match.mayPass(count, this.#versions.since)) this.#mark(match, 0, count);
    }
  }

  /** Ids of the entities that match now, in visiting order; is no run of the query. Allocates. */
  get entities(): EntityId[] {
    this.#sync();
    const ids: EntityId[] = [];
    for (const match of this.$matches.list) {
      const { count, entities } = match.table;
      for (let row = 0; row < count; row++)
        if (match.passes(row, this.#versions.last)) ids.push(entities[row] as number);
    }
    return ids;
  }

  /** @internal */
  visits(table: IterableTable): boolean {
    return this.$matches.visits(table);
  }

  /** @internal */
  looksAt(type: ComponentType): boolean {
    return this.description.explicit.some(({ components }) => components.includes(type.component));
  }

  /** Limits runs to some rows of one table. @returns false where there is no such table @internal */
  $limit(index: number, from: number, to: number): boolean {
    this.#sync();
    const match = this.$matches.list[index];
    if (match === undefined) return false;
    this.#slice[0] = match;
    this.#sliceFrom = Math.max(0, Math.trunc(from) || 0);
    this.#sliceTo = Math.trunc(to) || 0;
    this.$sliced = index;
    return true;
  }

  /** Called when all tables were looked at again: views may be of other components. @internal */
  abstract $dropViews(): void;

  /** Matches tables that came since. */
  #sync(): void {
    const { epoch, watchesChunks } = this.$core;
    if (this.$epoch === epoch) return;
    this.$epoch = epoch;
    this.#marks = watchesChunks && this.description.writes.length > 0;
    if (this.$matches.update()) this.$dropViews();
    this.$special =
      this.#versions.observes || this.#marks || this.#hasSparseData || this.$matches.isFiltered;
  }

  // The engine inlines up to 920 bytes of bytecode, and never a function of more than 460. What
  // loops call is short, or, as QueryViews.bind, too long, so that the room is left to the callback and its getters.

  /** Begins a run of `each`. @returns what to visit @internal */
  $start(): readonly QueryMatch[] {
    if (this.$epoch !== this.$core.epoch || this.$special) this.#begin('each');
    return this.$sliced < 0 ? this.$matches.list : this.#slice;
  }

  /** Begins a run of `forEach`. @returns what to visit @internal */
  $startViews(): readonly QueryMatch[] {
    if (this.$epoch !== this.$core.epoch || this.$special) this.#begin('forEach');
    return this.$matches.list;
  }

  /** @internal */
  $failMoved(): never {
    throw rowsMoved(this.description);
  }

  /**
   * Begins a run of rows that pass, and ends the one before.
   *
   * @param at - 0 at first, then the end of the run before
   * @param views - to show sparse components in, row by row
   * @returns its first row, or -1; its end is in `$to`
   * @internal
   */
  $from(match: QueryMatch, at: number, views?: QueryViews): number {
    if (this.$special || this.$sliced >= 0) return this.#nextRun(match, at, views);
    const { table } = match;
    if (at === 0) {
      match.moves = table.moves;
      this.$to = table.count;
      return table.count > 0 ? 0 : -1;
    }
    if (table.moves !== match.moves) throw rowsMoved(this.description);
    return -1;
  }

  #nextRun(match: QueryMatch, at: number, views: QueryViews | undefined): number {
    const { table, filters } = match;
    let { count } = table;
    let row = at;
    if (at === 0) match.moves = table.moves;
    else if (table.moves !== match.moves) throw rowsMoved(this.description);
    if (this.$sliced >= 0) {
      row = Math.max(row, this.#sliceFrom);
      count = Math.min(count, this.#sliceTo);
    }
    this.$to = count;
    if (row >= count) return this.#endTable(at, views);
    if (filters.length > 0) {
      const since = this.#versions.since;
      if (at === 0 && !match.mayPass(count, since)) return -1;
      while (row < count && !match.passes(row, since)) row++;
      if (row >= count) return this.#endTable(at, views);
      let end = row + 1;
      if (!this.#hasSparseData) while (end < count && match.passes(end, since)) end++;
      this.$to = end;
    } else if (this.#hasSparseData) this.$to = row + 1;
    if (views && this.#hasSparseData && !views.bindSparse(table.entities[row] as number)) {
      throw rowsMoved(this.description);
    }
    if (this.#marks) this.#mark(match, row, this.$to);
    return row;
  }

  /** No more rows. */
  #endTable(at: number, views: QueryViews | undefined): -1 {
    if (at > 0 && views?.hasSparse && views.sparseMoved) throw rowsMoved(this.description);
    return -1;
  }

  /** Begins a run. */
  #begin(method: Method): void {
    this.$check(method);
    this.#versions.begin();
  }

  /** Looks at new tables, where there are any; refuses what can't be run. @internal */
  $check(method: Method): void {
    const core = this.$core;
    if (core.disposed) throw sceneDisposed(core.name);
    this.#sync();
    if (this.#hasSparseData && method !== 'forEach') throw sparseColumns(this.description, method);
  }

  #mark(match: QueryMatch, from: number, to: number): void {
    match.mark(this.#versions.written, from, to);
  }
}
