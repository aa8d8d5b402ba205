import { systemCode } from '../system-code.js';
import type { FolderLister, ListedEntry } from '../watch/folder-lister.js';
import { FolderPacker, type FolderBatch } from './folder-packer.js';

/** A folder to list, and what is known of it. */
export interface FolderTask {
  /** Its place on disk, without links. */
  readonly real: string;
  /** As `/a/b`, from the root of the scan; `''` for the root. */
  readonly path: string;
  /** When this is still the time of its last change, `names` are its names. */
  readonly unchangedSince: number | undefined;
  /** With `/` between them. */
  readonly names: string;
}

/** What is in the folders of some tasks, nothing in those that could not be listed. */
export interface ListedFolders extends FolderBatch {
  /** When the listing began, in milliseconds since 1970. */
  readonly listedAt: number;
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
  const changedAt: number[] = [];
  const targets = new Map<number, string>();
  const failures = new Map<number, string>();
  for (const [nth, task] of tasks.entries()) {
    try {
      const listing = options.lister.list(task.real, task.unchangedSince);
      for (const entry of listing.entries ?? entriesOf(task, options.lister)) {
        if (listing.entries && options.ignored(`${task.path}/${entry.name}`)) continue;
        if (entry.folder && entry.target !== undefined) targets.set(packer.size, entry.target);
        packer.add(entry);
      }
      packer.endFolder();
      changedAt.push(listing.changedAt);
    } catch (error) {
      const code = systemCode(error);
      if (code === '') throw error;
      packer.endFolder();
      changedAt.push(NaN);
      failures.set(nth, code);
    }
  }
  return { ...packer.take(), listedAt, changedAt, targets, failures };
}

function entriesOf({ real, names }: FolderTask, lister: FolderLister): ListedEntry[] {
  if (names === '') return [];
  return names.split('/').flatMap((name) => lister.entry(real, name) ?? []);
}
