import { computeWorld } from './compute-world.js';
import type { PoseArrays, PoseKernel } from './pose-kernel.js';
import { javascriptRowKernel } from './javascript-row-kernel.js';
import { heapMemory } from './pose-memory.js';
import { updateRows } from './update-rows.js';

/** The kernel in JavaScript: runs anywhere, keeps nothing, so one serves all. */
export const javascriptPoseKernel: PoseKernel = {
  backend: 'javascript',
  memory: heapMemory,
  rows: javascriptRowKernel,
  rowMemory: heapMemory,
  inArena: () => javascriptPoseKernel,
  propagate,
  updateRows,
};

function propagate(poses: PoseArrays, start: number, end: number): number {
  const { local, world, updated, bad } = poses;
  const { parent } = poses.tree;
  let badCount = 0;
  for (let i = start; i < end; i++) {
    const node = updated[i] as number;
    if (computeWorld(node, parent[node] as number, local, world)) continue;
    bad[node] = 1;
    badCount++;
  }
  return badCount;
}
