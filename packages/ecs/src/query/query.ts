import type { EntityId } from '../entities/entity-id.js';
import type { LoopCompiler, WholeLoop } from './compiled-loops.js';
import type { QueryLoops } from './loop-chooser.js';
import type { QueryDescription } from './query-description.js';
import type { QueryHost } from './query-host.js';
import { QueryRows } from './query-rows.js';
import { QueryViews } from './query-views.js';
import type { RowCallback, RowLoop } from './row-loops.js';
import type { ColumnsOf, QueryTerm, ViewsOf } from './term.js';
import type { ViewCallback, ViewLoop } from './view-loops.js';
import type { WholeViewLoop } from './whole-view-loops.js';

/** Either kind of loop. */
type Loop = (this: Query, fn: RowCallback & ViewCallback) => void;

/**
 * A query prepared for one scene, and an observer of its own: `added`, `removed` and `changed` see what happened since
 * this very query last ran. Made by `scene.query`; keep it, don't make it anew each frame. Archetypes that appear later
 * are matched too.
 *
 * Visits archetypes in the order of their first creation, then rows. Nothing is allocated once warm.
 */
export class Query<out T extends readonly QueryTerm[] = readonly QueryTerm[]> extends QueryRows<T> {
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
   * Views of `read` terms refuse writes in development builds (`ecs/read-only`). Structural changes as with `each`; that a sparse component
   * which it shows comes or goes is such a change, too.
   *
   * @example
   * ```ts
   * movers.forEach((entity, transform, velocity) => {
   *   transform.position.x += velocity.linear.x * dt;
   * });
   * ```
   */
  readonly forEach: (fn: (entity: EntityId, ...views: ViewsOf<T>) => void) => void;
  #views: QueryViews | undefined = undefined;
  /** Runs of `forEach` that are going on, one inside the other. */
  #depth = 0;
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
  /** Use `scene.query`. @internal */
  constructor(
    core: QueryHost,
    description: QueryDescription<T>,
    { each, forEach, wholeViews, compiler }: QueryLoops,
  ) {
    super(core, description);
    this.#mixedRows = each;
    this.#mixedViews = forEach;
    this.#preparedViews = wholeViews;
    this.#compiler = compiler;
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
    if (!this.$limit(index, from, to)) return;
    try {
      this.each(fn);
    } finally {
      this.$sliced = -1;
    }
  }

  /** Runs a loop so that structural changes are caught as they are tried. */
  #guarded(loop: Loop, fn: RowCallback & ViewCallback): void {
    const { guard } = this.$core;
    guard.enter(this);
    try {
      loop.call(this, fn);
    } finally {
      guard.leave();
    }
  }

  /** Runs `each` by the loop that is compiled for it, unless it needs another. */
  #runRows(fn: RowCallback): void {
    if (this.$epoch !== this.$core.epoch) this.$check('each');
    if (this.$special || this.$sliced >= 0) {
      this.#mixedRows(fn);
      return;
    }
    this.#wholeRows ??= (this.#compiler as LoopCompiler).rows(this);
    this.#wholeRows(this.$matches.list, fn);
  }

  /** Runs `forEach` by the loop that is compiled for it, unless there is none or it needs another. */
  #runViews(fn: ViewCallback): void {
    if (this.$epoch !== this.$core.epoch) this.$check('forEach');
    const depth = this.#depth;
    // Here, as a loop with a try inside is not optimised well.
    try {
      const whole =
        this.$special || depth > 0 ? undefined : (this.#wholeViews ??= this.#ownViews());
      if (whole) {
        this.#depth = 1;
        whole(this.$matches.list, fn);
      } else this.#mixedViews(fn);
    } finally {
      this.#depth = depth;
    }
  }

  /** A loop for the views that this query shows, where one can be had. */
  #ownViews(): WholeLoop<ViewCallback> | undefined {
    const views = this.#showing();
    if (this.#compiler) return this.#compiler.views(this, views);
    const { plain, cursor } = views;
    return plain && this.#preparedViews(this, views, plain.length, cursor, ...plain);
  }

  #showing(): QueryViews {
    return (this.#views ??= new QueryViews(this.$core, this.name, this.description.data));
  }

  /** The views of a run: its own, where one runs inside another. @internal */
  $take(): QueryViews {
    return this.#depth++ > 0
      ? new QueryViews(this.$core, this.name, this.description.data)
      : this.#showing();
  }

  /** @internal */
  $dropViews(): void {
    this.#views = undefined;
    this.#wholeViews = undefined;
  }
}
