import type { QueryTable } from '@ecliptic/ecs';
import { NO_NODE } from '../hierarchy/parent-links.js';
import type { PoseKernel } from '../hierarchy/pose-kernel.js';
import type { NodeRows } from '../hierarchy/row-kernel.js';
import type { TransformTree } from '../hierarchy/transform-tree.js';

/** Low bits of an entity id: its slot. */
const SLOT_MASK = 0xf_ffff;

/** The node of each row, table after table; looked up anew when rows moved, or nodes got other numbers or parents. */
export class RowNodes {
  /** `first` and `count` are those of the table that is gone over. */
  readonly rows: NodeRows;
  /** Whether each node's row comes after that of its parent. */
  parentsFirst = false;
  readonly #tree: TransformTree;
  readonly #kernel: PoseKernel;
  /** `moves` of the tables at the last look-up, by position among them. */
  readonly #moves: number[] = [];
  #isStale = true;
  /** By node: its row among all, for {@link RowNodes.parentsFirst}. */
  readonly #rowOf: Int32Array;

  constructor(tree: TransformTree, kernel: PoseKernel) {
    this.#tree = tree;
    this.#kernel = kernel;
    this.rows = { nodes: kernel.rowMemory.int32(tree.capacity), first: 0, count: 0 };
    this.#rowOf = new Int32Array(tree.capacity);
  }

  /** Says that nodes got other numbers or parents. */
  invalidate(): void {
    this.#isStale = true;
  }

  /**
   * Looks up the nodes, if they may be others than before. Tables only come, behind the others. O(tables), after a change O(rows).
   *
   * @param nodeOfSlot - node by slot of an entity
   * @returns whether every entity that has a row has its node, and no other has one
   */
  update(tables: readonly QueryTable[], nodeOfSlot: Int32Array): boolean {
    if (this.#isCurrent(tables)) return true;
    if (!this.#lookUp(tables, nodeOfSlot)) return false;
    this.#isStale = false;
    this.#moves.length = tables.length;
    for (let t = 0; t < tables.length; t++) this.#moves[t] = (tables[t] as QueryTable).moves;
    this.parentsFirst = this.#findsParentsFirst();
    return true;
  }

  #isCurrent(tables: readonly QueryTable[]): boolean {
    if (this.#isStale || tables.length !== this.#moves.length) return false;
    for (let t = 0; t < tables.length; t++) {
      if ((tables[t] as QueryTable).moves !== this.#moves[t]) return false;
    }
    return true;
  }

  #lookUp(tables: readonly QueryTable[], nodeOfSlot: Int32Array): boolean {
    const { owner, size } = this.#tree;
    const { rows: kernel } = this.#kernel;
    const { rows } = this;
    rows.first = 0;
    for (const { entities, count } of tables) {
      if (rows.first + count > size) return false;
      rows.count = count;
      if (!kernel.lookUp(rows, entities, SLOT_MASK, nodeOfSlot, owner)) return false;
      rows.first += count;
    }
    return rows.first === size;
  }

  #findsParentsFirst(): boolean {
    const { parent, size } = this.#tree;
    const { nodes } = this.rows;
    const rowOf = this.#rowOf;
    for (let row = 0; row < size; row++) rowOf[nodes[row] as number] = row;
    for (let row = 0; row < size; row++) {
      const up = parent[nodes[row] as number] as number;
      if (up !== NO_NODE && (rowOf[up] as number) > row) return false;
    }
    return true;
  }
}
