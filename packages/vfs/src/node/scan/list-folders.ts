import { systemCode } from '../system-code.js';
import type { FolderLister } from '../watch/folder-lister.js';
import { FolderPacker, type FolderBatch } from './folder-packer.js';

/** A folder as the last scan left it. */
interface KnownNames {
  readonly ino: number;
  readonly changedAt: number;
  /** With `/` between them. */
  readonly names: string;
}

/** A folder to list, and what is known of it. */
export interface FolderTask {
  /** Its place on disk, without links. */
  readonly real: string;
  /** As `/a/b`, from the root of the scan; `''` for the root. */
  readonly path: string;
  /** What is believed while its number and the time of its last change are the same. */
  readonly known: KnownNames | undefined;
}

/** What is in the folders of some tasks, nothing in those that could not be listed. */
export interface ListedFolders extends FolderBatch {
  /** When the listing began, in milliseconds since 1970. */
  readonly listedAt: number;
  readonly inos: readonly number[];
  /** When the names of each folder last changed. */
  readonly changedAt: readonly number[];
  /** Where links to folders lead, by number of the entry. */
  readonly targets: ReadonlyMap<number, string>;
  /** The system's codes for folders that could not be listed, by number of the task. */
  readonly failures: ReadonlyMap<number, string>;
}

/** What {@link listFolders} needs. */
export interface ListOptions {
  readonly lister: FolderLister;
  readonly ignored: (path: string) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Lists folders, synchronously. @throws what is no failure of the system */
export function listFolders(tasks: readonly FolderTask[], options: ListOptions): ListedFolders {
  const listedAt = options.now();
  const packer = new FolderPacker();
  const inos: number[] = [];
  const changedAt: number[] = [];
  const targets = new Map<number, string>();
  const failures = new Map<number, string>();
  for (const [nth, task] of tasks.entries()) {
    try {
      const { known } = task;
      const listing = options.lister.list(
        task.real,
        known && { ...known, names: known.names === '' ? [] : known.names.split('/') },
      );
      for (const entry of listing.entries) {
        if (!listing.same && options.ignored(`${task.path}/${entry.name}`)) continue;
        if (entry.folder && entry.target !== undefined) targets.set(packer.size, entry.target);
        packer.add(entry);
      }
      packer.endFolder();
      inos.push(listing.ino);
      changedAt.push(listing.changedAt);
    } catch (error) {
      const code = systemCode(error);
      if (code === '') throw error;
      packer.endFolder();
      inos.push(NaN);
      changedAt.push(NaN);
      failures.set(nth, code);
    }
  }
  return { ...packer.take(), listedAt, inos, changedAt, targets, failures };
}
