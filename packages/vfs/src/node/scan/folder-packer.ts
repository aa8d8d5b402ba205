import type { ListedEntry } from '../watch/folder-lister.js';

/** What is in some folders, in a form that is quick to send. The folders themselves are known from elsewhere. */
export interface FolderBatch {
  /** How many entries each folder has. */
  readonly counts: readonly number[];
  /** Of each folder, the names with `/` between them. */
  readonly names: readonly string[];
  /** Of all entries, in bytes; -1 for folders. */
  readonly sizes: Float64Array;
  /** Of all entries, in milliseconds since 1970. */
  readonly modified: Float64Array;
}

/** Collects what is in some folders, one after the other. */
export class FolderPacker {
  #counts: number[] = [];
  #names: string[] = [];
  /** Of the folder that is being added. */
  #own: string[] = [];
  #sizes: number[] = [];
  #modified: number[] = [];

  /** How many entries were added since the last {@link FolderPacker.take}. */
  get size(): number {
    return this.#sizes.length;
  }

  add({ name, folder, size, mtime }: ListedEntry): void {
    this.#own.push(name);
    this.#sizes.push(folder ? -1 : size);
    this.#modified.push(mtime);
  }

  /** That was all that is in this folder. */
  endFolder(): void {
    this.#counts.push(this.#own.length);
    this.#names.push(this.#own.join('/'));
    this.#own = [];
  }

  /** All that was added since the last time. */
  take(): FolderBatch {
    const batch = {
      counts: this.#counts,
      names: this.#names,
      sizes: new Float64Array(this.#sizes),
      modified: new Float64Array(this.#modified),
    };
    [this.#counts, this.#names, this.#sizes, this.#modified] = [[], [], [], []];
    return batch;
  }
}
