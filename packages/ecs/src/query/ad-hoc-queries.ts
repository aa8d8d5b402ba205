import { EclipticError } from '@ecliptic/core';
import type { Component } from '../schema/component.js';
import { QueryDescription } from './query-description.js';
import type { Query } from './query.js';
import { Term, TermKind, type QueryTerm } from './term.js';

class Node {
  query: Query | undefined = undefined;
  /** By component, then by kind of term and whether it is optional. */
  readonly next = new Map<Component, (Node | undefined)[]>();
}

/** Queries that were asked for by their terms, kept for the next time. There are as many as different lists of terms. */
export class AdHocQueries {
  readonly #root = new Node();
  readonly #prepare: (description: QueryDescription) => Query;

  constructor(prepare: (description: QueryDescription) => Query) {
    this.#prepare = prepare;
  }

  /** The query of these terms. Allocates only the first time. */
  find(terms: readonly QueryTerm[]): Query {
    let node = this.#root;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as QueryTerm;
      if (!(term instanceof Term)) {
        node = step(node, term, TermKind.write * 4);
        continue;
      }
      const { components } = term;
      for (let c = 0; c < components.length; c++) {
        const last = c === components.length - 1;
        // The end of a list of components is part of its way.
        const code = term.kind * 4 + (term.isOptional ? 2 : 0) + (last ? 0 : 1);
        node = step(node, components[c] as Component, code);
      }
    }
    return (node.query ??= this.#first(terms));
  }

  #first(terms: readonly QueryTerm[]): Query {
    const description = new QueryDescription(terms);
    if (description.explicit.some(({ kind }) => kind >= TermKind.added)) {
      throw new EclipticError(
        'ecs/ad-hoc-observer',
        `${description.toString()} watches changes and is not kept`,
        {
          subjects: { query: description.toString() },
          fix: 'Prepare it once with scene.query(…), and iterate that.',
        },
      );
    }
    return this.#prepare(description);
  }
}

function step(node: Node, component: Component, code: number): Node {
  let kinds = node.next.get(component);
  if (!kinds) {
    kinds = [];
    node.next.set(component, kinds);
  }
  return (kinds[code] ??= new Node());
}
