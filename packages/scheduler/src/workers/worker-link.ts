import type { Query } from '@ecliptic/ecs';
import type { SystemEntry } from '../tick/system-entry.js';
import { CostModel } from './cost-model.js';
import type { QueryShape } from './job-runner.js';
import { shapesOf } from './worker-system.js';

/** Inline runs of a system with a filtered query, between two whose rows are counted. */
const UNLOOKED = 7;

/** What a registered worker system has beside the others: its place in the shared layout, and what sharing it costs. */
export class WorkerLink {
  /** Number of its first query in the layout; the others follow. */
  readonly firstQuery: number;
  readonly queries: readonly { readonly query: Query; readonly shape: QueryShape }[];
  readonly cost: CostModel = new CostModel();
  /** Rows of its first query in this wave, 0 where they were not counted. */
  rows = 0;
  /** Shared out in this wave. */
  shared = false;
  /** Nanoseconds that it ran on the owner's thread, as part of this wave's jobs. */
  busy = 0;

  /** Runs until the rows of a filtered query are counted again. */
  #unlooked = 0;

  /**
   * Whether it is time to find out how many rows there are. Where a query visits some rows of its tables, that is about the
   * work of a light system: it is done seldom while the system runs inline.
   */
  looks(): boolean {
    if (this.queries[0]?.shape.filter === 'none' || this.cost.sharing) return true;
    if (this.#unlooked > 0) {
      this.#unlooked--;
      return false;
    }
    this.#unlooked = UNLOOKED;
    return true;
  }

  /** Nanoseconds that this wave's rows would take inline. */
  get expected(): number {
    return this.rows * this.cost.perRow;
  }

  constructor({ system, queries }: SystemEntry, firstQuery: number) {
    this.firstQuery = firstQuery;
    const prepared = Object.values(queries);
    this.queries = shapesOf(system).flatMap((shape, i) => {
      const query = prepared[i];
      return query === undefined ? [] : [{ query, shape }];
    });
  }
}
