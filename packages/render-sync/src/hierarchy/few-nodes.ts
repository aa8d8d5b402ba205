import { LOCAL_FLOATS, type PoseArrays, type PoseKernel } from './pose-kernel.js';

/** Nodes that are read ahead: what they need fits into a first-level cache. */
const BLOCK = 64;

/**
 * Computes few nodes among many. What they need is not in the cache: a block at a time, a loop that does nothing but read has
 * many reads under way at once, where the kernel would wait for each node's.
 */
export class FewNodes {
  readonly #kernel: PoseKernel;
  /** Keeps the reads from being optimised away. */
  readonly #touched = new Float64Array(1);

  constructor(kernel: PoseKernel) {
    this.#kernel = kernel;
  }

  /** As {@link PoseKernel.propagate}, of the first `count` nodes of `updated`. */
  propagate(poses: PoseArrays, count: number): number {
    const { updated, local, world } = poses;
    const { parent } = poses.tree;
    let badCount = 0;
    let sum = 0;
    for (let start = 0; start < count; start += BLOCK) {
      const end = Math.min(count, start + BLOCK);
      for (let i = start; i < end; i++) {
        const node = updated[i] as number;
        const a = node * LOCAL_FLOATS;
        const o = node * 16;
        const up = Math.max(0, parent[node] as number) * 16;
        // First and last: a record may lie in two cache lines.
        sum += (local[a] as number) + (local[a + 10] as number);
        sum += (world[o] as number) + (world[o + 15] as number);
        sum += (world[up] as number) + (world[up + 15] as number);
      }
      badCount += this.#kernel.propagate(poses, start, end);
    }
    this.#touched[0] = sum;
    return badCount;
  }
}
