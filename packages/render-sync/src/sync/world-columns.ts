import type { QueryTable } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import type { PoseKernel } from '../hierarchy/pose-kernel.js';
import type { PoseSet } from '../hierarchy/pose-set.js';
import type { NodeRows } from '../hierarchy/row-kernel.js';

/** Copies world matrices from a {@link PoseSet} to the `world` columns of `Transform`. */
export class WorldColumns {
  readonly #kernel: PoseKernel;
  /** 1 for nodes whose matrix is to be stored. */
  readonly #fresh: Uint8Array;

  /** @param capacity - most nodes */
  constructor(capacity: number, kernel: PoseKernel) {
    this.#kernel = kernel;
    this.#fresh = kernel.rowMemory.uint8(capacity);
  }

  /**
   * Stores the matrices that the last update computed, and counts their rows as changed.
   *
   * @param rows - nodes of the rows, table after table
   */
  store(
    { updated, updatedCount, world }: PoseSet,
    tables: readonly QueryTable[],
    rows: NodeRows,
  ): void {
    const { nodes } = rows;
    const { rows: kernel } = this.#kernel;
    const fresh = this.#fresh;
    for (let i = 0; i < updatedCount; i++) fresh[updated[i] as number] = 1;
    rows.first = 0;
    for (const table of tables) {
      const columns = table.column(Transform);
      rows.count = table.count;
      const stored = kernel.storeWorlds(rows, fresh, world, columns.world);
      const isWhole = stored === table.count;
      for (let row = 0; stored > 0 && row < table.count; row++) {
        if (isWhole || fresh[nodes[rows.first + row] as number] === 1) columns.$touch(row);
      }
      rows.first += table.count;
    }
    for (let i = 0; i < updatedCount; i++) fresh[updated[i] as number] = 0;
  }
}
