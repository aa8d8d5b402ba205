import { dirname, sep } from 'node:path';
import { isGone } from '../system-code.js';
import type { ListedEntry } from './folder-lister.js';
import { HeldRemovals } from './held-removals.js';
import type { TreeChange, TreeOptions } from './tree-events.js';
import {
  below,
  isAttached,
  isSame,
  isWithin,
  leadsBack,
  makeNode,
  pathOf,
  realOf,
  type FolderNode,
  type TreeNode,
} from './tree-node.js';

/** A folder's time says nothing when it is this young: another entry may come in the same tick of it. */
const RACY = 2_000;
/** Two writes within one tick of the disk's clock leave the same times: what was as young may be newer. */
const TICK = 20;

/**
 * What is on disk below a folder, as last seen, and what is different when a folder is listed again.
 * Knows nothing of events and timers: someone says which folders to list, and when.
 */
export class TreeIndex {
  readonly root: FolderNode;
  readonly #options: TreeOptions;
  readonly #byIno = new Map<number, TreeNode>();
  readonly #held: HeldRemovals;
  /** Folders that have to be listed because of what was found so far. */
  readonly #queue = new Set<FolderNode>();
  #silent = false;
  #doubtful = false;

  constructor(options: TreeOptions) {
    this.#options = options;
    const entry = {
      name: '',
      folder: true,
      ino: 0,
      size: 0,
      mtime: 0,
      ctime: 0,
      birth: 0,
      target: undefined,
    };
    this.root = folderOf(makeNode(entry, options.root));
    this.#held = new HeldRemovals((node, path) => this.#emitRemoval(node, path));
    this.#queue.add(this.root);
  }

  /** Whether there are folders to list. */
  get busy(): boolean {
    return this.#queue.size > 0;
  }

  /** Lists everything for the first time, without a word about it. */
  *fill(): Generator<void> {
    this.#silent = true;
    this.#options.events.folderAdded(this.root);
    while (this.listNext()) yield;
    this.#silent = false;
  }

  /** Whether `folder` is to be listed. */
  waits(folder: FolderNode): boolean {
    return this.#queue.has(folder);
  }

  /** Has `folder` listed again. */
  refresh(folder: FolderNode): void {
    this.#queue.add(folder);
  }

  /**
   * Has everything listed again; where a folder's time is old and the same, only its files are asked.
   *
   * @param doubtful - what was written a moment before it was last seen counts as modified: the event
   * that would tell may be lost
   */
  refreshAll(doubtful = false): void {
    this.#doubtful = doubtful;
    for (const { folder } of below(this.root.node)) if (folder) this.#queue.add(folder);
  }

  /**
   * Lists one folder of the queue.
   *
   * @param suspects - names in it that changed by what events say, though their numbers may not
   * @returns the folder, or `undefined` when the queue was empty
   */
  listNext(
    suspects?: (folder: FolderNode) => ReadonlySet<string> | undefined,
  ): FolderNode | undefined {
    for (const folder of this.#queue) {
      this.#queue.delete(folder);
      if (!isAttached(folder.node, this.root.node)) continue;
      this.#list(folder, suspects?.(folder));
      if (this.#queue.size === 0) this.#doubtful = false;
      return folder;
    }
    return undefined;
  }

  /** Gives up waiting for the other half of what was removed before `heldSince`. */
  settleRemovals(heldSince: number): void {
    this.#held.flush(heldSince);
  }

  /** Whether removals wait for their other half. */
  get holding(): boolean {
    return this.#held.size > 0;
  }

  #list(folder: FolderNode, suspects: ReadonlySet<string> | undefined): void {
    const now = this.#options.now();
    const settled = folder.listedAt - folder.changedAt > RACY;
    let listing;
    try {
      const { ino, changedAt } = folder;
      const known = settled ? { ino, changedAt, names: [] } : undefined;
      listing = this.#options.lister.list(folder.real, known);
    } catch (error) {
      this.#unlistable(folder, error);
      return;
    }
    if (listing.same) this.#compareFiles(folder, suspects);
    else this.#compare(folder, listing.entries, suspects);
    folder.ino = listing.ino;
    folder.changedAt = listing.changedAt;
    folder.listedAt = now;
  }

