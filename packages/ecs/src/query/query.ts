import type { EntityId } from '../entities/entity-id.js';
import type { ComponentType } from '../storage/component-type.js';
import type { LoopCompiler, WholeLoop } from './compiled-loops.js';
import type { QueryDescription } from './query-description.js';
import type { IterableTable, QueryHost } from './query-host.js';
import { rowsDiffer, rowsMoved, sceneDisposed, sparseColumns } from './query-errors.js';
import type { QueryMatch } from './query-match.js';
import { QueryMatches } from './query-matches.js';
import type { QueryTable } from './query-table.js';
import { QueryViews } from './query-views.js';
import type { QueryLoops } from './loop-chooser.js';
import type { RowCallback, RowLoop } from './row-loops.js';
import { RowMarker } from './row-marker.js';
import { selectRows, type RowSelection } from './select-rows.js';
import { TableLists } from './table-lists.js';
import { TermKind, type ColumnsOf, type QueryTerm, type ViewsOf } from './term.js';
import type { ViewCallback, ViewLoop } from './view-loops.js';
import type { WholeViewLoop } from './whole-view-loops.js';

/** Either kind of loop. */
type Loop = (this: Query, fn: RowCallback & ViewCallback) => void;

const OBSERVING: readonly TermKind[] = [TermKind.added, TermKind.removed, TermKind.changed];

/**
 * A query prepared for one scene, and an observer of its own: `added`, `removed` and `changed` see what happened since
 * this very query last ran. Made by `scene.query`; keep it, don't make it anew each frame. Archetypes that appear later
 * are matched too.
 *
 * Visits archetypes in the order of their first creation, then rows. Nothing is allocated once warm.
 */
export class Query<out T extends readonly QueryTerm[] = readonly QueryTerm[]> {
  readonly description: QueryDescription<T>;
  /** As in errors. */
  readonly name: string;
  /**
   * Calls `fn` with a row index and the columns of the read and write terms, for each matching row: as fast as a loop of
   * your own over the tables. A vec3 of row `r` is at `3 * r`.
   *
   * Write the callback in place. Don't wrap `each` in a helper that several systems call: the engine then optimises them
   * together, badly.
   *
   * A structural change from inside that touches a table of the query is an error (`ecs/structural-change-while-iterating`): in
   * development builds at the change, which is not made; else after the table's loop.
   *
   * @throws EclipticError `ecs/sparse-columns` when a read or write term is of a sparse component: use `forEach`
   *
   * @example
   * ```ts
   * movers.each((row, transform, velocity) => {
   *   const p = transform.position, v = velocity.linear, i = row * 3;
   *   p[i] += v[i] * dt;
   * });
   * ```
   */
  readonly each: (fn: (row: number, ...columns: ColumnsOf<T>) => void) => void;
  /**
   * Calls `fn` with each matching entity and a view of each component of the read and write terms. The views are used
   * again for the next entity: copy what you keep.
   *
   * Views of `read` terms refuse writes in development builds (`ecs/read-only`). Structural changes as with `each`.
   *
   * @example
   * ```ts
   * movers.forEach((entity, transform, velocity) => {
   *   transform.position.x += velocity.linear.x * dt;
   * });
   * ```
   */
  readonly forEach: (fn: (entity: EntityId, ...views: ViewsOf<T>) => void) => void;
  /** End of the run of rows that `$from` began. @internal */
  $to = 0;
  readonly #core: QueryHost;
  readonly #matches: QueryMatches;
  readonly #observes: boolean;
  readonly #hasSparseData: boolean;
  /** Whether rows of one table may differ, registered or not: `tables()` must not begin to fail in the middle of a game. */
  readonly #filtersRows: boolean;
  /** Whether anyone may watch what this query writes. */
  #marks = false;
  #since = 0;
  #lastRun = 0;
  readonly #chosen = new TableLists();
  readonly #marker = new RowMarker();
  #views: QueryViews | undefined = undefined;
  /** Runs of `forEach` that are going on, one inside the other. */
  #depth = 0;
  /** Part of the rows that the next or present run is limited to: table, first row, end. */
  #sliced = -1;
  #sliceFrom = 0;
  #sliceTo = 0;
  readonly #slice: QueryMatch[] = [];
  readonly #compiler: LoopCompiler | undefined;
  readonly #preparedViews: WholeViewLoop;
  /** For whole tables. */
  #wholeRows: WholeLoop<RowCallback> | undefined = undefined;
  /** For whole tables and the views of `#views`. */
  #wholeViews: WholeLoop<ViewCallback> | undefined = undefined;
  /** For any rows. */
  readonly #mixedRows: RowLoop;
  /** For any rows and any views. */
  readonly #mixedViews: ViewLoop;
  /** The scene's when tables were last matched. */
  #epoch = -1;
  /** Whether runs need more than all rows of all tables. */
  #special = true;

