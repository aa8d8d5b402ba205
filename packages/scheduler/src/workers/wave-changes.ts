import type { SystemEntry } from '../tick/system-entry.js';
import type { FrameBlock } from './frame-block.js';
import type { QueryUses } from './query-uses.js';
import { QueryUse } from './slice-query.js';
import type { TouchRecord } from './touch-log.js';
import type { WorkerLink } from './worker-link.js';

/** Has the scene know what the jobs of a wave changed, as if their systems had run here. */
export class WaveChanges {
  readonly #entries: readonly SystemEntry[];
  /** How jobs used their queries, by thread. */
  readonly #uses: readonly QueryUses[];

  /** @param entries - all systems, in order of registration */
  constructor(frame: FrameBlock, entries: readonly SystemEntry[]) {
    this.#entries = entries;
    this.#uses = Array.from({ length: frame.memory.workers + 1 }, (_, i) => frame.usesOf(i));
  }

  /** Has the queries that jobs iterated count that as a run: what was written is marked as changed. */
  endRuns({ firstQuery, queries }: WorkerLink): void {
    for (let i = 0; i < queries.length; i++) {
      let used = 0;
      for (const uses of this.#uses) used |= uses.take(firstQuery + i);
      if ((used & QueryUse.each) !== 0) queries[i]?.query.ran('each');
      if ((used & QueryUse.tables) !== 0) queries[i]?.query.ran('tables');
    }
  }

  /** Marks the rows that systems reported as changed. */
  touch(records: readonly TouchRecord[]): void {
    for (const { system, part, component, from, to } of records) {
      const first = this.#entries[system]?.link?.queries[0];
      const type = first?.shape.components[component];
      const columns = type && first.query.matches()[part]?.column(type);
      for (let row = from; row < to; row++) columns?.$touch(row);
    }
  }
}