  #unlistable(folder: FolderNode, error: unknown): void {
    if (!isGone(error)) this.#options.events.failed(folder, error);
    // Its parent will find out what became of it.
    else if (folder.node.parent) this.#queue.add(folder.node.parent);
    else this.#compare(folder, [], undefined);
  }

  #compareFiles(folder: FolderNode, suspects: ReadonlySet<string> | undefined): void {
    for (const [name, node] of folder.children) {
      const entry = this.#options.lister.entry(folder.real, name);
      if (entry === undefined) this.#remove(node);
      else this.#update(folder, node, entry, suspects?.has(name) === true);
    }
  }

  #compare(
    folder: FolderNode,
    entries: readonly ListedEntry[],
    suspects: ReadonlySet<string> | undefined,
  ): void {
    const base = pathOf(folder.node);
    const gone = new Set(folder.children.keys());
    for (const entry of entries) {
      if (this.#options.ignored(`${base}/${entry.name}`)) continue;
      gone.delete(entry.name);
      const node = folder.children.get(entry.name);
      if (node === undefined) this.#add(folder, entry);
      else this.#update(folder, node, entry, suspects?.has(entry.name) === true);
    }
    for (const name of gone) {
      const node = folder.children.get(name);
      if (node) this.#remove(node);
    }
  }

  #update(folder: FolderNode, node: TreeNode, entry: ListedEntry, suspect: boolean): void {
    const old = node.entry;
    if (old.folder !== entry.folder || old.target !== entry.target) {
      this.#remove(node);
      this.#add(folder, entry);
      return;
    }
    if (old.ino !== entry.ino) {
      if (this.#byIno.get(old.ino) === node) this.#byIno.delete(old.ino);
      this.#byIno.set(entry.ino, node);
    }
    const young = node.seenAt - old.mtime < TICK;
    node.entry = entry;
    node.seenAt = this.#options.now();
    if (node.folder) {
      // An inode may be given out again, and the system's watch ends with the folder.
      if (old.ino === entry.ino && old.birth === entry.birth) return;
      // Another folder by the same name: what is in it is compared by name.
      this.#options.events.folderRemoved(node.folder);
      this.#options.events.folderAdded(node.folder);
      node.folder.changedAt = NaN;
      this.#queue.add(node.folder);
      return;
    }
    const same =
      old.ino === entry.ino &&
      old.size === entry.size &&
      old.mtime === entry.mtime &&
      old.ctime === entry.ctime;
    const doubtful = suspect ? young || this.#options.hash : young && this.#doubtful;
    if (same && !doubtful) return;
    if (this.#options.hash && !this.#newHash(node)) return;
    this.#emit({ kind: 'modified', path: pathOf(node), folder: false });
  }

  #add(folder: FolderNode, entry: ListedEntry): void {
    if (leadsBack(folder, entry)) return;
    const origin = this.#origin(folder, entry);
    if (origin) {
      this.#move(origin.node, origin.path, folder, entry);
      return;
    }
    const node = makeNode(entry, realOf(folder, entry));
    this.#attach(node, folder);
    const path = pathOf(node);
    this.#held.flushPath(path);
    if (!node.folder) this.#newHash(node);
    this.#emit({ kind: 'created', path, folder: entry.folder });
    if (node.folder) {
      this.#options.events.folderAdded(node.folder);
      this.#queue.add(node.folder);
    }
  }

  /** What this new entry was before if it was moved here, out of the index by now, and where. */
  #origin(folder: FolderNode, entry: ListedEntry): { node: TreeNode; path: string } | undefined {
    if (this.#silent || entry.target !== undefined) return undefined;
    const held = this.#held.take(entry);
    if (held) return held;
    const node = this.#byIno.get(entry.ino);
    if (node?.parent === undefined || !isSame(node.entry, entry)) return undefined;
    if (!isAttached(node, this.root.node) || isWithin(folder, node)) return undefined;
    // Still there by its old name? Then it is a hard link.
    const there = this.#options.lister.entry(node.parent.real, node.name);
    if (there?.ino === entry.ino) return undefined;
    this.#queue.add(node.parent);
    const path = pathOf(node);
    this.#detach(node);
    return { node, path };
  }

  #move(node: TreeNode, from: string, folder: FolderNode, entry: ListedEntry): void {
    const contentChanged = node.entry.size !== entry.size || node.entry.mtime !== entry.mtime;
    node.entry = entry;
    this.#attach(node, folder);
    const to = pathOf(node);
    for (const each of below(node)) {
      const path = pathOf(each);
      this.#held.flushPath(path);
      if (each.folder && each.parent) {
        each.folder.real = realOf(each.parent, each.entry) ?? '';
        this.#options.events.folderAdded(each.folder);
        this.#queue.add(each.folder);
      }
      if (each.entry.target === undefined) this.#byIno.set(each.entry.ino, each);
      const old = from + path.slice(to.length);
      // Away and back again is no change.
      if (from !== to) this.#emit({ kind: 'renamed', path, from: old, folder: each.entry.folder });
    }
    if (!node.folder && contentChanged) this.#emit({ kind: 'modified', path: to, folder: false });
  }

  #remove(node: TreeNode): void {
    const path = pathOf(node);
    this.#detach(node);
    // Its inode has another name already, which was there before: nothing to wait for.
    if (this.#byIno.has(node.entry.ino)) this.#emitRemoval(node, path);
    else this.#held.add(node, path, this.#options.now());
  }

  #detach(node: TreeNode): void {
    node.parent?.children.delete(node.name);
    for (const each of below(node)) {
      if (each.folder) this.#options.events.folderRemoved(each.folder);
      if (this.#byIno.get(each.entry.ino) === each) this.#byIno.delete(each.entry.ino);
    }
  }

  #attach(node: TreeNode, folder: FolderNode): void {
    node.name = node.entry.name;
    node.parent = folder;
    node.seenAt = this.#options.now();
    folder.children.set(node.name, node);
    const { target, ino } = node.entry;
    if (target === undefined) this.#byIno.set(ino, node);
    else if (!node.folder) this.#options.events.linkAdded(folder, dirname(target));
  }

  /** @returns whether it is another one than before */
  #newHash(node: TreeNode): boolean {
    const { hash } = this.#options;
    if (hash === undefined || node.parent === undefined) return true;
    const old = node.hash;
    try {
      node.hash = hash(node.parent.real + sep + node.name);
    } catch {
      return true; // It is gone again, or locked: let the reader find out.
    }
    return node.hash !== old;
  }

  #emitRemoval(node: TreeNode, path: string): void {
    for (const child of node.folder?.children.values() ?? []) {
      this.#emitRemoval(child, `${path}/${child.name}`);
    }
    this.#emit({ kind: 'removed', path, folder: node.entry.folder });
  }

  #emit(change: TreeChange): void {
    if (!this.#silent) this.#options.events.changed(change);
  }
}

function folderOf(node: TreeNode): FolderNode {
  if (node.folder === undefined) throw new TypeError(`${node.name} is no folder`);
  return node.folder;
}
