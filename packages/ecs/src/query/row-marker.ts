import type { QueryMatch } from './query-match.js';
import type { RowSelection } from './select-rows.js';

/** Marks selected rows as changed. One a query, as queries run every tick. */
export class RowMarker implements RowSelection {
  #matches: readonly QueryMatch[] = [];
  #version = 0;
  #index = 0;

  /** Rows of these tables are marked with `version` from now on. */
  begin(matches: readonly QueryMatch[], version: number): void {
    this.#matches = matches;
    this.#version = version;
  }

  table(index: number): void {
    this.#index = index;
  }

  rows(from: number, to: number): void {
    this.#matches[this.#index]?.mark(this.#version, from, to);
  }
}
