import { sep } from 'node:path';
import { MAX_PATH_COMPONENTS } from '../../paths/limits.js';
import type { ListedEntry } from './folder-lister.js';

/** A file or folder in a {@link TreeIndex}. Its path follows from its parents, so a move is one assignment. */
export interface TreeNode {
  name: string;
  parent: FolderNode | undefined;
  entry: ListedEntry;
  /** When `entry` was read, in milliseconds since 1970. */
  seenAt: number;
  /** Of the content, where the index keeps hashes. */
  hash: string | undefined;
  readonly folder: FolderNode | undefined;
}

/** What a folder has beyond a file. */
export interface FolderNode {
  readonly node: TreeNode;
  readonly children: Map<string, TreeNode>;
  /** Place on disk without links. */
  real: string;
  /** As of the last listing; `NaN` before. */
  ino: number;
  /** When its own names last changed, as of the last listing; `NaN` before. */
  changedAt: number;
  /** When that was, in milliseconds since 1970. */
  listedAt: number;
}

/** `node` and, for a folder, `real`: a node that is in no folder yet. */
export function makeNode(entry: ListedEntry, real: string | undefined): TreeNode {
  const node: TreeNode & { folder: FolderNode | undefined } = {
    name: entry.name,
    parent: undefined,
    entry,
    seenAt: 0,
    hash: undefined,
    folder: undefined,
  };
  if (real !== undefined) {
    node.folder = { node, children: new Map(), real, ino: NaN, changedAt: NaN, listedAt: 0 };
  }
  return node;
}

/** As `/a/b`, from the root of the index; the root is `''`. */
export function pathOf(node: TreeNode): string {
  let path = '';
  for (let at: TreeNode | undefined = node; at?.parent !== undefined; at = at.parent.node) {
    path = `/${at.name}${path}`;
  }
  return path;
}

/** `node` and all that is below it, parents first. */
export function* below(node: TreeNode): Generator<TreeNode> {
  yield node;
  if (node.folder) for (const child of node.folder.children.values()) yield* below(child);
}

/** Whether `node` is in the index of `root`, and not only held by somebody who remembers it. */
export function isAttached(node: TreeNode, root: TreeNode): boolean {
  let at = node;
  while (at.parent !== undefined && at.parent.children.get(at.name) === at) at = at.parent.node;
  return at === root;
}

/** Whether `after` may be what was `before`: the same inode, not one that was given out again. */
export function isSame(before: ListedEntry, after: ListedEntry): boolean {
  if (before.ino !== after.ino || before.folder !== after.folder) return false;
  if (before.target !== undefined || after.target !== undefined) return false;
  const born = before.birth > 0 && before.birth === after.birth;
  return born || (before.size === after.size && before.mtime === after.mtime);
}

/** Whether `folder` is `node`, or in it. */
export function isWithin(folder: FolderNode, node: TreeNode): boolean {
  for (let at: FolderNode | undefined = folder; at; at = at.node.parent) {
    if (at.node === node) return true;
  }
  return false;
}

/** Place on disk of a folder in `parent`; `undefined` for a file. */
export function realOf(
  parent: FolderNode,
  { name, folder, target }: ListedEntry,
): string | undefined {
  if (!folder) return undefined;
  return target ?? (parent.real.endsWith(sep) ? parent.real + name : parent.real + sep + name);
}

/** Whether this is a link to a folder that it is in, or too deep to have a path. */
export function leadsBack(folder: FolderNode, { target }: ListedEntry): boolean {
  let depth = 1;
  for (let at: FolderNode | undefined = folder; at; at = at.node.parent, depth++) {
    if (target !== undefined && at.real === target) return true;
  }
  return depth > MAX_PATH_COMPONENTS + 1;
}
