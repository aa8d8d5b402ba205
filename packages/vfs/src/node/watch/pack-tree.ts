import type { VFSBackendScanEntry } from '../../backends/vfs-backend.js';
import { VFSError } from '../../errors/vfs-error.js';
import { VFSPath } from '../../paths/vfs-path.js';
import type { ListedEntry } from './folder-lister.js';
import type { PackedTree } from './tree-protocol.js';

/** Entries that are sent at a time, so that both sides work at once. */
const PART = 4_096;

/** Collects entries, and sends them packed. */
export class TreePacker {
  readonly #send: (part: PackedTree) => void;
  #names: string[] = [];
  #parents: number[] = [];
  #sizes: number[] = [];
  #modified: number[] = [];
  #count = 0;

  constructor(send: (part: PackedTree) => void) {
    this.#send = send;
  }

  /** @param parent - the folder's number, -1 for the root. @returns the entry's number */
  add({ name, folder, size, mtime }: ListedEntry, parent: number): number {
    this.#names.push(name);
    this.#parents.push(parent);
    this.#sizes.push(folder ? -1 : size);
    this.#modified.push(mtime);
    if (this.#names.length >= PART) this.flush();
    return this.#count++;
  }

  /** Sends what is left. */
  flush(): void {
    if (this.#names.length === 0) return;
    this.#send({
      names: this.#names.join('/'),
      parents: Int32Array.from(this.#parents),
      sizes: Float64Array.from(this.#sizes),
      modified: Float64Array.from(this.#modified),
    });
    [this.#names, this.#parents, this.#sizes, this.#modified] = [[], [], [], []];
  }
}

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
