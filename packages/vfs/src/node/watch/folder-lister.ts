import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  type Stats,
} from 'node:fs';
import { sep } from 'node:path';
import { isUnnameable } from '../unnameable.js';

/** What a listing tells of one file or folder: enough to see that it changed, and to know it by another name. */
export interface ListedEntry {
  readonly name: string;
  readonly folder: boolean;
  readonly ino: number;
  readonly size: number;
  readonly mtime: number;
  readonly ctime: number;
  readonly birth: number;
  /** Where a link leads to: its place on disk without links. */
  readonly target: string | undefined;
}

/** A folder as it was once. */
interface KnownFolder {
  readonly ino: number;
  readonly changedAt: number;
  /** Of those of its entries that are wanted. */
  readonly names: Iterable<string>;
}

/** A folder's own numbers and its entries. */
interface Listing {
  readonly ino: number;
  /**
   * When its names last changed: its `ctime`, which nobody can set. `NaN` when there is more than the
   * entries, which may come to be one: a link to nothing yet.
   */
  readonly changedAt: number;
  /** Whether the names are those that were known, and were not read again. */
  readonly same: boolean;
  readonly entries: readonly ListedEntry[];
}

/** Lists folders on disk, synchronously: for a worker. Replaced by tests of failures. */
export interface FolderLister {
  /**
   * @param folder - its place on disk, without links
   * @param known - when it is this one still, and unchanged, the names are not read again
   * @throws what the system throws; `ENOENT` also when something else stands there now
   */
  list(folder: string, known?: KnownFolder): Listing;
  /** One entry, or `undefined` when it isn't there or is neither file nor folder. */
  entry(folder: string, name: string): ListedEntry | undefined;
  /** Something that is the same as long as this folder is the same, or `undefined` when there is none. */
  identity(folder: string): string | undefined;
}

const DESCRIPTORS = existsSync('/proc/self/fd');
const QUIETLY = { bigint: false, throwIfNoEntry: false } as const;
const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * The lister of real disks. Never leaves `root`: links that lead out are left out, and on Linux a
 * folder that was swapped for a link while it is read, too.
 *
 * @param root - its place on disk, without links
 * @param followLinks - whether links inside the root count as what they lead to, or not at all
 */
export function diskLister(root: string, followLinks: boolean): FolderLister {
  const prefix = root.endsWith(sep) ? root : root + sep;

  const toEntry = (name: string, path: string): ListedEntry | undefined => {
    const stats = lstatSync(path, QUIETLY);
    if (stats === undefined || !stats.isSymbolicLink()) return entryOf(name, stats, undefined);
    const target = followLinks ? targetOf(path) : undefined;
    if (target === undefined || (target !== root && !target.startsWith(prefix))) return undefined;
    return entryOf(name, statSync(target, QUIETLY), target);
  };

  return {
    list(folder, known) {
      const opened = open(folder);
      try {
        const { ino, ctimeMs } = opened.stats();
        const same = ino === known?.ino && ctimeMs === known.changedAt;
        const base = folder.endsWith(sep) ? folder : folder + sep;
        const entries: ListedEntry[] = [];
        let complete = true;
        for (const name of same ? known.names : readdirSync(opened.path)) {
          if (isUnnameable(name)) continue;
          const entry = toEntry(name, base + name);
          if (entry) entries.push(entry);
          else complete &&= !followLinks;
        }
        // The entries were asked by name, which is a quarter faster: was it this folder all the time?
        opened.check();
        return { ino, changedAt: complete ? ctimeMs : NaN, same, entries };
      } finally {
        opened.close();
      }
    },
    entry: (folder, name) => toEntry(name, `${folder}/${name}`),
    identity(folder) {
      const stats = lstatSync(folder, { throwIfNoEntry: false });
      return stats?.isDirectory() ? `${stats.dev}:${stats.ino}:${stats.birthtimeMs}` : undefined;
    },
  };
}

/** A folder that is being listed. */
interface OpenedFolder {
  /** On Linux the name of an open descriptor, which can't come to mean another folder. */
  readonly path: string;
  stats(): Stats;
  /** @throws ENOENT when the folder's own name means another one now */
  check(): void;
  close(): void;
}

function open(folder: string): OpenedFolder {
  if (!DESCRIPTORS) {
    const check = (): void => {
      if (realpathSync.native(folder) !== folder) throw missing(folder);
    };
    return { path: folder, stats: () => lstatSync(`${folder}/.`), check, close: () => {} };
  }
  const fd = openSync(folder, FLAGS);
  const path = `/proc/self/fd/${fd}`;
  const check = (): void => {
    if (readlinkSync(path) !== folder) throw missing(folder);
  };
  return { path, stats: () => fstatSync(fd), check, close: () => closeSync(fd) };
}

function missing(folder: string): Error {
  return Object.assign(new Error(`ENOENT: ${folder} is another folder now`), { code: 'ENOENT' });
}

function targetOf(link: string): string | undefined {
  try {
    return realpathSync.native(link);
  } catch {
    return undefined; // Dangling, in a circle, or not allowed: there is nothing to see.
  }
}

function entryOf(
  name: string,
  stats: Stats | undefined,
  target: string | undefined,
): ListedEntry | undefined {
  if (stats === undefined) return undefined;
  const folder = stats.isDirectory();
  if (!folder && !stats.isFile()) return undefined;
  return {
    name,
    folder,
    ino: stats.ino,
    size: folder ? 0 : stats.size,
    mtime: stats.mtimeMs,
    ctime: stats.ctimeMs,
    birth: stats.birthtimeMs,
    target,
  };
}
