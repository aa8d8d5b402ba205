import {
  Component,
  having,
  query,
  Term,
  TermKind,
  type Query,
  type QueryDescription,
  type Scene,
} from '@ecliptic/ecs';
import type { Access } from '../schedule/access.js';
import type { WriteGuard } from './write-guard.js';

/** Terms whose answer depends on the table alone. */
const TABLE_TERMS: readonly TermKind[] = [
  TermKind.read,
  TermKind.write,
  TermKind.having,
  TermKind.without,
  TermKind.anyOf,
];

/** Terms of a query, components alone made explicit. */
export function termsOf({ terms }: QueryDescription): Term[] {
  return terms.map((term) =>
    term instanceof Component ? new Term(TermKind.write, [term], false) : term,
  );
}

/** Whether a query selects whole tables, so that any thread can tell which. */
function selectsTables(description: QueryDescription): boolean {
  return termsOf(description).every(
    ({ kind, components }) =>
      TABLE_TERMS.includes(kind) && components.every(({ storage }) => storage === 'table'),
  );
}

/** The columns that one query of a system may only read, in the tables that it matches. */
export class QueryGuard {
  readonly #query: Query;
  readonly #components: readonly Component[];

  private constructor(query: Query, components: readonly Component[]) {
    this.#query = query;
    this.#components = components;
  }

  /** A guard for a query that reads columns of whole tables which its system does not write, else `undefined`. */
  static for(scene: Scene, description: QueryDescription, access: Access): QueryGuard | undefined {
    if (!selectsTables(description)) return undefined;
    const terms = termsOf(description).filter(({ isOptional }) => !isOptional);
    const reads = terms
      .filter(({ kind }) => kind === TermKind.read)
      .flatMap(({ components }) => components)
      .filter((component) => !access.writes.has(component));
    if (reads.length === 0) return undefined;
    // The same tables, without the writing that would count as a change.
    const matching = terms.map((term) =>
      term.kind === TermKind.write ? having(...term.components) : term,
    );
    return new QueryGuard(scene.query(query(...matching)), reads);
  }

  /** Has the guard remember the columns. */
  capture(guard: WriteGuard): void {
    for (const table of this.#query.tables()) {
      if (table.count === 0) continue;
      for (const component of this.#components) {
        const columns: Readonly<Record<string, unknown>> = table.column(component);
        for (const { name } of component.fields) {
          const column = columns[name];
          if (!ArrayBuffer.isView(column)) continue;
          guard.capture({ component: component.name, field: name, column });
        }
      }
    }
  }
}
