import { hasBit, setBit } from './bit-array.js';
import { computeWorld } from './compute-world.js';
import { setLocal, storeWorld } from './javascript-row-kernel.js';
import type { RowPoses } from './pose-kernel.js';
import type { NodeRows, WorldRows } from './row-kernel.js';

/** The JavaScript twin of `updateRows` in rows.as. See {@link PoseKernel.updateRows}. */
export function updateRows(
  { nodes, first, count }: NodeRows,
  poses: RowPoses,
  otherBits: Int32Array,
  { position, rotation, scale, world: out }: WorldRows,
  changed: Int32Array,
): void {
  const { local, world, updated, bad, counts, dirtyBits, freshBits, unstoredBits } = poses;
  const { parent } = poses.tree;
  let computed = counts[0] as number;
  let badCount = counts[1] as number;
  let stored = 0;
  for (let row = 0; row < count; row++) {
    const node = nodes[first + row] as number;
    const up = parent[node] as number;
    const isOther = setLocal(local, node, position, row * 3, rotation, row * 4, scale, row * 3);
    const isFresh = isOther || hasBit(dirtyBits, node) || (up >= 0 && hasBit(freshBits, up));
    if (isFresh) {
      setBit(freshBits, node);
      updated[computed++] = node;
      if (!computeWorld(node, up, local, world)) {
        bad[node] = 1;
        badCount++;
      }
    }
    if ((isFresh || hasBit(unstoredBits, node)) && storeWorld(world, node, out, row)) {
      setBit(otherBits, node);
      changed[stored++] = row;
    }
  }
  counts[0] = computed;
  counts[1] = badCount;
  counts[2] = stored;
}
