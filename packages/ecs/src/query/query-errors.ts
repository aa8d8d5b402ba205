import { EclipticError } from '@ecliptic/core';
import type { QueryDescription } from './query-description.js';

/** A query of sparse components was asked for columns. */
export function sparseColumns(query: QueryDescription, method: string): EclipticError {
  const names = query.data.flatMap(({ components }) => components);
  const component = names.find(({ storage }) => storage === 'sparse')?.name;
  return new EclipticError(
    'ecs/sparse-columns',
    `${String(query)}: ${method}() has one row for all components, and "${component}" has rows of its own`,
    {
      subjects: { query: String(query), component },
      fix: `Use forEach(), or having(${component}) where you don't need its data.`,
    },
  );
}

/** Rows came or went under a loop. */
export function rowsMoved(query: QueryDescription): EclipticError {
  return new EclipticError(
    'ecs/structural-change-while-iterating',
    `Rows of ${String(query)} moved while it was iterated`,
    {
      subjects: { query: String(query) },
      fix: 'Record structural changes in Commands and flush after the loop. A scene with development: true names the change.',
    },
  );
}

/** Whole tables were asked of a query that picks rows. */
export function rowsDiffer(query: QueryDescription): EclipticError {
  return new EclipticError('ecs/row-filter', `${String(query)} does not select whole tables`, {
    subjects: { query: String(query) },
    fix: 'Use each() or forEach().',
  });
}

/** A scene was used after its end. */
export function sceneDisposed(scene: string): EclipticError {
  return new EclipticError('ecs/scene-disposed', `Scene "${scene}" was disposed`, {
    subjects: { scene },
    fix: 'Make a new scene; drop the queries of the old one with it.',
  });
}
