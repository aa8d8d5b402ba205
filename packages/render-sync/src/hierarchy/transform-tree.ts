import { EclipticError } from '@ecliptic/core';
import { bitArray, clearBit, setBit } from './bit-array.js';
import { NO_NODE, type ParentLinks } from './parent-links.js';
import { heapMemory, type PoseMemory } from './pose-memory.js';
import { sortParentsFirst } from './sort-parents-first.js';

/**
 * Who is whose parent, as nodes that are numbered so that a parent always comes before its children.
 * Whatever goes down the hierarchy is then one ascending loop. Knows nothing of entities and holds no
 * transforms: those are in {@link PoseSet}s over it.
 *
 * Adding, removing and re-parenting are O(1) as long as the numbering can stay; where it can't, the
 * next {@link TransformTree.settle} numbers everything anew, in O(nodes), breadth first.
 */
export class TransformTree implements ParentLinks {
  /** Most nodes at once. */
  capacity: number;
  /** Parent of each node, a smaller number once settled; {@link NO_NODE} for roots and free nodes. */
  parent: Int32Array;
  readonly firstChild: Int32Array;
  readonly lastChild: Int32Array;
  readonly nextSibling: Int32Array;
  /** A bit a node: it has children. */
  readonly inner: Int32Array;
  /** A bit a node: its children's numbers have gaps. Those of the others are all from the first to the last. */
  readonly ragged: Int32Array;
  /** What the node stands for, as an entity's id; 0 for free nodes. */
  owner: Int32Array;
  /** Number of the nodes used so far, free ones among them. */
  end = 0;
  #free = 0;
  #unsorted = false;
  readonly #previousSibling: Int32Array;

  /**
   * @param capacity - most nodes at once
   * @param memory - a kernel's; default: arrays of its own
   * @param rowMemory - the same, for owners
   */
  constructor(
    capacity: number,
    memory: PoseMemory = heapMemory,
    rowMemory: PoseMemory = heapMemory,
  ) {
    this.capacity = capacity;
    this.parent = memory.int32(capacity).fill(NO_NODE);
    this.firstChild = new Int32Array(capacity).fill(NO_NODE);
    this.lastChild = new Int32Array(capacity).fill(NO_NODE);
    this.inner = bitArray(capacity);
    this.ragged = bitArray(capacity);
    this.nextSibling = new Int32Array(capacity).fill(NO_NODE);
    this.#previousSibling = new Int32Array(capacity).fill(NO_NODE);
    this.owner = rowMemory.int32(capacity);
  }

  /** Nodes in use. */
  get size(): number {
    return this.end - this.#free;
  }

  /** Whether parents come before their children. */
  get isSorted(): boolean {
    return !this.#unsorted;
  }

  /** Whether {@link TransformTree.settle} has something to do. */
  get needsSettling(): boolean {
    const isFull = this.end === this.capacity && this.#free > 0;
    return this.#unsorted || isFull || this.#free > 64 + this.end / 2;
  }

  /**
   * Adds a root. When every number was used, settle first: that closes the gaps.
   *
   * @param owner - what it stands for; not 0
   * @throws EclipticError `render-sync/tree-full`
   */
  add(owner: number): number {
    if (this.end === this.capacity) {
      throw new EclipticError(
        'render-sync/tree-full',
        `The transform tree is full: it has ${this.capacity} nodes`,
        {
          subjects: { capacity: this.capacity },
          fix: 'Make it with the capacity of the scene; settle() before adding when needsSettling.',
        },
      );
    }
    const node = this.end++;
    this.owner[node] = owner;
    return node;
  }

  /** Removes a node; its children become roots. */
  remove(node: number): void {
    this.#unlink(node);
    for (let child = this.firstChild[node] as number; child !== NO_NODE;) {
      const next = this.nextSibling[child] as number;
      this.parent[child] = NO_NODE;
      this.nextSibling[child] = this.#previousSibling[child] = NO_NODE;
      child = next;
    }
    this.firstChild[node] = this.lastChild[node] = NO_NODE;
    clearBit(this.inner, node);
    clearBit(this.ragged, node);
    this.owner[node] = 0;
    this.#free++;
  }

  /** Puts a node under another, or makes it a root ({@link NO_NODE}). Cycles show when settling. */
  setParent(node: number, parent: number): void {
    if (this.parent[node] === parent) return;
    this.#unlink(node);
    this.parent[node] = parent;
    if (parent === NO_NODE) return;
    const sibling = this.lastChild[parent] as number;
    this.#previousSibling[node] = sibling;
    this.lastChild[parent] = node;
    if (sibling === NO_NODE) {
      this.firstChild[parent] = node;
      setBit(this.inner, parent);
    } else {
      this.nextSibling[sibling] = node;
      if (node !== sibling + 1) setBit(this.ragged, parent);
    }
    if (parent >= node) this.#unsorted = true;
  }

  /**
   * Numbers the nodes anew if needed, parents first, without gaps.
   *
   * @returns by new number, the old number of each node; `undefined` when all kept theirs
   * @throws EclipticError `render-sync/parent-cycle` naming the owners on the path; the tree is as before
   */
  settle(): Int32Array | undefined {
    if (!this.needsSettling) return undefined;
    const order = sortParentsFirst(this);
    const { parent, owner } = this;
    const oldParent = parent.slice(0, this.end);
    const oldOwner = owner.slice(0, this.end);
    const newNumber = new Int32Array(this.end).fill(NO_NODE);
    for (let node = 0; node < order.length; node++) newNumber[order[node] as number] = node;
    this.clear();
    this.end = order.length;
    for (let node = 0; node < order.length; node++) {
      const old = order[node] as number;
      owner[node] = oldOwner[old] as number;
      const up = oldParent[old] as number;
      if (up !== NO_NODE) this.setParent(node, newNumber[up] as number);
    }
    return order;
  }

  /** Removes every node. */
  clear(): void {
    const { parent, firstChild, lastChild, nextSibling, end } = this;
    for (const links of [parent, firstChild, lastChild, nextSibling, this.#previousSibling]) {
      links.fill(NO_NODE, 0, end);
    }
    for (const bits of [this.inner, this.ragged]) bits.fill(0, 0, (end >>> 5) + 1);
    this.owner.fill(0, 0, end);
    this.end = this.#free = 0;
    this.#unsorted = false;
  }

  /** Has room for no node any more: the memory that it was made with can be given back. */
  leaveMemory(): void {
    this.clear();
    this.capacity = 0;
    this.parent = this.owner = new Int32Array(0);
  }

  #unlink(node: number): void {
    const parent = this.parent[node] as number;
    if (parent === NO_NODE) return;
    const previous = this.#previousSibling[node] as number;
    const next = this.nextSibling[node] as number;
    if (previous === NO_NODE) this.firstChild[parent] = next;
    else this.nextSibling[previous] = next;
    if (next === NO_NODE) this.lastChild[parent] = previous;
    else this.#previousSibling[next] = previous;
    if (previous !== NO_NODE && next !== NO_NODE) setBit(this.ragged, parent);
    if (previous === NO_NODE && next === NO_NODE) {
      clearBit(this.inner, parent);
      clearBit(this.ragged, parent);
    }
    this.parent[node] = this.nextSibling[node] = this.#previousSibling[node] = NO_NODE;
  }
}