  /** Use `scene.query`. @internal */
  constructor(
    core: QueryHost,
    description: QueryDescription<T>,
    { each, forEach, wholeViews, compiler }: QueryLoops,
  ) {
    this.#core = core;
    this.#mixedRows = each;
    this.#mixedViews = forEach;
    this.#preparedViews = wholeViews;
    this.#compiler = compiler;
    this.description = description;
    this.name = description.toString();
    this.#matches = new QueryMatches(core, description);
    this.#observes = description.explicit.some(({ kind }) => OBSERVING.includes(kind));
    this.#hasSparseData = description.data.some(({ components }) =>
      components.some(({ storage }) => storage === 'sparse'),
    );
    this.#filtersRows = description.explicit.some(
      ({ kind, components }) =>
        kind > TermKind.write && components.some(({ storage }) => storage === 'sparse'),
    );
    const guarded =
      (loop: Loop): Loop =>
      (fn) =>
        this.#guarded(loop, fn);
    const rows: Loop = compiler ? (fn) => this.#runRows(fn) : each;
    const views: Loop = (fn) => this.#runViews(fn);
    this.each = (core.development ? guarded(rows) : rows) as unknown as Query<T>['each'];
    this.forEach = (core.development ? guarded(views) : views) as unknown as Query<T>['forEach'];
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
    const since = this.#since;
    if (!this.#special) return this.#matches.tables;
    this.#chosen.begin();
    const { list } = this.#matches;
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

  /**
   * Like `each`, for some rows of one table: schedulers split long loops with it. Rows beyond the table's are left out. With `added`,
   * `removed` and `changed` each call is a run of its own, so don't split such queries.
   *
   * @param index - position of the table in `tables()`
   * @param from - first row
   * @param to - end of the rows, exclusive
   */
  eachRows(
    index: number,
    from: number,
    to: number,
    fn: (row: number, ...columns: ColumnsOf<T>) => void,
  ): void {
    this.#sync();
    const match = this.#matches.list[index];
    if (match === undefined) return;
    this.#slice[0] = match;
    this.#sliceFrom = Math.max(0, Math.trunc(from) || 0);
    this.#sliceTo = Math.trunc(to) || 0;
    this.#sliced = index;
    try {
      this.each(fn);
    } finally {
      this.#sliced = -1;
    }
  }

  /** How many entities match now; is no run of the query. O(tables), or O(rows) where rows of a table may differ. */
  count(): number {
    this.#sync();
    let count = 0;
    const { list } = this.#matches;
    for (let m = 0; m < list.length; m++) {
      const match = list[m] as QueryMatch;
      const rows = match.table.count;
      if (match.filters.length === 0) count += rows;
      else for (let row = 0; row < rows; row++) if (match.passes(row, this.#lastRun)) count++;
    }
    return count;
  }

  /** The tables that match, whatever their rows; is no run of the query. The list is the query's own: don't keep or change it. */
  matches(): readonly QueryTable[] {
    this.#check('each');
    return this.#matches.tables;
  }

  /**
   * Shows what a run would visit now, and is no run itself. With {@link Query.ran}: for schedulers, which share out the rows of a query
   * among threads. O(tables); O(rows), or a 256th of that, where rows of a table differ.
   *
   * @throws EclipticError `ecs/sparse-columns` as `each`
   */
  select(selection: RowSelection): void {
    this.#check('each');
    selectRows(this.#matches.list, this.#lastRun, selection);
  }

  /**
   * Counts as a run: what {@link Query.select} showed has been visited, by `each` or by `tables`. From now on `added`, `removed` and `changed`
   * begin anew, and what was written counts as changed, just as after a run here.
   */
  ran(method: 'each' | 'tables'): void {
    this.#begin(method);
    if (!this.#marks) return;
    const { list } = this.#matches;
    if (method === 'each') {
      this.#marker.begin(list, this.#written);
      selectRows(list, this.#since, this.#marker);
      return;
    }
    for (let m = 0; m < list.length; m++) {
      const match = list[m] as QueryMatch;
      const { count } = match.table;
      if (count > 0 && match.mayPass(count, this.#since)) this.#mark(match, 0, count);
    }
  }

  /** Ids of the entities that match now, in visiting order; is no run of the query. Allocates. */
  get entities(): EntityId[] {
    this.#sync();
    const ids: EntityId[] = [];
    for (const match of this.#matches.list) {
      const { count, entities } = match.table;
      for (let row = 0; row < count; row++)
        if (match.passes(row, this.#lastRun)) ids.push(entities[row] as number);
    }
    return ids;
  }

  /** @internal */
  visits(table: IterableTable): boolean {
    return this.#matches.visits(table);
  }

  /** @internal */
  looksAt(type: ComponentType): boolean {
    return this.description.explicit.some(({ components }) => components.includes(type.component));
  }

  /** Matches tables that came since. */
  #sync(): void {
    const { epoch, watchesChunks } = this.#core;
    if (this.#epoch === epoch) return;
    this.#epoch = epoch;
    this.#marks = watchesChunks && this.description.writes.length > 0;
    if (this.#matches.update()) {
      this.#views = undefined;
      this.#wholeViews = undefined;
    }
    this.#special =
      this.#observes || this.#marks || this.#hasSparseData || this.#matches.isFiltered;
  }

  /** Runs a loop so that structural changes are caught as they are tried. */
  #guarded(loop: Loop, fn: RowCallback & ViewCallback): void {
    const { guard } = this.#core;
    guard.enter(this);
    try {
      loop.call(this, fn);
    } finally {
      guard.leave();
    }
  }

  /** Runs `each` by the loop that is compiled for it, unless it needs another. */
  #runRows(fn: RowCallback): void {
    if (this.#epoch !== this.#core.epoch) this.#check('each');
    if (this.#special || this.#sliced >= 0) {
      this.#mixedRows(fn);
      return;
    }
    this.#wholeRows ??= (this.#compiler as LoopCompiler).rows(this);
    this.#wholeRows(this.#matches.list, fn);
  }

  /** Runs `forEach` by the loop that is compiled for it, unless there is none or it needs another. */
  #runViews(fn: ViewCallback): void {
    if (this.#epoch !== this.#core.epoch) this.#check('forEach');
    const depth = this.#depth;
    // Here, as a loop with a try inside is not optimised well.
    try {
      const whole =
        this.#special || depth > 0 ? undefined : (this.#wholeViews ??= this.#ownViews());
      if (whole) {
        this.#depth = 1;
        whole(this.#matches.list, fn);
      } else this.#mixedViews(fn);
    } finally {
      this.#depth = depth;
    }
  }

  /** A loop for the views that this query shows, where one can be had. */
  #ownViews(): WholeLoop<ViewCallback> | undefined {
    const views = this.#showing();
    if (this.#compiler) return this.#compiler.views(this, views);
    if (!views.isPlain) return undefined;
    const { n, r0, r1, r2, r3, r4, r5, r6, r7 } = views;
    return this.#preparedViews(this, views, n, r0, r1, r2, r3, r4, r5, r6, r7);
  }

  #showing(): QueryViews {
    return (this.#views ??= new QueryViews(this.#core, this.name, this.description.data));
  }

  // The engine inlines up to 920 bytes of bytecode, and never a function of more than 460. What
  // loops call is short, or, as QueryViews.bind, too long, so that the room is left to the callback and its getters.

  /** Begins a run of `each`. @returns what to visit @internal */
  $start(): readonly QueryMatch[] {
    if (this.#epoch !== this.#core.epoch || this.#special) this.#begin('each');
    return this.#sliced < 0 ? this.#matches.list : this.#slice;
  }

  /** Begins a run of `forEach`. @returns what to visit @internal */
  $startViews(): readonly QueryMatch[] {
    if (this.#epoch !== this.#core.epoch || this.#special) this.#begin('forEach');
    return this.#matches.list;
  }

  /** The views of a run: its own, where one runs inside another. @internal */
  $take(): QueryViews {
    return this.#depth++ > 0
      ? new QueryViews(this.#core, this.name, this.description.data)
      : this.#showing();
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
    if (this.#special || this.#sliced >= 0) return this.#nextRun(match, at, views);
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
    if (this.#sliced >= 0) {
      row = Math.max(row, this.#sliceFrom);
      count = Math.min(count, this.#sliceTo);
    }
    this.$to = count;
    if (row >= count) return -1;
    if (filters.length > 0) {
      const since = this.#since;
      if (at === 0 && !match.mayPass(count, since)) return -1;
      while (row < count && !match.passes(row, since)) row++;
      if (row >= count) return -1;
      let end = row + 1;
      if (!this.#hasSparseData) while (end < count && match.passes(end, since)) end++;
      this.$to = end;
    } else if (this.#hasSparseData) this.$to = row + 1;
    if (views && this.#hasSparseData) views.bindSparse(table.entities[row] as number);
    if (this.#marks) this.#mark(match, row, this.$to);
    return row;
  }

  /** Begins a run. */
  #begin(method: 'each' | 'forEach' | 'tables'): void {
    this.#check(method);
    if (this.#observes) {
      this.#since = this.#lastRun;
      this.#lastRun = this.#core.version++;
    }
  }

  #check(method: 'each' | 'forEach' | 'tables'): void {
    const core = this.#core;
    if (core.disposed) throw sceneDisposed(core.name);
    this.#sync();
    if (this.#hasSparseData && method !== 'forEach') throw sparseColumns(this.description, method);
  }

  #mark(match: QueryMatch, from: number, to: number): void {
    match.mark(this.#written, from, to);
  }

  /** The version of what the present run writes. */
  get #written(): number {
    return this.#observes ? this.#lastRun : this.#core.version;
  }
}
