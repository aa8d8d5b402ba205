import type { System } from '../system/system.js';
import { CostModel } from './cost-model.js';
import type { QueryShape } from './job-runner.js';
import { shapesOf } from './worker-system.js';

/** What a registered worker system has beside the others: its place in the shared layout, and what sharing it costs. */
export class WorkerLink {
  /** Number of its first query in the layout; the others follow. */
  readonly firstQuery: number;
  readonly shapes: readonly QueryShape[];
  readonly cost: CostModel = new CostModel();
  /** Rows of its first query in this wave. */
  rows = 0;
  /** Shared out in this wave. */
  shared = false;
  /** Nanoseconds that it ran on the owner's thread, as part of this wave's jobs. */
  busy = 0;

  constructor(system: System, firstQuery: number) {
    this.firstQuery = firstQuery;
    this.shapes = shapesOf(system);
  }
}
