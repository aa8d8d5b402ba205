import { EclipticError } from '@ecliptic/core';
import { TermKind, type Component, type QueryDescription } from '@ecliptic/ecs';
import { termsOf } from '../system/query-guard.js';
import type { System } from '../system/system.js';
import type { QueryShape, RunnableSystem } from './job-runner.js';
import type { QueryFilter } from './slice-query.js';

/** What a thread must know of a system's queries. */
export function shapesOf(system: System): QueryShape[] {
  return Object.entries(system.queries).map(([name, query]) => {
    const data = termsOf(query).filter(
      ({ kind }) => kind === TermKind.read || kind === TermKind.write,
    );
    return {
      name,
      components: data.flatMap(({ components }) => components),
      optional: data.map(({ isOptional }) => isOptional),
      writes: data.map(({ kind }) => kind === TermKind.write),
      filter: filterOf(query),
    };
  });
}

/** Which rows of the tables that it matches a query visits. */
function filterOf(query: QueryDescription): QueryFilter {
  let filter: QueryFilter = 'none';
  for (const { kind, components, isOptional } of termsOf(query)) {
    if (isOptional) continue;
    const exact = components.some(
      ({ storage, trackChanges }) =>
        storage === 'sparse' || (kind === TermKind.changed && trackChanges === 'rows'),
    );
    if (exact || kind === TermKind.added || kind === TermKind.removed) return 'rows';
    if (kind === TermKind.changed) filter = 'chunks';
  }
  return filter;
}

/** Columns of a query in the layout: entities, then all fields of all components. */
export function columnCount({ components }: QueryShape): number {
  return components.reduce((sum, { fields }) => sum + fields.length, 1);
}

/** Fields of a component as text, to compare the definitions of two threads. */
export function layoutOf({ fields }: Component): string {
  return fields
    .map(({ name, field }) => `${name}:${field.kind}:${field.element}:${field.bytes}`)
    .join();
}

/** Queries and columns of a system as text, to compare the definitions of two threads. */
export function signatureOf(system: System): string {
  const queries = Object.entries(system.queries).map(([name, query]) => {
    const terms = termsOf(query).map(({ kind, components, isOptional }) => {
      const types = components.map((component) => `${component.name}(${layoutOf(component)})`);
      return `${kind}${isOptional ? '?' : ''}${types.join('+')}`;
    });
    return `${name}[${terms.join(' ')}]`;
  });
  return queries.join('; ');
}

/** The system as a thread runs it. */
export function runnable(system: System, firstQuery: number): RunnableSystem {
  const { hooks } = system;
  return {
    name: system.name,
    firstQuery,
    shapes: shapesOf(system),
    // Worker systems are typed to use of queries and context what slices and jobs have.
    update: (queries, context) => hooks.update(queries as never, context as never),
  };
}

/**
 * Whether a system that says so can run on workers, in pieces.
 *
 * @throws EclipticError `scheduler/not-worker-safe`
 */
export function requireWorkerSafe(system: System): void {
  const [first, ...others] = Object.values(system.queries);
  const refuse = (problem: string, fix: string): never => {
    throw new EclipticError(
      'scheduler/not-worker-safe',
      `System "${system.name}" can't run on workers: ${problem}`,
      { subjects: { system: system.name }, fix },
    );
  };
  if (first === undefined) {
    return refuse('it has no query', 'Give it one whose rows can be shared out, or drop worker.');
  }
  if (system.async || system.hooks.state !== undefined) {
    refuse('it is asynchronous or has state', 'Keep its data in components, or drop worker.');
  }
  for (const query of [first, ...others]) {
    for (const { kind, components, isOptional } of termsOf(query)) {
      for (const component of components) checkComponent(component, kind, isOptional);
    }
  }
  for (const query of others) {
    if (query.writes.length > 0) {
      refuse(
        `${query.toString()} writes`,
        'Only the first query, which is split by rows, may write.',
      );
    }
    const shared = query.reads.find((component) => first.writes.includes(component));
    if (shared !== undefined) {
      refuse(
        `${query.toString()} reads "${shared.name}", which other pieces write at the same time`,
        'Read what the previous system wrote to another component, or drop worker.',
      );
    }
  }

  function checkComponent(component: Component, kind: TermKind, isOptional: boolean): void {
    const { name, hasObjects, isTag, storage } = component;
    const isData = kind === TermKind.read || kind === TermKind.write;
    if (isData && storage === 'sparse') {
      refuse(
        `sparse "${name}" has no columns beside those of tables`,
        `Use having(${name}) where its data is not needed, or store it in tables.`,
      );
    }
    if (isData && hasObjects) {
      refuse(`"${name}" has object() fields`, 'Only typed columns are shared with workers.');
    }
    if (isData && isOptional && isTag) {
      refuse(`optional "${name}" has no columns`, 'Use having() or without() in two systems.');
    }
  }
}
