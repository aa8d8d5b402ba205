import type { ListedEntry } from './folder-lister.js';
import { isSame, type TreeNode } from './tree-node.js';

/** Something that has disappeared, and where it was. */
export interface HeldRemoval {
  readonly node: TreeNode;
  readonly path: string;
  readonly since: number;
}

/**
 * What has disappeared and may show up under another name in a moment: then it was moved. Each is
 * reported as removed once it has waited long enough, or once something else stands in its place.
 */
export class HeldRemovals {
  readonly #removed: (node: TreeNode, path: string) => void;
  readonly #byIno = new Map<number, HeldRemoval>();
  readonly #byPath = new Map<string, HeldRemoval>();

  /** @param removed - reports a removal */
  constructor(removed: (node: TreeNode, path: string) => void) {
    this.#removed = removed;
  }

  get size(): number {
    return this.#byPath.size;
  }

  add(node: TreeNode, path: string, since: number): void {
    const same = this.#byIno.get(node.entry.ino);
    if (same) this.#release(same);
    this.flushPath(path);
    const held = { node, path, since };
    this.#byIno.set(node.entry.ino, held);
    this.#byPath.set(path, held);
  }

  /** Takes out what `entry` was before it was moved, without a report. */
  take(entry: ListedEntry): HeldRemoval | undefined {
    const held = this.#byIno.get(entry.ino);
    if (held === undefined || !isSame(held.node.entry, entry)) return undefined;
    this.#delete(held);
    return held;
  }

  /** Reports what has been held since `since` or longer. */
  flush(since: number): void {
    for (const held of this.#byPath.values()) if (held.since <= since) this.#release(held);
  }

  /** Reports what was at `path`. */
  flushPath(path: string): void {
    const held = this.#byPath.get(path);
    if (held) this.#release(held);
  }

  #release(held: HeldRemoval): void {
    this.#delete(held);
    this.#removed(held.node, held.path);
  }

  #delete(held: HeldRemoval): void {
    this.#byPath.delete(held.path);
    this.#byIno.delete(held.node.entry.ino);
  }
}
