import type { QueryMatch } from './query-match.js';
import type { Query } from './query.js';
import type { QueryViews } from './query-views.js';
import type { RowCallback } from './row-loops.js';
import type { ViewCallback } from './view-loops.js';
import type { View } from '../views/view.js';

/** Runs a query's callback over all rows of tables. */
export type WholeLoop<F> = (matches: readonly QueryMatch[], fn: F) => void;

type Constants = Record<string, unknown>;

const COLUMNS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/**
 * Makes loops for one query alone, over whole tables, from text: they do less for each table than the copies that serve any run, and
 * nothing but what the query needs.
 */
export class LoopCompiler {
  readonly #token: string;

  /** @param token - a text of its own, as the engine knows functions by their text */
  constructor(token: string) {
    this.#token = token;
  }

  /** For `each`. The engine doubts that a count is an integer where it is only compared: with optional columns a loop takes a fifth longer then. */
  rows(query: Query): WholeLoop<RowCallback> {
    const columns = COLUMNS.slice(0, query.description.data.length);
    return this.#compile<RowCallback>(
      `const { ${['table', ...columns].join(', ')} } = l[m], { moves } = table, count = table.count | 0;
      for (let row = 0; row < count; row++) fn(${['row', ...columns].join(', ')});`,
      { query },
    );
  }

  /**
   * For `forEach`, with the views and their cursor as constants: the engine then knows that the views are not one and the same, and that
   * the row stored in the cursor is what their accessors will find, and keeps row and columns in registers.
   *
   * There are hardly enough registers. So the row is counted before it is used: that one and the next are never needed at once.
   */
  views(query: Query, views: QueryViews): WholeLoop<ViewCallback> {
    const constants: Constants = { query, views, cursor: views.cursor };
    const given = ['entities[row]'];
    let bind = '';
    for (const [i, term] of views.terms.entries()) {
      if (!term) {
        given.push('undefined');
        continue;
      }
      const name = `v${i}`;
      const set = `s[${i}]`;
      const isOptional = query.description.data[i]?.isOptional === true;
      constants[name] = term.view;
      const text = bindText(term.view, name, set, constants);
      bind += isOptional
        ? `let o${i}; if (${set}) { o${i} = ${name}; ${text} }\n`
        : `{ ${text} }\n`;
      given.push(isOptional ? `o${i}` : name);
    }
    return this.#compile<ViewCallback>(
      `const { table, sets: s } = l[m], { moves, entities, count } = table, last = count - 1;
      if (count === 0) continue;
      views.entities = entities;
      ${bind}
      for (let row = -1; row < last;) {
        row++;
        cursor.row = row;
        fn(${given.join(', ')});
      }`,
      constants,
    );
  }

  /** @param visit - visits one table, which it calls `table`, and takes down its `moves` before */
  #compile<F>(visit: string, constants: Constants): WholeLoop<F> {
    const text = `return function (l, fn) {
      for (let m = 0; m < l.length; m++) {
        ${visit}
        if (table.moves !== moves) query.$failMoved();
      }
    } // ${this.#token}`;
    // oxlint-disable-next-line typescript/no-implied-eval -- only where allowed, and of this package's own text
    const make = new Function(...Object.keys(constants), text);
    return make(...Object.values(constants)) as WholeLoop<F>;
  }
}

/**
 * Shows other columns, as `View.$bind` does, without a loop. The cursor is what the views have already, but the engine doesn't know that:
 * without this store it reads the row from memory again in each accessor, and a loop takes 1.2 to 1.7 times as long.
 */
function bindText(view: View, name: string, set: string, constants: Constants): string {
  // Parts of a view with checks may come later.
  if (view.$guard) return `${name}.$bind(${set}.list);`;
  let text = `const { list } = ${set}; ${name}.$columns = list; ${name}.$cursor = cursor;`;
  for (const [i, slot] of view.$scalars.entries()) text += ` ${name}.$s${i} = list[${slot}];`;
  for (const [slot, part] of view.$parts.entries()) {
    if (!part) continue;
    constants[`${name}p${slot}`] = part;
    text += ` ${name}p${slot}.$array = list[${slot}]; ${name}p${slot}.$cursor = cursor;`;
  }
  return text;
}
