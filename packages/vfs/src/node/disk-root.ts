import { constants, existsSync } from 'node:fs';
import * as nodeFiles from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { VFSPath } from '../paths/vfs-path.js';
import { pathError } from '../backends/checks.js';
import { diskError } from './node-errors.js';

/** The calls of `node:fs/promises` that the disk backend makes; tests replace some by failing ones. */
export type DiskCalls = Pick<
  typeof nodeFiles,
  | 'lstat'
  | 'mkdir'
  | 'open'
  | 'readdir'
  | 'readlink'
  | 'realpath'
  | 'rename'
  | 'rmdir'
  | 'stat'
  | 'unlink'
>;

/** Node's own. */
export const nodeCalls: DiskCalls = nodeFiles;

/** An open file, with its real place on disk. */
export interface OpenFile {
  readonly handle: nodeFiles.FileHandle;
  readonly real: string;
}

/** A folder that was checked to be inside the root, under a name that keeps meaning this folder. */
export interface OpenFolder {
  /** Join names to this: on Linux the names of an open descriptor, which no link can redirect. */
  readonly path: string;
  /** Its place on disk without links. */
  readonly real: string;
  /** Writes the folder's own entries to the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Not a device or pipe that would make `open` wait. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const READ_FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0);
const DESCRIPTORS = '/proc/self/fd';

/**
 * A folder on disk that nothing leads out of. What is opened is checked after it was opened, by the
 * place that the system says it has, so a link that is swapped in between is caught. Where the system
 * has no `/proc` (macOS, Windows) the places are checked by name: a link that another process swaps in
 * at that very moment is not caught there.
 */
export class DiskRoot {
  readonly #root: string;
  readonly #calls: DiskCalls;
  readonly #descriptors: boolean;

  /** @param root - path of a folder on disk, absolute */
  constructor(
    root: string,
    calls: DiskCalls = nodeCalls,
    descriptors: boolean = existsSync(DESCRIPTORS),
  ) {
    this.#root = root;
    this.#calls = calls;
    this.#descriptors = descriptors;
  }

  /** The name of `path` on disk; its links are not resolved. */
  native(path: VFSPath): string {
    return path.isRoot ? this.#root : join(this.#root, ...path.components);
  }

  /** Opens something for reading. @throws VFSError `vfs/escape`, `vfs/not-found`, … */
  async open(path: VFSPath): Promise<OpenFile> {
    const native = this.native(path);
    let handle: nodeFiles.FileHandle | undefined;
    try {
      handle = await this.#calls.open(native, READ);
      return { handle, real: await this.#check(path, native, handle) };
    } catch (error) {
      await handle?.close();
      throw diskError(error, path, this.#root);
    }
  }

  /** Opens a folder to work in. @throws VFSError `vfs/escape`, `vfs/not-found`, `vfs/not-folder`, … */
  async openFolder(path: VFSPath): Promise<OpenFolder> {
    const native = this.native(path);
    if (!this.#descriptors) return this.#namedFolder(path, native);
    let handle: nodeFiles.FileHandle | undefined;
    try {
      const opened = await this.#calls.open(native, READ_FOLDER);
      handle = opened;
      const real = await this.#check(path, native, opened);
      return {
        path: `${DESCRIPTORS}/${opened.fd}`,
        real,
        sync: () => opened.sync(),
        close: () => opened.close(),
      };
    } catch (error) {
      await handle?.close();
      throw diskError(error, path, this.#root);
    }
  }

  /** `real`, a place on disk inside the root, as components below the root. */
  async inside(real: string): Promise<string[]> {
    const root = await this.#calls.realpath(this.#root);
    return real === root
      ? []
      : real.slice(root.endsWith(sep) ? root.length : root.length + 1).split(sep);
  }

  async #namedFolder(path: VFSPath, native: string): Promise<OpenFolder> {
    try {
      const real = await this.#calls.realpath(native);
      await this.#require(path, real);
      if (!(await this.#calls.lstat(real)).isDirectory()) {
        throw pathError('vfs/not-folder', path, 'is a file');
      }
      return { path: real, real, sync: async () => {}, close: async () => {} };
    } catch (error) {
      throw diskError(error, path, this.#root);
    }
  }

  /** The real place of the open `handle`, which must be inside the root. */
  async #check(path: VFSPath, native: string, handle: nodeFiles.FileHandle): Promise<string> {
    if (this.#descriptors) {
      const real = await this.#calls.readlink(`${DESCRIPTORS}/${handle.fd}`);
      await this.#require(path, real);
      return real;
    }
    const real = await this.#calls.realpath(native);
    await this.#require(path, real);
    const [opened, named] = await Promise.all([
      handle.stat({ bigint: true }),
      this.#calls.lstat(real, { bigint: true }),
    ]);
    if (opened.ino !== named.ino || opened.dev !== named.dev) throw escape(path);
    return real;
  }

  async #require(path: VFSPath, real: string): Promise<void> {
    const root = await this.#calls.realpath(this.#root);
    const prefix = root.endsWith(sep) ? root : root + sep;
    if (real !== root && !real.startsWith(prefix)) throw escape(path);
  }
}

/** The refusal of `path`, which leads out of the root. */
function escape(path: VFSPath): Error {
  return pathError(
    'vfs/escape',
    path,
    'is reached by a link that leads out of the mounted folder',
    'Copy what it leads to, or mount that place on its own.',
  );
}
