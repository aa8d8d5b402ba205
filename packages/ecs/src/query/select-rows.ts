import { CHUNK_SHIFT } from '../storage/chunk-versions.js';
import type { QueryMatch } from './query-match.js';

/** Takes the rows that a query selects, in visiting order: see `Query.select`. */
export interface RowSelection {
  /** A table that `tables()` would give, by its position in `matches`; its selected rows follow. */
  table(index: number): void;
  /** Rows `from` to `to - 1` of that table, which `each` would visit. */
  rows(from: number, to: number): void;
}

/** Shows a selection what a query, which ran last at `since`, would visit of these tables. */
export function selectRows(
  matches: readonly QueryMatch[],
  since: number,
  selection: RowSelection,
): void {
  for (let index = 0; index < matches.length; index++) {
    const match = matches[index] as QueryMatch;
    const { count } = match.table;
    if (count === 0 || !match.mayPass(count, since)) continue;
    selection.table(index);
    selectRowsOf(match, count, since, selection);
  }
}

function selectRowsOf(
  match: QueryMatch,
  count: number,
  since: number,
  selection: RowSelection,
): void {
  let from = -1;
  for (let row = 0; row < count;) {
    if (match.passes(row, since)) {
      if (from < 0) from = row;
    } else if (from >= 0) {
      selection.rows(from, row);
      from = -1;
    }
    // Rows of a chunk pass or fail together where no filter tells them apart.
    row = match.isWhole ? ((row >> CHUNK_SHIFT) + 1) << CHUNK_SHIFT : row + 1;
  }
  if (from >= 0) selection.rows(from, count);
}
