import { createUuid } from '@ecliptic/core';
import { LoopCompiler } from './compiled-loops.js';
import { ROW_LOOPS, type RowLoop } from './row-loops.js';
import { VIEW_LOOPS, type ViewLoop } from './view-loops.js';
import { WHOLE_VIEW_LOOPS, type WholeViewLoop } from './whole-view-loops.js';

/** Copies of the loops that there are. */
export const LOOPS = 64;

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
 * same until all are given; the choice begins with a hash of the query, so that several scenes with the same systems use the same copies for
 * them. Scenes with other systems then share one copy in three.
 */
export class LoopChooser {
  readonly #used: number[] = Array.from({ length: LOOPS }, () => 0);
  readonly #allowsCode: boolean = allowsCode();
  /** In the text of all functions that are compiled here: the engine knows functions by their text. */
  readonly #token: string = createUuid();
  #compiled = 0;

  choose(query: string): QueryLoops {
    const copy = this.#copy(query);
    const each = ROW_LOOPS[copy] as RowLoop;
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

  #copy(query: string): number {
    let hash = 0;
    for (let i = 0; i < query.length; i++) hash = Math.imul(hash ^ query.charCodeAt(i), 0x01000193);
    const start = (hash ^ (hash >>> 15)) & (LOOPS - 1);
    const least = Math.min(...this.#used);
    let at = start;
    while (this.#used[at] !== least) at = (at + 1) & (LOOPS - 1);
    this.#used[at] = least + 1;
    return at;
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
