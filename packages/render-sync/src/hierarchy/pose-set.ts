import { EclipticError } from '@ecliptic/core';
import { bitWords, listBits, setBit, setBits } from './bit-array.js';
import { DirtyNodes } from './dirty-nodes.js';
import { FewNodes } from './few-nodes.js';
import { javascriptPoseKernel } from './javascript-pose-kernel.js';
import { setLocal } from './javascript-row-kernel.js';
import { LOCAL_FLOATS, type PoseKernel, type RowPoses } from './pose-kernel.js';
import type { LocalColumns, NodeRows, PairColumns, WorldRows } from './row-kernel.js';
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
export class PoseSet implements RowPoses {
  readonly tree: TransformTree;
  /** {@link LOCAL_FLOATS} numbers a node, its local transform: side by side, they come into the cache together. */
  local: Float32Array;
  /** 16 numbers a node, column-major. */
  world: Float32Array;
  /** Nodes that the last {@link PoseSet.update} computed, parents first; the first `updatedCount` count. */
  updated: Int32Array;
  updatedCount = 0;
  /** How many of them would not be finite. */
  badCount = 0;
  /** 1 for nodes whose world matrix would not be finite. */
  bad: Uint8Array;
  /** A bit a node: its matrix may be another than in the `world` column of its row. Who stores them clears it. */
  unstoredBits: Int32Array;
  /** A bit a node: it was computed since the last {@link PoseSet.takeUnplaced}. */
  readonly #unplacedBits: Int32Array;
  /** See {@link RowPoses}. */
  freshBits: Int32Array;
  counts: Int32Array;
  readonly #kernel: PoseKernel;
  readonly #dirty: DirtyNodes;
  /** Nodes whose `bad` is 1. */
  #quarantined = 0;
  readonly #few: FewNodes;

  /** @param kernel - what computes the matrices; the tree must be in its memory. Default: JavaScript */
  constructor(tree: TransformTree, kernel: PoseKernel = javascriptPoseKernel) {
    const { capacity } = tree;
    const { memory, rowMemory } = kernel;
    this.tree = tree;
    this.local = memory.float32(capacity * LOCAL_FLOATS);
    this.world = memory.float32(capacity * 16);
    this.updated = memory.int32(capacity);
    this.bad = memory.uint8(capacity);
    this.unstoredBits = rowMemory.int32(bitWords(capacity));
    this.#unplacedBits = new Int32Array(bitWords(capacity));
    this.freshBits = rowMemory.int32(bitWords(capacity));
    this.counts = rowMemory.int32(3);
    this.#kernel = kernel;
    this.#few = new FewNodes(kernel);
    this.#dirty = new DirtyNodes(tree, rowMemory);
  }

  /** Gives a node that was just added the identity. */
  reset(node: number): void {
    const at = node * LOCAL_FLOATS;
    this.local.fill(0, at, at + 7);
    this.local.fill(1, at + 7, at + 11);
    this.world.fill(0, node * 16, node * 16 + 16);
    for (let axis = 0; axis < 4; axis++) this.world[node * 16 + axis * 5] = 1;
    this.#quarantined -= this.bad[node] as number;
    this.bad[node] = 0;
    this.markDirty(node);
  }

  /** Says that a node's local transform, or its parent, changed. What is below it follows by itself. */
  markDirty(node: number): void {
    this.#dirty.mark(node);
  }

  /** Says that a node's matrix may be another than in the `world` column of its row. */
  markUnstored(node: number): void {
    setBit(this.unstoredBits, node);
  }

  /** Forgets a node that is removed from the tree. */
  drop(node: number): void {
    this.#dirty.unmark(node);
    this.#quarantined -= this.bad[node] as number;
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
    if (!setLocal(this.local, node, position, p, rotation, r, scale, s)) return false;
    this.markDirty(node);
    return true;
  }

  /** A bit a node: {@link PoseSet.markDirty} was called since the last update. */
  get dirtyBits(): Int32Array {
    return this.#dirty.bits;
  }

  /** Sets the local transforms of the nodes of rows, of those that are others than before. */
  setRows(rows: NodeRows, from: LocalColumns): void {
    this.#kernel.rows.setRows(rows, this, from);
  }

  /**
   * Sets local transforms of rows, of those that are others than before: here those of one step back, and in `current` those of the
   * last step; of what was moved since then, in both as it is now.
   */
  setPairRows(current: PoseSet, rows: NodeRows, from: PairColumns): void {
    this.#kernel.rows.setPairRows(rows, this, current, from);
  }

  /** Whether {@link PoseSet.updateRows} can be used now: where the kernel can, and all is finite. */
  get canUpdateRows(): boolean {
    return this.#kernel.updateRows !== undefined && this.#quarantined === 0;
  }

