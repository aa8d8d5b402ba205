import type { Query, RowSelection } from '@ecliptic/ecs';
import type { PartLayout } from './part-layout.js';
import type { RowRuns } from './row-runs.js';

/** Writes down which rows a query selects now, for the jobs of a wave. */
export class LayoutSelection implements RowSelection {
  readonly #layout: PartLayout;
  #number = 0;
  #runs: RowRuns | undefined = undefined;
  #part = 0;
  #first = 0;
  #rows = 0;

  constructor(layout: PartLayout) {
    this.#layout = layout;
  }

  /**
   * @param number - of the query in the layout
   * @returns how many rows there are; 0 also where its tables are too many to be shared
   */
  write(number: number, query: Query): number {
    const tables = query.matches().length;
    if (tables > this.#layout.memory.maxParts) return 0;
    this.#number = number;
    this.#runs = this.#layout.runs[number];
    this.#runs?.clear();
    this.#part = -1;
    this.#rows = 0;
    for (let part = 0; part < tables; part++) this.#layout.setRuns(number, part, 0, undefined);
    query.select(this);
    this.#close();
    return this.#rows;
  }

  table(index: number): void {
    this.#close();
    this.#part = index;
    this.#first = this.#runs?.count ?? 0;
  }

  rows(from: number, to: number): void {
    this.#runs?.add(from, to);
    this.#rows += to - from;
  }

  #close(): void {
    if (this.#part < 0 || this.#runs === undefined) return;
    this.#layout.setRuns(this.#number, this.#part, this.#first, this.#runs.count - this.#first);
  }
}
