import { EclipticError } from '@ecliptic/core';
import type { EntityId } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import type { ComponentColumns } from '../schema/component-types.js';
import type { SceneCore } from '../scene/scene-core.js';
import { CHUNK_SHIFT, type Columns } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Table } from '../storage/table.js';
import type { QueryDescription } from './query-description.js';
import { QueryPlan, type QueryMatch } from './query-plan.js';
import { QueryViews } from './query-views.js';
import { ROW_LOOPS, type RowCallback, type RowLoop } from './row-loops.js';
import { TermKind, type ColumnsOf, type QueryTerm, type ViewsOf } from './term.js';
import { VIEW_LOOPS, type ViewCallback, type ViewLoop } from './view-loops.js';

/** A table as queries show it. */
export interface QueryTable {
  /** Rows in use; columns may be longer. */
  readonly count: number;
  /** Id of the entity of each row. */
  readonly entities: Int32Array;
  /** Position among the scene's archetypes, by first creation. */
  readonly id: number;
  /**
   * Columns by field name, O(components).
   *
   * @throws EclipticError `ecs/no-column` when the table lacks the component
   */
  column<C extends Component>(component: C): ComponentColumns<C> & Columns;
}

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
  readonly #core: SceneCore;
  readonly #plan: QueryPlan;
  readonly #rowLoop: RowLoop;
  readonly #viewLoop: ViewLoop;
  readonly #observes: boolean;
  readonly #hasSparseData: boolean;
  /** Whether anyone may watch what this query writes. */
  #marks = false;
  #since = 0;
  #matches: QueryMatch[] = [];
  #tables: Table[] = [];
  #visited: boolean[] = [];
  #seen = 0;
  #types = -1;
  #views: QueryViews | undefined = undefined;
  #lastRun = 0;
  readonly #shown: unknown[] = Array.from({ length: 8 });

  /** Use `scene.query`. @internal */
  constructor(core: SceneCore, description: QueryDescription<T>, copy: number) {
    this.#core = core;
    this.description = description;
    this.name = description.toString();
    this.#plan = new QueryPlan(core, description);
    this.#rowLoop = ROW_LOOPS[copy % ROW_LOOPS.length] as RowLoop;
    this.#viewLoop = VIEW_LOOPS[copy % VIEW_LOOPS.length] as ViewLoop;
    this.#observes = description.explicit.some(({ kind }) => OBSERVING.includes(kind));
    this.#hasSparseData = description.data.some(({ components }) =>
      components.some(({ storage }) => storage === 'sparse'),
    );
  }

  /**
   * Calls `fn` with a row index and the columns of the read and write terms, for each matching row: as fast as a loop of
   * your own over the tables. A vec3 of row `r` is at `3 * r`.
   *
   * Don't wrap it in a helper that several systems call: the engine then optimises them together, badly.
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
  each(fn: (row: number, ...columns: ColumnsOf<T>) => void): void {
    this.#begin('each');
    try {
      this.#rows(fn as unknown as RowCallback);
    } finally {
      this.#core.guard.leave();
    }
  }

  /**
   * Calls `fn` with each matching entity and a view of each component of the read and write terms. The views are used
   * again for the next entity: copy what you keep.
   *
   * Views of `read` terms refuse writes in development builds (`ecs/read-only`).
   *
   * @example
   * ```ts
   * movers.forEach((entity, transform, velocity) => {
   *   transform.position.x += velocity.linear.x * dt;
   * });
   * ```
   */
  forEach(fn: (entity: EntityId, ...views: ViewsOf<T>) => void): void {
    this.#begin('forEach');
    try {
      this.#entities(fn as unknown as ViewCallback);
    } finally {
      this.#core.guard.leave();
    }
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
    this.#core.guard.leave();
    const since = this.#since;
    const tables = this.#tables;
    tables.length = 0;
    for (const match of this.#matches) {
      const { table, filters } = match;
      let passes = true;
      for (const filter of filters) {
        if (!filter.wholeChunks) throw this.#rowFilter();
        passes &&= filter.mayPass(table.count, since);
      }
      if (!passes) continue;
      tables.push(table);
      if (this.#marks && table.count > 0) this.#mark(match, 0, table.count);
    }
    return tables;
  }

  /** How many entities match now; is no run of the query. O(tables), or O(rows) where rows of a table may differ. */
  count(): number {
    this.#sync();
    let count = 0;
    for (const match of this.#matches) {
      const rows = match.table.count;
      if (match.filters.length === 0) count += rows;
      else {
        for (let row = 0; row < rows; row++) if (this.#passes(match, row, this.#lastRun)) count++;
      }
    }
    return count;
  }

  /** Ids of the entities that match now, in visiting order; is no run of the query. Allocates. */
  get entities(): EntityId[] {
    this.#sync();
    const ids: EntityId[] = [];
    for (const match of this.#matches) {
      for (let row = 0; row < match.table.count; row++) {
        if (this.#passes(match, row, this.#lastRun)) ids.push(match.table.entities[row] as number);
      }
    }
    return ids;
  }

  /** @internal */
  visits(table: Table): boolean {
    return this.#visited[table.id] ?? this.#plan.match(table) !== undefined;
  }

  /** @internal */
  looksAt(type: ComponentType): boolean {
    return this.description.explicit.some(({ components }) => components.includes(type.component));
  }

  /** Matches tables that came since, or all again where a component was registered since. */
  #sync(): void {
    const { tables, components } = this.#core;
    this.#marks = this.#core.watchesChunks && this.description.writes.length > 0;
    if (this.#types !== components.types.length) {
      this.#types = components.types.length;
      this.#matches = [];
      this.#visited = [];
      this.#views = undefined;
      this.#seen = 0;
    }
    for (; this.#seen < tables.length; this.#seen++) {
      const match = this.#plan.match(tables[this.#seen] as Table);
      this.#visited.push(match !== undefined);
      if (match) this.#matches.push(match);
    }
  }

  /** Begins a run. */
  #begin(method: 'each' | 'forEach' | 'tables'): void {
    const core = this.#core;
    if (core.disposed) throw disposed(core);
    this.#sync();
    if (this.#hasSparseData && method !== 'forEach') throw this.#sparseColumns(method);
    if (this.#observes) {
      this.#since = this.#lastRun;
      this.#lastRun = core.version++;
    }
    core.guard.enter(this);
  }

  // The engine does not peel loops inside try, which costs a factor of 3, and it inlines a callee of less than 460 bytes of
  // bytecode into its caller's try. So the loops are in methods that are long enough: don't split them.

  #rows(fn: RowCallback): void {
    const matches = this.#matches;
    const loop = this.#rowLoop;
    const since = this.#since;
    for (let m = 0; m < matches.length; m++) {
      const match = matches[m] as QueryMatch;
      const { count } = match.table;
      if (count === 0) continue;
      const { a, b, c, d, e, f, g, h } = match;
      if (match.filters.length === 0) {
        if (this.#marks) this.#mark(match, 0, count);
        loop(fn, 0, count, a, b, c, d, e, f, g, h);
        continue;
      }
      let row = this.#nextRow(match, 0, count, since);
      while (row < count) {
        const end = this.#endOfRun(match, row + 1, count, since);
        if (this.#marks) this.#mark(match, row, end);
        loop(fn, row, end, a, b, c, d, e, f, g, h);
        row = this.#nextRow(match, end, count, since);
      }
    }
  }

  #entities(fn: ViewCallback): void {
    const matches = this.#matches;
    const since = this.#since;
    this.#views ??= new QueryViews(this.#core, this.name, this.description.data);
    const views = this.#views;
    for (let m = 0; m < matches.length; m++) {
      const match = matches[m] as QueryMatch;
      const { count } = match.table;
      if (count === 0) continue;
      views.bind(match);
      if (match.filters.length === 0 && !views.hasSparse) {
        if (this.#marks) this.#mark(match, 0, count);
        this.#show(fn, match, views, 0, count);
        continue;
      }
      let row = this.#nextRow(match, 0, count, since);
      while (row < count) {
        const end = views.hasSparse ? row + 1 : this.#endOfRun(match, row + 1, count, since);
        if (this.#marks) this.#mark(match, row, end);
        this.#show(fn, match, views, row, end);
        row = this.#nextRow(match, end, count, since);
      }
    }
  }

  #show(call: ViewCallback, match: QueryMatch, views: QueryViews, from: number, to: number): void {
    const { table, sets } = match;
    const { terms, cursor } = views;
    if (views.hasSparse) {
      const entity = table.entities[from] as number;
      for (const term of terms) {
        if (term?.type.sparse) term.cursor.row = term.type.sparse.rowOf(entity);
      }
    }
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i];
      const present = sets[i] !== undefined || (term?.type.sparse && term.cursor.row >= 0);
      this.#shown[i] = present ? term?.view : undefined;
    }
    const s = this.#shown;
    const { entities } = table;
    this.#viewLoop(
      call,
      cursor,
      entities,
      from,
      to,
      s[0],
      s[1],
      s[2],
      s[3],
      s[4],
      s[5],
      s[6],
      s[7],
    );
  }

  /** Notes that rows were written, for those who watch. */
  #mark({ sets }: QueryMatch, from: number, to: number): void {
    const { data } = this.description;
    const version = this.#observes ? this.#lastRun : this.#core.version;
    for (let i = 0; i < sets.length; i++) {
      const chunks = sets[i]?.chunks;
      if (!chunks || data[i]?.kind !== TermKind.write) continue;
      chunks.fill(version, from >> CHUNK_SHIFT, ((to - 1) >> CHUNK_SHIFT) + 1);
    }
  }

  #passes({ table, filters }: QueryMatch, row: number, since: number): boolean {
    const entity = table.entities[row] as number;
    for (const filter of filters) if (!filter.passes(entity, row, since)) return false;
    return true;
  }

  #nextRow(match: QueryMatch, from: number, count: number, since: number): number {
    if (from === 0) {
      for (const filter of match.filters) if (!filter.mayPass(count, since)) return count;
    }
    let row = from;
    while (row < count && !this.#passes(match, row, since)) row++;
    return row;
  }

  #endOfRun(match: QueryMatch, from: number, count: number, since: number): number {
    let row = from;
    while (row < count && this.#passes(match, row, since)) row++;
    return row;
  }

  #sparseColumns(method: string): EclipticError {
    const names = this.description.data.flatMap(({ components }) => components);
    const component = names.find(({ storage }) => storage === 'sparse')?.name;
    return new EclipticError(
      'ecs/sparse-columns',
      `${this.name}: ${method}() has one row for all components, and "${component}" has rows of its own`,
      {
        subjects: { query: this.name, component },
        fix: `Use forEach(), or having(${component}) where you don't need its data.`,
      },
    );
  }

  #rowFilter(): EclipticError {
    return new EclipticError('ecs/row-filter', `${this.name} does not select whole tables`, {
      subjects: { query: this.name },
      fix: 'Use each() or forEach().',
    });
  }
}

function disposed(core: SceneCore): EclipticError {
  return new EclipticError('ecs/scene-disposed', `Scene "${core.name}" was disposed`, {
    subjects: { scene: core.name },
    fix: 'Drop the queries of a scene with it.',
  });
}
