import type { ColumnSet } from '../storage/columns.js';
import type { ComponentType, Stamps } from '../storage/component-type.js';
import type { SparseSet } from '../storage/sparse-set.js';
import type { QueryDescription } from './query-description.js';
import type { IterableTable, QueryHost } from './query-host.js';
import { QueryMatch } from './query-match.js';
import {
  ChunkFilter,
  SparseChunkFilter,
  SparseFilter,
  StampFilter,
  type RowFilter,
} from './row-filter.js';
import { TermKind, type Term } from './term.js';

/** A query's terms resolved against the types of a scene. */
export class QueryPlan {
  readonly #core: QueryHost;
  readonly #description: QueryDescription;

  constructor(core: QueryHost, description: QueryDescription) {
    this.#core = core;
    this.#description = description;
    for (const { kind, components } of description.explicit) {
      for (const component of components) {
        if (kind === TermKind.added) core.track(component, 'added');
        if (kind === TermKind.removed) core.track(component, 'removed');
        if (kind === TermKind.changed) core.track(component, 'changed');
      }
    }
  }

  /** What the query sees of a table, or `undefined` where none of its rows can match, whatever happens to sparse components. */
  match(table: IterableTable): QueryMatch | undefined {
    const filters: RowFilter[] = [];
    for (const term of this.#description.explicit) {
      if (term.isOptional) continue;
      if (!this.#admits(table, term, filters)) return undefined;
    }
    const { data } = this.#description;
    const sets = data.map(({ components: [component] }) => {
      const type = component && this.#core.components.find(component);
      return type && !type.sparse ? table.setOf(type) : undefined;
    });
    return new QueryMatch(table, data, sets, filters);
  }

  #admits(table: IterableTable, { kind, components }: Term, filters: RowFilter[]): boolean {
    const types = components.map((component) => this.#core.components.find(component));
    if (kind === TermKind.anyOf) {
      if (types.some((type) => type && !type.sparse && table.has(type))) return true;
      const sets = sparseOf(types);
      if (sets.length > 0) filters.push(new SparseFilter(sets, true));
      return sets.length > 0;
    }
    const excludes = kind === TermKind.without || kind === TermKind.removed;
    for (const type of types) {
      if (excludes) {
        if (!type) continue;
        if (type.sparse) filters.push(new SparseFilter([type.sparse], false));
        else if (table.has(type)) return false;
      } else {
        if (!type) return false;
        if (type.sparse) filters.push(new SparseFilter([type.sparse], true));
        else if (!table.has(type)) return false;
      }
    }
    const [type] = types;
    if (kind === TermKind.added && type) filters.push(new StampFilter(type.added as Stamps));
    if (kind === TermKind.removed) {
      if (!type) return false;
      filters.push(new StampFilter(type.removed as Stamps));
    }
    if (kind === TermKind.changed && type) {
      const { changed, sparse } = type;
      if (changed) filters.push(new StampFilter(changed));
      else if (sparse) filters.push(new SparseChunkFilter(sparse));
      else filters.push(new ChunkFilter(table.setOf(type) as ColumnSet));
    }
    return true;
  }
}

function sparseOf(types: readonly (ComponentType | undefined)[]): SparseSet[] {
  return types.flatMap((type) => type?.sparse ?? []);
}
