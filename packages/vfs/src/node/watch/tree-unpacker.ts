import type { VFSBackendScanEntry } from '../../backends/vfs-backend.js';
import { VFSError } from '../../errors/vfs-error.js';
import { VFSPath } from '../../paths/vfs-path.js';
import type { PackedTree } from './tree-protocol.js';

/** Makes entries of packed parts, in the order in which they were sent. */
export class TreeUnpacker {
  readonly entries: VFSBackendScanEntry[] = [];
  /** By number; `undefined` for a name that makes no legal path, with all that is below it. */
  readonly #folders = new Map<number, VFSPath | undefined>([[-1, VFSPath.root]]);
  #count = 0;

  add({ names, parents, sizes, modified }: PackedTree): void {
    for (const [index, name] of names.split('/').entries()) {
      const path = childOf(this.#folders.get(parents[index] ?? -1), name);
      const size = sizes[index] ?? 0;
      if (size < 0) this.#folders.set(this.#count, path);
      this.#count++;
      if (path === undefined) continue;
      const kind = size < 0 ? 'folder' : 'file';
      this.entries.push({ path, kind, size: Math.max(0, size), modified: modified[index] });
    }
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
