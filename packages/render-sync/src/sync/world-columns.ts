import type { QueryTable } from '@ecliptic/ecs';
import { Transform } from '@ecliptic/ecs/components';
import type { PoseSet } from '../hierarchy/pose-set.js';

/** Numbers from which on a block copy is faster than a loop, and worth the views that it needs. */
const BLOCK = 512;

/** Copies world matrices from a {@link PoseSet} to the `world` columns of `Transform`. */
export class WorldColumns {
  /** 1 for nodes whose matrix is to be stored. */
  readonly #fresh: Uint8Array;

  /** @param capacity - most nodes */
  constructor(capacity: number) {
    this.#fresh = new Uint8Array(capacity);
  }

  /**
   * Stores the matrices that the last update computed, and counts their rows as changed. Rows next to each other whose nodes are
   * next to each other, as those of entities that were made one after the other, go at once.
   *
   * @param nodes - node of each row, table after table
   */
  store(
    { updated, updatedCount, world }: PoseSet,
    tables: readonly QueryTable[],
    nodes: Int32Array,
  ): void {
    const fresh = this.#fresh;
    for (let i = 0; i < updatedCount; i++) fresh[updated[i] as number] = 1;
    let first = 0;
    for (const table of tables) {
      const columns = table.column(Transform);
      const end = first + table.count;
      for (let at = first; at < end;) {
        const node = nodes[at] as number;
        let length = 0;
        while (
          at + length < end &&
          nodes[at + length] === node + length &&
          fresh[node + length] === 1
        ) {
          fresh[node + length] = 0;
          length++;
        }
        if (length === 0) {
          at++;
          continue;
        }
        const row = at - first;
        copy(columns.world, row * 16, world, node * 16, length * 16);
        for (let touched = row; touched < row + length; touched++) columns.$touch(touched);
        at += length;
      }
      first = end;
    }
  }
}

function copy(out: Float32Array, o: number, from: Float32Array, f: number, length: number): void {
  if (length >= BLOCK) out.set(from.subarray(f, f + length), o);
  else for (let i = 0; i < length; i++) out[o + i] = from[f + i] as number;
}
