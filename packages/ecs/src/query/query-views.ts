import { EclipticError } from '@ecliptic/core';
import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType } from '../storage/component-type.js';
import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import { ownedComponent } from '../views/bound-view.js';
import { RowCursor } from '../views/row-cursor.js';
import type { View, ViewGuard } from '../views/view.js';
import type { QueryHost } from './query-host.js';
import type { QueryMatch } from './query-match.js';
import { TermKind, type Term } from './term.js';

/** The view of one data term, moved from table to table. */
export class TermView {
  readonly view: View;
  readonly type: ComponentType;
  /** Moves of the sparse set's rows when it was shown. */
  moves = 0;

  constructor(type: ComponentType, guard: ViewGuard | undefined, cursor: RowCursor) {
    this.type = type;
    const { plain, checked } = type.component.views;
    const columns = type.sparse ? type.sparse.columns.list : type.emptyColumns;
    this.view = new (guard ? checked : plain)(guard, columns, cursor);
  }
}

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

/** Views that a query's `forEach` hands out, made once. */
export class QueryViews {
  readonly terms: readonly (TermView | undefined)[];
  /** Shared by the views of tables; those of sparse sets have their own. */
  readonly cursor: RowCursor = new RowCursor();
  readonly hasSparse: boolean;
  /** The views, where the callback gets just these, in all tables. */
  readonly plain: readonly View[] | undefined;
  /** Entity ids of the table that is shown. */
  entities: Int32Array = new Int32Array(0);
  /** What the callback gets: the views, `undefined` where an optional component is absent. */
  a: unknown;
  b: unknown;
  c: unknown;
  d: unknown;
  e: unknown;
  f: unknown;
  g: unknown;
  h: unknown;

  constructor(core: QueryHost, name: string, data: readonly Term[]) {
    this.terms = data.map(({ kind, components: [component] }) => {
      const type = component && core.components.find(component);
      if (!type) return undefined;
      const guard =
        kind === TermKind.read ? this.#readGuard(core, name, type) : this.#writeGuard(core, type);
      return new TermView(type, guard, type.sparse ? new RowCursor() : this.cursor);
    });
    const inTables = this.terms.flatMap((term) => (term && !term.type.sparse ? term.view : []));
    const isPlain = inTables.length === data.length && data.every(({ isOptional }) => !isOptional);
    this.plain = isPlain ? inTables : undefined;
    [this.a, this.b, this.c, this.d, this.e, this.f, this.g, this.h] = inTables;
    this.hasSparse = this.terms.some((term) => term?.type.sparse !== undefined);
  }

  /**
   * Shows a table. Plain views are given already. The others unrolled, which makes it too long for the engine to inline: there is room then
   * for the callback's getters and setters, which is what matters.
   */
  bind({ table, sets }: QueryMatch): void {
    this.entities = table.entities;
    const { plain } = this;
    if (plain !== undefined) {
      for (let i = 0; i < plain.length; i++) {
        (plain[i] as View).$bind((sets[i] as ColumnSet).list);
      }
      return;
    }
    const a = this.terms[0];
    const aSet = sets[0];
    if (a !== undefined && aSet !== undefined) a.view.$bind(aSet.list);
    this.a = a !== undefined && aSet !== undefined ? a.view : undefined;
    const b = this.terms[1];
    const bSet = sets[1];
    if (b !== undefined && bSet !== undefined) b.view.$bind(bSet.list);
    this.b = b !== undefined && bSet !== undefined ? b.view : undefined;
    const c = this.terms[2];
    const cSet = sets[2];
    if (c !== undefined && cSet !== undefined) c.view.$bind(cSet.list);
    this.c = c !== undefined && cSet !== undefined ? c.view : undefined;
    const d = this.terms[3];
    const dSet = sets[3];
    if (d !== undefined && dSet !== undefined) d.view.$bind(dSet.list);
    this.d = d !== undefined && dSet !== undefined ? d.view : undefined;
    const e = this.terms[4];
    const eSet = sets[4];
    if (e !== undefined && eSet !== undefined) e.view.$bind(eSet.list);
    this.e = e !== undefined && eSet !== undefined ? e.view : undefined;
    const f = this.terms[5];
    const fSet = sets[5];
    if (f !== undefined && fSet !== undefined) f.view.$bind(fSet.list);
    this.f = f !== undefined && fSet !== undefined ? f.view : undefined;
    const g = this.terms[6];
    const gSet = sets[6];
    if (g !== undefined && gSet !== undefined) g.view.$bind(gSet.list);
    this.g = g !== undefined && gSet !== undefined ? g.view : undefined;
    const h = this.terms[7];
    const hSet = sets[7];
    if (h !== undefined && hSet !== undefined) h.view.$bind(hSet.list);
    this.h = h !== undefined && hSet !== undefined ? h.view : undefined;
    if (this.hasSparse) this.#bindSparseColumns();
  }

  /** A sparse set may have grown since it was shown last: then its columns are others. */
  #bindSparseColumns(): void {
    for (const term of this.terms) {
      if (!term?.type.sparse) continue;
      term.view.$bind(term.type.sparse.columns.list);
      term.moves = term.type.sparse.rows.moves;
    }
  }

  /** Whether rows of a sparse set that is shown came or went since the table was shown. */
  get sparseMoved(): boolean {
    for (const term of this.terms) {
      if (term?.type.sparse && term.type.sparse.rows.moves !== term.moves) return true;
    }
    return false;
  }

  /** Shows one entity's sparse components. @returns false where their rows came or went since the table was shown */
  bindSparse(entity: EntityId): boolean {
    const { terms } = this;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i];
      if (!term?.type.sparse) continue;
      const { sparse } = term.type;
      if (sparse.rows.moves !== term.moves) return false;
      const row = sparse.rowOf(entity);
      term.view.$cursor.row = row;
      this[NAMES[i] as 'a'] = row >= 0 ? term.view : undefined;
    }
    return true;
  }

  #readGuard(core: QueryHost, name: string, type: ComponentType): ViewGuard | undefined {
    if (!core.development) return undefined;
    const component = type.component.name;
    return {
      read: () => undefined,
      write: () => {
        throw new EclipticError('ecs/read-only', `${name} only reads "${component}"`, {
          subjects: { query: name, component },
          fix: `Ask for write(${component}).`,
        });
      },
    };
  }

  #writeGuard(core: QueryHost, type: ComponentType): ViewGuard | undefined {
    if (type.index) {
      return {
        read: () => undefined,
        write: () => {
          throw ownedComponent(type);
        },
      };
    }
    if (type.component.trackChanges !== 'rows') return undefined;
    return {
      read: () => undefined,
      write: ({ $cursor: { row } }) => {
        const entity = (type.sparse?.rows ?? this).entities[row] as number;
        type.changed?.mark(entity & INDEX_MASK, core.version);
      },
    };
  }
}