  /** Begins an update by rows. */
  beginRows(): void {
    this.counts.fill(0);
  }

  /**
   * For each table between {@link PoseSet.beginRows} and {@link PoseSet.endRows}, where rows come after those of their parents: sets
   * local transforms, computes the world matrices that follow, and stores them in the rows that have others.
   *
   * @param other - set whose nodes of these rows are unstored then
   * @param changed - gets those rows
   * @returns how many
   */
  updateRows(rows: NodeRows, columns: WorldRows, other: PoseSet, changed: Int32Array): number {
    this.#kernel.updateRows?.(rows, this, other.unstoredBits, columns, changed);
    return this.counts[2] as number;
  }

  /** Ends an update by rows, of all nodes. @returns as {@link PoseSet.update} */
  endRows(): number {
    const { freshBits } = this;
    const unplaced = this.#unplacedBits;
    const words = (this.tree.end + 31) >>> 5;
    for (let word = 0; word < words; word++) {
      unplaced[word] = (unplaced[word] as number) | (freshBits[word] as number);
    }
    freshBits.fill(0, 0, words);
    this.dirtyBits.fill(0, 0, words);
    this.unstoredBits.fill(0, 0, words);
    this.updatedCount = this.counts[0] as number;
    this.badCount = this.counts[1] as number;
    this.#quarantined += this.badCount;
    return this.updatedCount;
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
    const count = this.#dirty.collect(this.updated, this.#unplacedBits, this.unstoredBits);
    this.updatedCount = count;
    if (this.#quarantined > 0) this.#release(count);
    this.badCount = 0;
    if (count === 0) return 0;
    this.badCount =
      count < this.tree.end >>> 4
        ? this.#few.propagate(this, count)
        : this.#kernel.propagate(this, 0, count);
    this.#quarantined += this.badCount;
    return count;
  }

  /** Whether any node may have another matrix than its row. O(nodes / 32). */
  get hasUnstored(): boolean {
    const words = (this.tree.end + 31) >>> 5;
    for (let word = 0; word < words; word++) if (this.unstoredBits[word] !== 0) return true;
    return false;
  }

  /**
   * Lists the nodes that were computed, by any number of updates, since the last call. O(nodes / 32 + listed).
   *
   * @param list - gets them, ascending
   * @returns how many
   */
  takeUnplaced(list: Int32Array): number {
    const bits = this.#unplacedBits;
    const words = (this.tree.end + 31) >>> 5;
    let count = 0;
    for (let word = 0; word < words; word++) {
      if (bits[word] === 0) continue;
      count = listBits(bits[word] as number, word * 32, list, count);
      bits[word] = 0;
    }
    return count;
  }

  /**
   * After an update: gives nodes that would not be finite the matrices of another set, as their last good ones, and computes them
   * again, and what is below them. O(computed).
   */
  keepGoodOf({ world }: PoseSet): void {
    const { updated, updatedCount } = this;
    for (let i = 0; i < updatedCount; i++) {
      const node = updated[i] as number;
      if (this.bad[node] === 0) continue;
      this.markDirty(node);
      for (let k = node * 16; k < node * 16 + 16; k++) this.world[k] = world[k] as number;
    }
    this.update();
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
    this.#dirty.renumber(order);
    gather(this.local, order, LOCAL_FLOATS);
    gather(this.world, order, 16);
    gather(this.bad, order, 1);
    // The numbers that became free are given to new nodes.
    this.bad.fill(0, order.length);
    if (order.length === 0) return;
    setBits(this.#unplacedBits, 0, order.length - 1);
    setBits(this.unstoredBits, 0, order.length - 1);
  }

  /** Forgets every node, as {@link TransformTree.clear} does. O(capacity / 4). */
  clear(): void {
    this.#dirty.clear();
    this.bad.fill(0);
    this.unstoredBits.fill(0);
    this.#unplacedBits.fill(0);
    this.#quarantined = this.updatedCount = this.badCount = 0;
  }

  /** Has no nodes any more, and ignores what is set: the memory that it was made with can be given back. */
  leaveMemory(): void {
    this.clear();
    this.#dirty.leaveMemory();
    this.local = new Float32Array(0);
    this.world = new Float32Array(0);
    this.updated = new Int32Array(0);
    this.bad = new Uint8Array(0);
    this.unstoredBits = this.freshBits = this.counts = new Int32Array(0);
  }

  /** Clears the `bad` flags of nodes that are about to be computed. */
  #release(count: number): void {
    const { updated, bad } = this;
    for (let i = 0; i < count; i++) {
      const node = updated[i] as number;
      this.#quarantined -= bad[node] as number;
      bad[node] = 0;
    }
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
