import type { QueryDescription } from './query-description.js';
import type { IterableTable, QueryHost } from './query-host.js';
import type { QueryMatch } from './query-match.js';
import { QueryPlan } from './query-plan.js';

/** The tables that a query visits, by first creation. */
export class QueryMatches {
  list: readonly QueryMatch[] = [];
  tables: readonly IterableTable[] = [];
  /** Whether rows or chunks of any table must be looked at. */
  isFiltered = false;
  readonly #core: QueryHost;
  readonly #plan: QueryPlan;
  #visited: boolean[] = [];
  /** Component types that were registered when tables were first looked at. */
  #types = -1;

  constructor(core: QueryHost, description: QueryDescription) {
    this.#core = core;
    this.#plan = new QueryPlan(core, description);
  }

  /**
   * Adds tables that came since, or looks at all again where a component was registered since.
   *
   * @returns whether all were looked at again
   */
  update(): boolean {
    const { tables, components } = this.#core;
    const isNew = this.#types !== components.types.length;
    if (isNew) {
      this.#types = components.types.length;
      this.#visited = [];
    }
    const list = isNew ? [] : [...this.list];
    for (const table of tables.slice(this.#visited.length)) {
      const match = this.#plan.match(table);
      this.#visited.push(match !== undefined);
      if (match) list.push(match);
    }
    this.list = list;
    this.tables = list.map(({ table }) => table);
    this.isFiltered = list.some(({ filters }) => filters.length > 0);
    return isNew;
  }

  visits(table: IterableTable): boolean {
    return this.#visited[table.id] ?? this.#plan.match(table) !== undefined;
  }
}
