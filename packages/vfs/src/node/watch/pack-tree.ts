import type { VFSBackendScanEntry } from '../../backends/vfs-backend.js';
import { VFSPath } from '../../paths/vfs-path.js';
import { VFSError } from '../../errors/vfs-error.js';
import type { PackedTree } from './tree-protocol.js';
import type { FolderNode } from './tree-node.js';

/** Packs all that is below `root`. */
export function packTree(root: FolderNode): PackedTree {
  const names: string[] = [];
  const parents: number[] = [];
  const sizes: number[] = [];
  const modified: number[] = [];
  const add = (folder: FolderNode, index: number): void => {
    for (const { name, entry, folder: own } of folder.children.values()) {
      names.push(name);
      parents.push(index);
      sizes.push(own ? -1 : entry.size);
      modified.push(entry.mtime);
      if (own) add(own, names.length - 1);
    }
  };
  add(root, -1);
  return {
    names: names.join('/'),
    parents: Int32Array.from(parents),
    sizes: Float64Array.from(sizes),
    modified: Float64Array.from(modified),
  };
}

/** The entries of a packed tree, parents first. Names that make no legal path are left out. */
export function unpackTree({ names, parents, sizes, modified }: PackedTree): VFSBackendScanEntry[] {
  const entries: VFSBackendScanEntry[] = [];
  const paths: (VFSPath | undefined)[] = [];
  if (parents.length === 0) return entries;
  for (const [index, name] of names.split('/').entries()) {
    const parent = parents[index] ?? -1;
    const path = childOf(parent < 0 ? VFSPath.root : paths[parent], name);
    paths.push(path);
    if (path === undefined) continue;
    const size = sizes[index] ?? 0;
    entries.push({
      path,
      kind: size < 0 ? 'folder' : 'file',
      size: Math.max(0, size),
      modified: modified[index],
    });
  }
  return entries;
}

function childOf(parent: VFSPath | undefined, name: string): VFSPath | undefined {
  try {
    return parent?.child(name);
  } catch (error) {
    if (VFSError.is(error)) return undefined;
    throw error;
  }
}
