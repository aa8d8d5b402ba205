import type { QueryMatch } from './query-plan.js';
import type { Query } from './query.js';
import type { QueryViews } from './query-views.js';
import type { ViewCallback } from './view-loops.js';

/** Runs a query's callback over all rows of tables, with the views that it was compiled for. */
export type OwnViewLoop = (matches: readonly QueryMatch[], fn: ViewCallback) => void;

/** Makes the loop of one query. */
export type ViewLoopCompiler = (query: Query, views: QueryViews) => OwnViewLoop;

/**
 * Compiles a loop over whole tables for one query, with its views as constants. The engine then knows that a row stored in one is not
 * the row of another, and keeps rows and columns in registers; views that it finds in variables might all be one.
 *
 * @param token - a text of its own, as the engine knows functions by their text
 */
export function compileViewLoop(token: string, query: Query, views: QueryViews): OwnViewLoop {
  const terms = views.terms.map((term, i) => {
    const view = `v${i}`;
    const set = `s[${i}]`;
    const isOptional = query.description.data[i]?.isOptional === true;
    return {
      term,
      view,
      bind: term ? `${isOptional ? `if (${set}) ` : ''}${view}.$bind(${set}.list);` : '',
      move: term ? `${view}.$row = row;` : '',
      shown: isOptional ? `${set} && ${view}` : view,
    };
  });
  const all = (part: 'bind' | 'move'): string => terms.map((term) => term[part]).join(' ');
  const text = `return function (l, fn) {
    for (let m = 0; m < l.length; m++) {
      const { table, sets: s } = l[m], { moves, entities } = table, end = table.count;
      if (end === 0) continue;
      views.entities = entities;
      ${all('bind')}
      for (let row = 0; row < end; row++) {
        ${all('move')}
        fn(${['entities[row]', ...terms.map(({ shown }) => shown)].join(', ')});
      }
      if (table.moves !== moves) query.$failMoved();
    }
  } // ${token}`;
  // oxlint-disable-next-line typescript/no-implied-eval -- only where allowed, and of this package's own text
  const make = new Function('query', 'views', ...terms.map(({ view }) => view), text);
  return make(query, views, ...terms.map(({ term }) => term?.view)) as OwnViewLoop;
}
