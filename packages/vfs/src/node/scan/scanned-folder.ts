import { sep } from 'node:path';
import type { FolderTask, ListedFolders } from './list-folders.js';

/** A folder's time says nothing when it is this young: another entry may come in the same tick of it. */
const RACY = 2_000;

/** A folder as the last scan left it. */
export class ScannedFolder {
  /** Place on disk without links. */
  readonly real: string;
  /** With `/` between them. */
  names = '';
  /** Of what is in it; -1 for folders. */
  sizes: Float64Array = new Float64Array();
  modified: Float64Array = new Float64Array();
  /** The folders in it, by name. */
  folders: Map<string, ScannedFolder> = new Map();
  #ino = NaN;
  #changedAt = NaN;
  #listedAt = 0;

  constructor(real: string) {
    this.real = real;
  }

  /** What to ask to see it as it is now. @param path - as `/a/b` */
  task(path: string): FolderTask {
    const settled = this.#listedAt - this.#changedAt > RACY;
    const known = { ino: this.#ino, changedAt: this.#changedAt, names: this.names };
    return { real: this.real, path, known: settled ? known : undefined };
  }

  /**
   * Takes over what was listed.
   *
   * @param nth - this folder's number in `listed`
   * @param first - number of its first entry
   */
  update(listed: ListedFolders, nth: number, first: number): void {
    const end = first + (listed.counts[nth] ?? 0);
    this.names = listed.names[nth] ?? '';
    this.sizes = listed.sizes.subarray(first, end);
    this.modified = listed.modified.subarray(first, end);
    this.#ino = listed.inos[nth] ?? NaN;
    this.#changedAt = listed.changedAt[nth] ?? NaN;
    this.#listedAt = listed.listedAt;
    const before = this.folders;
    this.folders = new Map();
    if (!this.sizes.includes(-1)) return;
    const base = this.real.endsWith(sep) ? this.real : this.real + sep;
    for (const [index, name] of this.names.split('/').entries()) {
      if (this.sizes[index] !== -1) continue;
      const real = listed.targets.get(first + index) ?? base + name;
      const known = before.get(name);
      this.folders.set(name, known?.real === real ? known : new ScannedFolder(real));
    }
  }

  /** Forgets all that was in it. */
  clear(): void {
    this.names = '';
    this.sizes = this.modified = new Float64Array();
    this.folders = new Map();
    this.#changedAt = NaN;
  }
}
