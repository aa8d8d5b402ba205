import { bitWords, clearBit, hasBit, listBits, setBit, setBits } from './bit-array.js';
import { NO_NODE } from './parent-links.js';
import type { PoseMemory } from './pose-memory.js';
import type { TransformTree } from './transform-tree.js';

/** Which nodes of a {@link TransformTree} changed, a bit each. */
export class DirtyNodes {
  readonly #tree: TransformTree;
  /** A bit a node, to mark many. */
  bits: Int32Array;

  constructor(tree: TransformTree, memory: PoseMemory) {
    this.#tree = tree;
    this.bits = memory.int32(bitWords(tree.capacity));
  }

  mark(node: number): void {
    setBit(this.bits, node);
  }

  unmark(node: number): void {
    clearBit(this.bits, node);
  }

  /** Unmarks every node. */
  clear(): void {
    this.bits.fill(0);
  }

  /** Has no nodes any more: the memory can be given back. */
  leaveMemory(): void {
    this.bits = new Int32Array(0);
  }

  /** Follows a renumbering: by new number, the old one of each node. */
  renumber(order: Int32Array): void {
    const before = this.bits.slice();
    this.clear();
    for (let node = 0; node < order.length; node++) {
      const old = order[node] as number;
      if (hasBit(before, old)) this.mark(node);
    }
  }

  /**
   * Lists the marked nodes and all below them, ascending, and unmarks them. O(nodes / 32 + listed). The tree must be
   * sorted: children have greater numbers, so what is marked below a node is still to come.
   *
   * @param a - gets their bits, too
   * @param b - the same
   * @returns how many there are in `list`
   */
  collect(list: Int32Array, a: Int32Array, b: Int32Array): number {
    const { inner } = this.#tree;
    const bits = this.bits;
    const words = (this.#tree.end + 31) >>> 5;
    let count = 0;
    for (let word = 0; word < words; word++) {
      if (bits[word] === 0) continue;
      // Children may be in the word itself.
      let done = 0;
      for (let up = (bits[word] as number) & (inner[word] as number); up !== 0;) {
        const bit = up & -up;
        this.#markChildren(word * 32 + 31 - Math.clz32(bit));
        done |= bit;
        up = (bits[word] as number) & (inner[word] as number) & ~done;
      }
      const rest = bits[word] as number;
      bits[word] = 0;
      a[word] = (a[word] as number) | rest;
      b[word] = (b[word] as number) | rest;
      count = listBits(rest, word * 32, list, count);
    }
    return count;
  }

  #markChildren(node: number): void {
    const { firstChild, lastChild, nextSibling, ragged } = this.#tree;
    const bits = this.bits;
    let child = firstChild[node] as number;
    if (!hasBit(ragged, node)) {
      setBits(bits, child, lastChild[node] as number);
      return;
    }
    for (; child !== NO_NODE; child = nextSibling[child] as number) setBit(bits, child);
  }
}
