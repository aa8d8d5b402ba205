import { EclipticError } from '@ecliptic/core';
import { Component } from '../schema/component.js';
import { Term, TermKind, type QueryTerm } from './term.js';

/** Most components whose columns or views one query gives. */
const MAX_COLUMNS = 8;

/**
 * What a query asks, without a scene: systems declare their queries with it, and schedulers read from it what a system
 * touches. Made by {@link query}.
 */
export class QueryDescription<out T extends readonly QueryTerm[] = readonly QueryTerm[]> {
  /** As given. */
  readonly terms: T;
  /** Components whose data or coming and going the query sees. A component may be in both lists. */
  readonly reads: readonly Component[];
  /** Components whose data the query may write. */
  readonly writes: readonly Component[];
  /** The terms that give columns, in order. @internal */
  readonly data: readonly Term[];
  /** All terms, components alone made explicit. @internal */
  readonly explicit: readonly Term[];

  constructor(terms: T) {
    this.terms = terms;
    const explicit = terms.map((term): Term => {
      if (term instanceof Term && term.components.every((c) => c instanceof Component)) return term;
      if (term instanceof Component) return new Term(TermKind.write, [term], false);
      throw new EclipticError(
        'ecs/invalid-query',
        `${term instanceof Term ? 'A term of no component' : String(term)} is no term of a query`,
        {
          subjects: { term },
          fix: 'Use components, and read(), write(), without() and the like.',
        },
      );
    });
    this.explicit = explicit;
    this.data = explicit.filter(({ kind }) => kind <= TermKind.write);
    const of = (kinds: readonly TermKind[]): Component[] => [
      ...new Set(explicit.filter(({ kind }) => kinds.includes(kind)).flatMap((t) => t.components)),
    ];
    this.writes = of([TermKind.write]);
    this.reads = of([TermKind.read, TermKind.added, TermKind.removed, TermKind.changed]);
    const named = this.data.flatMap(({ components }) => components);
    const twice = named.find((component, i) => named.indexOf(component) !== i);
    if (twice) {
      throw new EclipticError(
        'ecs/invalid-query',
        `${this.toString()} gives "${twice.name}" twice`,
        {
          subjects: { query: this.toString(), component: twice.name },
          fix: 'Use write(C) alone to read and write.',
        },
      );
    }
    if (named.length > MAX_COLUMNS) {
      throw new EclipticError(
        'ecs/invalid-query',
        `${this.toString()} gives ${named.length} components`,
        {
          subjects: { query: this.toString() },
          fix: `At most ${MAX_COLUMNS}: use having(C) for those you don't read.`,
        },
      );
    }
  }

  /** As in errors: `query(write Transform, read Velocity)`. */
  toString(): string {
    const names = Object.keys(TermKind);
    const shown = this.explicit.map(({ kind, components, isOptional }) => {
      const list = components.map(({ name }) => name).join(' ');
      return `${isOptional ? 'optional ' : ''}${names[kind] ?? ''} ${list}`;
    });
    return `query(${shown.join(', ')})`;
  }
}

/**
 * Describes a query. Without terms it matches every entity.
 *
 * @throws EclipticError `ecs/invalid-query` for something that is no term, a component given twice, or more than 8 components given
 *
 * @example
 * ```ts
 * const movers = query(write(Transform), read(Velocity), without(Frozen));
 * scene.query(movers).each((row, transform, velocity) => { … });
 * ```
 */
export function query<const T extends readonly QueryTerm[]>(...terms: T): QueryDescription<T> {
  return new QueryDescription(terms);
}
