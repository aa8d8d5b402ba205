/**
 * The row that views show. All views of a query's tables share one, so that going on to the next row is one store, whatever their number:
 * with a row in each view, those stores and the registers they take are most of what a short callback costs.
 */
export class RowCursor {
  declare row: number;

  constructor() {
    this.row = 0;
  }
}
