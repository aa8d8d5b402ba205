import { createUuid } from '@ecliptic/core';
import { LoopCompiler } from './compiled-loops.js';
import { NARROW, ROW_LOOPS, type RowLoop } from './row-loops.js';
import { VIEW_LOOPS, type ViewLoop } from './view-loops.js';
import { WHOLE_VIEW_LOOPS, type WholeViewLoop } from './whole-view-loops.js';
import { WIDE_ROW_LOOPS } from './wide-row-loops.js';

/** Copies of the loops that there are. */
export const LOOPS = 64;

/** Queries that are remembered of a copy: one that had so many is no better than any other such. */
const MAX_REMEMBERED = 64;

/** The loops of one query. */
export interface QueryLoops {
  readonly each: RowLoop;
  readonly forEach: ViewLoop;
  /** Makes a faster `forEach` for whole tables, from no text. */
  readonly wholeViews: WholeViewLoop;
  /** Makes faster ones for whole tables, where code can be made from text. */
  readonly compiler: LoopCompiler | undefined;
}

/**
 * Gives each query of a scene loops that no other query runs. Where the page or process allows code to be made from text, they are
 * compiled for this query alone. Elsewhere (a Content-Security-Policy without `unsafe-eval`) they are copies that are there already, no two the
 * same until all are given. Scenes with the same systems use the same copies for them; others share none while there are any that nobody had.
 */
export class LoopChooser {
  /**
   * By copy, the queries that had it, in any scene: a process has one text of a function, and the engine keeps what it learns with that. Only
   * speed depends on it.
   */
  static readonly #had: readonly Set<string>[] = Array.from({ length: LOOPS }, () => new Set());
  /** By copy, how many queries of this scene have it. */
  readonly #used: number[] = Array.from({ length: LOOPS }, () => 0);
  readonly #allowsCode: boolean = allowsCode();
  /** In the text of all functions that are compiled here: the engine knows functions by their text. */
  readonly #token: string = createUuid();
  #compiled = 0;

  /**
   * @param query - its text
   * @param columns - how many the callback of `each` gets
   */
  choose(query: string, columns: number): QueryLoops {
    const copy = this.#allowsCode ? 0 : this.#copy(query);
    const rows = columns > NARROW ? WIDE_ROW_LOOPS : ROW_LOOPS;
    const each = rows[copy % rows.length] as RowLoop;
    const forEach = VIEW_LOOPS[copy] as ViewLoop;
    const wholeViews = WHOLE_VIEW_LOOPS[copy] as WholeViewLoop;
    if (!this.#allowsCode) return { each, forEach, wholeViews, compiler: undefined };
    const token = `${this.#token} ${this.#compiled++}`;
    return {
      each: compiledAnew(each, token),
      forEach: compiledAnew(forEach, token),
      wholeViews,
      compiler: new LoopCompiler(token),
    };
  }

  /** Of the copies that this scene uses least, one that had this very query, else the one that had fewest others. */
  #copy(query: string): number {
    const least = Math.min(...this.#used);
    let chosen = 0;
    let fewest = Infinity;
    for (const [copy, queries] of LoopChooser.#had.entries()) {
      if (this.#used[copy] !== least) continue;
      const others = queries.has(query) ? -1 : queries.size;
      if (others >= fewest) continue;
      chosen = copy;
      fewest = others;
    }
    const had = LoopChooser.#had[chosen] as Set<string>;
    if (had.size < MAX_REMEMBERED) had.add(query);
    this.#used[chosen] = least + 1;
    return chosen;
  }
}

/** A function of the same text, which must use nothing around it, and the token. */
function compiledAnew<F extends RowLoop | ViewLoop>(loop: F, token: string): F {
  // oxlint-disable-next-line typescript/no-implied-eval -- only where allowed, and of this package's own text
  return new Function(`return ${loop.toString()} // ${token}`)() as F;
}

/** Whether functions can be made from text, and give their text. */
function allowsCode(): boolean {
  try {
    return compiledAnew(ROW_LOOPS[0] as RowLoop, '').length === 1;
  } catch {
    // A policy forbids it: nothing is wrong.
    return false;
  }
}
