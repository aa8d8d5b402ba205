import type { QueryTable } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import type { PoseKernel } from '../hierarchy/pose-kernel.js';
import type { PoseSet } from '../hierarchy/pose-set.js';
import type { NodeRows } from '../hierarchy/row-kernel.js';

/** Brings world matrices from a {@link PoseSet} to the `world` columns of `Transform`. */
export class WorldColumns {
  readonly #kernel: PoseKernel;
  /** Rows of one table whose matrix is another than before. */
  readonly #changed: Int32Array;

  /** @param capacity - most nodes */
  constructor(capacity: number, kernel: PoseKernel) {
    this.#kernel = kernel;
    this.#changed = kernel.rowMemory.int32(capacity);
  }

  /**
   * Computes the matrices that follow from the rows, and stores them, in one walk. Where rows come after those of their parents.
   *
   * @returns how many were computed
   */
  update(poses: PoseSet, other: PoseSet, tables: readonly QueryTable[], rows: NodeRows): number {
    const changed = this.#changed;
    poses.beginRows();
    rows.first = 0;
    for (const table of tables) {
      const columns = table.column(Transform);
      rows.count = table.count;
      const count = poses.updateRows(rows, columns, other, changed);
      for (let i = 0; i < count; i++) columns.$touch(changed[i] as number);
      rows.first += table.count;
    }
    return poses.endRows();
  }

  /**
   * Stores the matrices that are not in the columns yet, and counts the rows whose matrix was another as changed.
   *
   * @param other - set whose matrices those may be, which are no longer
   * @param rows - nodes of the rows, table after table
   */
  store(poses: PoseSet, other: PoseSet, tables: readonly QueryTable[], rows: NodeRows): void {
    const { rows: kernel } = this.#kernel;
    const changed = this.#changed;
    rows.first = 0;
    for (const table of tables) {
      const columns = table.column(Transform);
      rows.count = table.count;
      const count = kernel.storeWorlds(rows, poses, other.unstoredBits, columns.world, changed);
      for (let i = 0; i < count; i++) columns.$touch(changed[i] as number);
      rows.first += table.count;
    }
    poses.unstoredBits.fill(0);
  }
}
