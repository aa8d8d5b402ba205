import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { clipRange, notFound, pathError } from '../backends/checks.js';
import type { VFSKind, VFSReadOptions, VFSStat } from '../backends/vfs-backend.js';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath } from '../paths/vfs-path.js';
import { DiskRoot, type DiskCalls, type OpenFolder } from './disk-root.js';
import { systemCode } from './system-code.js';

/** An open file and the part of it that is wanted. */
export interface OpenRange {
  readonly handle: FileHandle;
  readonly start: number;
  readonly end: number;
}

/**
 * Looks at what is below a {@link DiskRoot}. Throws what the system throws, or a `VFSError`; whoever
 * calls makes one of the other.
 */
export class DiskFiles {
  readonly root: DiskRoot;
  readonly calls: DiskCalls;
  /** Whether folders are flushed when something in them changed. */
  readonly durable: boolean;

  constructor(root: string, calls: DiskCalls, durable: boolean) {
    this.root = new DiskRoot(root, calls);
    this.calls = calls;
    this.durable = durable;
  }

  /** Opens a folder for as long as `work` takes. */
  async inFolder<T>(path: VFSPath, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
    const folder = await this.root.openFolder(path);
    try {
      return await work(folder);
    } finally {
      await folder.close();
    }
  }

  /** What is at `path`, behind any link. */
  async stats(path: VFSPath): Promise<Stats> {
    const own = await this.ownStats(path);
    if (!own.isSymbolicLink()) return own;
    const { handle } = await this.root.open(path);
    try {
      return await handle.stat();
    } finally {
      await handle.close();
    }
  }

  /** What is at `path` itself; a link is a link. */
  async ownStats(path: VFSPath): Promise<Stats> {
    return this.inFolder(path.parent, (folder) =>
      this.calls.lstat(path.isRoot ? folder.path + '/.' : join(folder.path, path.name)),
    );
  }

  /** What a link leads to; `undefined` for nothing, or nothing inside. */
  async linkKind(folder: VFSPath, name: string): Promise<VFSKind | undefined> {
    try {
      const path = folder.join(name);
      return toStat(path, await this.stats(path)).kind;
    } catch (error) {
      if (error instanceof VFSError || systemCode(error) !== '') return undefined;
      throw error;
    }
  }

  /** Opens a file for reading; the caller closes it. */
  async openFile(path: VFSPath, options: VFSReadOptions | undefined): Promise<OpenRange> {
    const { handle } = await missingBelowFile(path, this.root.open(path));
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) throw pathError('vfs/is-folder', path, 'is a folder');
      if (!stats.isFile()) throw notFound(path);
      return { handle, ...clipRange(options?.range, stats.size) };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Opens the folder at `path`, made with those above it where there is none. */
  async makeFolder(path: VFSPath): Promise<OpenFolder> {
    try {
      return await this.root.openFolder(path);
    } catch (error) {
      if (path.isRoot || !VFSError.is(error, 'vfs/not-found')) throw error;
    }
    const parent = await this.makeFolder(path.parent);
    try {
      await this.calls.mkdir(join(parent.path, path.name)).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error; // Somebody else made it meanwhile.
      });
      if (this.durable) await parent.sync();
    } finally {
      await parent.close();
    }
    return this.root.openFolder(path);
  }

  /** `path` as the disk spells it: where only another Unicode form of a name is there, that one. */
  async spelled(path: VFSPath): Promise<VFSPath> {
    // oxlint-disable-next-line no-control-regex
    if (/^[\0-\x7f]*$/.test(path.text)) return path;
    let at = VFSPath.root;
    for (const name of path.components) {
      let next = at.join(name);
      try {
        await this.ownStats(next);
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') return path;
        const names = await this.inFolder(at, (folder) => this.calls.readdir(folder.path));
        const same = names.find((other) => other.normalize('NFC') === name.normalize('NFC'));
        if (same === undefined) return path.tail(at.depth).under(at);
        next = at.join(same);
      }
      at = next;
    }
    return at;
  }
}

/** Reads a part of an open file; fewer bytes when it shrank meanwhile. */
export async function readRange(
  { handle, start, end }: OpenRange,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  let length = 0;
  while (length < bytes.length) {
    signal?.throwIfAborted();
    const want = Math.min(1 << 22, bytes.length - length);
    const { bytesRead } = await handle.read(bytes, length, want, start + length);
    if (bytesRead === 0) break; // It shrank meanwhile.
    length += bytesRead;
  }
  return length === bytes.length ? bytes : bytes.slice(0, length);
}

/** What `stats` says of `path`. */
export function toStat(path: VFSPath, stats: Stats): VFSStat {
  if (stats.isDirectory()) return { kind: 'folder', size: 0, modified: stats.mtimeMs };
  if (stats.isFile()) return { kind: 'file', size: stats.size, modified: stats.mtimeMs };
  throw notFound(path);
}

/** Lets "a file is where a folder is needed" mean that nothing is at `path`. */
export async function missingBelowFile<T>(path: VFSPath, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    // That the root is no folder is for people to know.
    if (path.isRoot) throw error;
    if (VFSError.is(error, 'vfs/not-folder') || systemCode(error) === 'ENOTDIR') {
      throw notFound(path, error);
    }
    throw error;
  }
}

/** Lets a call that found nothing give `undefined`. */
export function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}
