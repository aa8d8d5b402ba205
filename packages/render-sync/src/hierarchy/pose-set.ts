import { EclipticError } from '@ecliptic/core';
import { javascriptPoseKernel } from './javascript-pose-kernel.js';
import type { PoseKernel } from './pose-kernel.js';
import { NO_NODE } from './parent-links.js';
import type { TransformTree } from './transform-tree.js';

/**
 * Local transforms of the nodes of a {@link TransformTree}, and the world matrices that follow from
 * them: those of what was changed, and of what is below it, are computed by
 * {@link PoseSet.update}; nothing else is touched.
 *
 * A node whose world matrix would not be finite is quarantined: it keeps its last good one (the
 * identity, if it never had one), so that what is below it stays sane too, and is listed in
 * {@link PoseSet.quarantined} until it is finite again.
 *
 * @example
 * ```ts
 * poses.set(node, position, 0, rotation, 0, scale, 0);
 * poses.update();
 * poses.world.subarray(node * 16, node * 16 + 16);
 * ```
 */
export class PoseSet {
  readonly tree: TransformTree;
  /** 3 numbers a node. */
  readonly position: Float32Array;
  /** 4 numbers a node: x, y, z, w. */
  readonly rotation: Float32Array;
  /** 3 numbers a node. */
  readonly scale: Float32Array;
  /** 16 numbers a node, column-major. */
  readonly world: Float32Array;
  /** Nodes that the last {@link PoseSet.update} computed, parents first; the first `updatedCount` count. */
  readonly updated: Int32Array;
  updatedCount = 0;
  /** How many of them would not be finite. */
  badCount = 0;
  /** 1 for nodes whose world matrix would not be finite. */
  readonly bad: Uint8Array;
  readonly #kernel: PoseKernel;
  /** A bit a node. */
  #dirty: Uint32Array;
  /** Scratch of {@link PoseSet.#collectFrom}: 1 for nodes that were found to be dirty. */
  readonly #marks: Uint8Array;
  /** Keeps the reads of {@link PoseSet.#touch} from being optimised away. */
  readonly #touched = new Float64Array(1);

  /** @param kernel - what computes the matrices; the tree must be in its memory. Default: JavaScript */
  constructor(tree: TransformTree, kernel: PoseKernel = javascriptPoseKernel) {
    const { capacity } = tree;
    const { memory } = kernel;
    this.tree = tree;
    this.position = memory.float32(capacity * 3);
    this.rotation = memory.float32(capacity * 4);
    this.scale = memory.float32(capacity * 3);
    this.world = memory.float32(capacity * 16);
    this.updated = memory.int32(capacity);
    this.bad = memory.uint8(capacity);
    this.#kernel = kernel;
    this.#dirty = new Uint32Array((capacity >>> 5) + 1);
    this.#marks = new Uint8Array(capacity);
  }

  /** Gives a node that was just added the identity. */
  reset(node: number): void {
    this.position.fill(0, node * 3, node * 3 + 3);
    this.scale.fill(1, node * 3, node * 3 + 3);
    this.rotation.fill(0, node * 4, node * 4 + 3);
    this.rotation[node * 4 + 3] = 1;
    this.world.fill(0, node * 16, node * 16 + 16);
    for (let axis = 0; axis < 4; axis++) this.world[node * 16 + axis * 5] = 1;
    this.bad[node] = 0;
    this.markDirty(node);
  }

  /** Says that a node's local transform, or its parent, changed. What is below it follows by itself. */
  markDirty(node: number): void {
    const word = node >>> 5;
    this.#dirty[word] = (this.#dirty[word] as number) | (1 << (node & 31));
  }

  /** Forgets a node that is removed from the tree. */
  drop(node: number): void {
    const word = node >>> 5;
    this.#dirty[word] = (this.#dirty[word] as number) & ~(1 << (node & 31));
    this.bad[node] = 0;
  }

  /**
   * Sets a node's local transform, if it is another than before.
   *
   * @returns whether it was
   */
  set(
    node: number,
    position: Float32Array,
    p: number,
    rotation: Float32Array,
    r: number,
    scale: Float32Array,
    s: number,
  ): boolean {
    const a = node * 3;
    const b = node * 4;
    const mine = this.position;
    const turn = this.rotation;
    const size = this.scale;
    if (
      mine[a] === position[p] &&
      mine[a + 1] === position[p + 1] &&
      mine[a + 2] === position[p + 2] &&
      turn[b] === rotation[r] &&
      turn[b + 1] === rotation[r + 1] &&
      turn[b + 2] === rotation[r + 2] &&
      turn[b + 3] === rotation[r + 3] &&
      size[a] === scale[s] &&
      size[a + 1] === scale[s + 1] &&
      size[a + 2] === scale[s + 2]
    ) {
      return false;
    }
    mine[a] = position[p] as number;
    mine[a + 1] = position[p + 1] as number;
    mine[a + 2] = position[p + 2] as number;
    turn[b] = rotation[r] as number;
    turn[b + 1] = rotation[r + 1] as number;
    turn[b + 2] = rotation[r + 2] as number;
    turn[b + 3] = rotation[r + 3] as number;
    size[a] = scale[s] as number;
    size[a + 1] = scale[s + 1] as number;
    size[a + 2] = scale[s + 2] as number;
    this.markDirty(node);
    return true;
  }

