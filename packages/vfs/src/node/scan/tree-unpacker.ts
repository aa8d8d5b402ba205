import type { VFSBackendScanEntry } from '../../backends/vfs-backend.js';
import { VFSError } from '../../errors/vfs-error.js';
import { VFSPath } from '../../paths/vfs-path.js';
import type { FolderBatch } from './folder-packer.js';

/**
 * A part of a tree. Its folders are numbered in the order in which they are named in the parts, from 1
 * on; 0 is the root.
 */
export interface PackedTree extends FolderBatch {
  /** Number of each folder; it was named in an earlier part. */
  readonly folders: readonly number[];
}

/** Makes entries of packed parts, in the order in which they were sent. */
export class TreeUnpacker {
  /** By number; `undefined` for a name that makes no legal path, with all that is below it. */
  readonly #folders: (VFSPath | undefined)[] = [VFSPath.root];

  /** The entries of the next part. */
  add({ folders, counts, names, sizes, modified }: PackedTree): VFSBackendScanEntry[] {
    const entries: VFSBackendScanEntry[] = [];
    let index = 0;
    for (const [nth, folder] of folders.entries()) {
      if (counts[nth] === 0) continue;
      const parent = this.#folders[folder];
      for (const name of names[nth]?.split('/') ?? []) {
        const path = childOf(parent, name);
        const size = sizes[index] ?? 0;
        const time = modified[index++];
        if (size < 0) this.#folders.push(path);
        if (path === undefined) continue;
        if (size < 0) entries.push({ path, kind: 'folder', size: 0, modified: time });
        else entries.push({ path, kind: 'file', size, modified: time });
      }
    }
    return entries;
  }
}

function childOf(parent: VFSPath | undefined, name: string): VFSPath | undefined {
  try {
    return parent?.child(name);
  } catch (error) {
    if (VFSError.is(error)) return undefined;
    throw error;
  }
}
