import { sep } from 'node:path';
import { MAX_PATH_COMPONENTS } from '../../paths/limits.js';
import type { FolderLister, ListedEntry } from './folder-lister.js';
import { isGone } from '../system-code.js';
import type { TreePacker } from './tree-packer.js';

/** A folder as the last scan left it. */
interface ScannedFolder {
  readonly real: string;
  entries: ListedEntry[];
  /** The folders among the entries, by name. */
  readonly folders: Map<string, ScannedFolder>;
  changedAt: number;
  listedAt: number;
}

/** A folder's time says nothing when it is this young: another entry may come in the same tick of it. */
const RACY = 2_000;

/** What a {@link TreeScan} needs. */
export interface TreeScanOptions {
  readonly root: string;
  readonly lister: FolderLister;
  readonly ignored: (path: string) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Told of a folder that could not be listed, `''` for the root, and why. */
export type ScanFailed = (path: string, error: unknown) => void;

/**
 * Lists a whole tree, and again: where a folder's time is old and the same, its names are those of the
 * last time, and only the files are asked for their numbers.
 */
export class TreeScan {
  readonly #options: TreeScanOptions;
  readonly #root: ScannedFolder;

  constructor(options: TreeScanOptions) {
    this.#options = options;
    this.#root = newFolder(options.root);
  }

  /** Lists everything, parents first, a folder at a step. */
  *run(packer: TreePacker, failed: ScanFailed): Generator<void> {
    yield* this.#walk(this.#root, '', -1, [], packer, failed);
  }

  *#walk(
    folder: ScannedFolder,
    path: string,
    index: number,
    above: readonly string[],
    packer: TreePacker,
    failed: ScanFailed,
  ): Generator<void> {
    this.#list(folder, path, failed);
    yield;
    const around = [...above, folder.real];
    const below: [ScannedFolder, string, number][] = [];
    for (const entry of folder.entries) {
      const added = packer.add(entry, index);
      const own = entry.folder ? folder.folders.get(entry.name) : undefined;
      if (own) below.push([own, `${path}/${entry.name}`, added]);
    }
    if (around.length >= MAX_PATH_COMPONENTS) return;
    for (const [own, ownPath, added] of below) {
      // A link to a folder that it is in.
      if (!around.includes(own.real))
        yield* this.#walk(own, ownPath, added, around, packer, failed);
    }
  }

  #list(folder: ScannedFolder, path: string, failed: ScanFailed): void {
    const { lister, ignored, now } = this.#options;
    const began = now();
    const settled = folder.listedAt - folder.changedAt > RACY;
    try {
      const listing = lister.list(folder.real, settled ? folder.changedAt : undefined);
      folder.entries =
        listing.entries?.filter(({ name }) => !ignored(`${path}/${name}`)) ??
        folder.entries.flatMap(({ name }) => lister.entry(folder.real, name) ?? []);
      folder.changedAt = listing.changedAt;
      folder.listedAt = began;
    } catch (error) {
      const gone = isGone(error);
      if (gone) Object.assign(folder, newFolder(folder.real));
      // What disappears from below the root meanwhile is just not there.
      if (!gone || folder === this.#root) failed(path, error);
    }
    this.#updateFolders(folder);
  }

  #updateFolders(folder: ScannedFolder): void {
    const gone = new Set(folder.folders.keys());
    for (const { name, folder: isFolder, target } of folder.entries) {
      if (!isFolder) continue;
      gone.delete(name);
      const base = folder.real.endsWith(sep) ? folder.real : folder.real + sep;
      const real = target ?? base + name;
      if (folder.folders.get(name)?.real !== real) folder.folders.set(name, newFolder(real));
    }
    for (const name of gone) folder.folders.delete(name);
  }
}

function newFolder(real: string): ScannedFolder {
  return { real, entries: [], folders: new Map(), changedAt: NaN, listedAt: 0 };
}