  /**
   * Computes the world matrices of dirty nodes and of all below them.
   * O(nodes / 32 + computed); allocates nothing.
   *
   * @returns how many were computed; they are in {@link PoseSet.updated}
   * @throws EclipticError `render-sync/tree-unsettled` when parents changed and the tree was not settled
   */
  update(): number {
    if (!this.tree.isSorted) {
      throw new EclipticError('render-sync/tree-unsettled', 'Parents changed since settle()', {
        fix: 'Call tree.settle() and renumber() what follows it, then update().',
      });
    }
    this.updatedCount = this.#collect();
    if (this.updatedCount < this.tree.end >>> 4) this.#touch(this.updatedCount);
    this.badCount = this.updatedCount > 0 ? this.#kernel.propagate(this, this.updatedCount) : 0;
    return this.updatedCount;
  }

  /** Nodes without a finite world matrix just now. O(nodes). */
  quarantined(): number[] {
    const nodes: number[] = [];
    for (let node = 0; node < this.tree.end; node++) if (this.bad[node] === 1) nodes.push(node);
    return nodes;
  }

  /**
   * Follows a renumbering.
   *
   * @param order - what {@link TransformTree.settle} returned
   */
  renumber(order: Int32Array): void {
    const wasDirty = this.#dirty;
    this.#dirty = new Uint32Array(wasDirty.length);
    gather(this.position, order, 3);
    gather(this.rotation, order, 4);
    gather(this.scale, order, 3);
    gather(this.world, order, 16);
    gather(this.bad, order, 1);
    for (let node = 0; node < order.length; node++) {
      const old = order[node] as number;
      if (((wasDirty[old >>> 5] as number) >>> (old & 31)) & 1) this.markDirty(node);
    }
  }

  /**
   * Lists the dirty nodes and all below them, ascending, and marks everything clean. A dirty node marks its
   * children: they have greater numbers, so they are still to come. When much is dirty it is cheaper the other way
   * round: each node looks at its parent.
   */
  #collect(): number {
    const { updated } = this;
    const { firstChild, nextSibling, end } = this.tree;
    const dirty = this.#dirty;
    const words = (end + 31) >>> 5;
    let count = 0;
    for (let word = 0; word < words; word++) {
      if (count > end >>> 4) return this.#collectFrom(word, words, count);
      for (let bits = dirty[word] as number; bits !== 0; bits = dirty[word] as number) {
        const bit = 31 - Math.clz32(bits & -bits);
        dirty[word] = bits & ~(1 << bit);
        const node = word * 32 + bit;
        updated[count++] = node;
        let child = firstChild[node] as number;
        for (; child !== NO_NODE; child = nextSibling[child] as number) {
          const at = child >>> 5;
          dirty[at] = (dirty[at] as number) | (1 << (child & 31));
        }
      }
    }
    return count;
  }

  /**
   * Reads what the kernel is about to read. Of a few scattered nodes little is in the cache, and a loop this small has many reads
   * under way at once, where the kernel waits for each node's.
   */
  #touch(count: number): void {
    const { updated, position, rotation, scale, world } = this;
    const { parent } = this.tree;
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const node = updated[i] as number;
      const up = Math.max(0, parent[node] as number);
      sum += (position[node * 3] as number) + (rotation[node * 4] as number);
      sum +=
        (scale[node * 3] as number) + (world[node * 16] as number) + (world[up * 16] as number);
    }
    this.#touched[0] = sum;
  }

  /** The rest of {@link PoseSet.#collect}: a node is dirty if it is marked, or its parent was found to be. */
  #collectFrom(start: number, words: number, found: number): number {
    const { updated } = this;
    const { parent, end } = this.tree;
    const dirty = this.#dirty;
    const first = start * 32;
    const marks = this.#marks;
    let count = found;
    for (let word = start; word < words; word++) {
      const bits = dirty[word] as number;
      const last = Math.min(end, word * 32 + 32);
      // Without branches: of random dirty nodes a processor can't guess any.
      for (let node = word * 32; node < last; node++) {
        const up = parent[node] as number;
        // Parents before `first` have marked their children already.
        const inherited = up >= first ? (marks[up] as number) : 0;
        const is = ((bits >>> (node & 31)) & 1) | inherited;
        marks[node] = is;
        updated[count] = node;
        count += is;
      }
    }
    dirty.fill(0, start, words);
    return count;
  }
}

/** Moves rows of `width` numbers to their new places. */
function gather(array: Float32Array | Uint8Array, order: Int32Array, width: number): void {
  const old = array.slice();
  for (let node = 0; node < order.length; node++) {
    const from = (order[node] as number) * width;
    for (let i = 0; i < width; i++) array[node * width + i] = old[from + i] as number;
  }
}
