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
