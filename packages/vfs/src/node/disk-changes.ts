import { constants } from 'node:fs';
import { join, sep } from 'node:path';
import type { Clock } from '@ecliptic/core';
import { notFound, pathError } from '../backends/checks.js';
import type { VFSRemoveOptions } from '../backends/vfs-backend.js';
import { VFSPath } from '../paths/vfs-path.js';
import { atomicWrite, retried } from './atomic-write.js';
import { ignoreMissing, type DiskFiles } from './disk-files.js';
import type { OpenFolder } from './disk-root.js';

/** Changes what is below a `DiskRoot`. Links are changed themselves, but for writes: those go through. */
export class DiskChanges {
  readonly #files: DiskFiles;
  readonly #clock: Clock;

  constructor(files: DiskFiles, clock: Clock) {
    this.#files = files;
    this.#clock = clock;
  }

  /** Replaces a file atomically. */
  async write(path: VFSPath, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    if (path.isRoot) throw pathError('vfs/is-folder', path, 'is a folder');
    const folder = await this.#files.makeFolder(path.parent);
    try {
      const old = await this.#files.calls.lstat(join(folder.path, path.name)).catch(ignoreMissing);
      if (old?.isSymbolicLink()) {
        // Write what the link leads to, if that is inside; the link stays.
        const { handle, real } = await this.#files.root.open(path);
        await handle.close();
        const names = await this.#files.root.inside(real);
        const target = names.reduce((at, name) => at.child(name), VFSPath.root);
        if (target.equals(path)) throw notFound(path);
        return await this.write(target, bytes, signal);
      }
      if (old?.isDirectory()) throw pathError('vfs/is-folder', path, 'is a folder');
      await atomicWrite(folder, path.name, bytes, old?.mode, {
        calls: this.#files.calls,
        clock: this.#clock,
        durable: this.#files.durable,
        signal,
      });
    } finally {
      await folder.close();
    }
  }

  /** Removes `path`; the root is emptied. */
  async remove(path: VFSPath, options?: VFSRemoveOptions): Promise<void> {
    if (!path.isRoot) {
      const name = Buffer.from(path.name);
      await this.#files.inFolder(path.parent, (folder) => this.#removeEntry(folder, name, options));
      return;
    }
    await this.#files.inFolder(path, async (folder) => {
      // Names as bytes: those that are no text are removed, too.
      const names = await this.#files.calls.readdir(folder.path, { encoding: 'buffer' });
      if (names.length > 0 && options?.recursive !== true) {
        throw pathError('vfs/not-empty', path, 'is not empty', 'Pass { recursive: true }.');
      }
      for (const name of names) await this.#removeEntry(folder, name, options);
    });
  }

  /** Moves `from` to `to`, which is `wanted` as the disk spells it. */
  async rename(from: VFSPath, to: VFSPath, wanted: VFSPath): Promise<void> {
    const { calls, durable } = this.#files;
    const itself = pathError('vfs/unsupported', from, `can't be moved into itself, to ${to.text}`);
    if (from.isRoot) throw itself;
    await this.#files.inFolder(from.parent, async (oldFolder) => {
      const source = join(oldFolder.path, from.name);
      const old = await calls.lstat(source);
      if (old.isDirectory() && to.isWithin(from) && !to.equals(from)) throw itself;
      const newFolder = await this.#files.makeFolder(to.parent);
      try {
        const target = join(newFolder.path, to.equals(from) ? wanted.name : to.name);
        const there = await calls.lstat(target).catch(ignoreMissing);
        const same = there?.ino === old.ino && there.dev === old.dev;
        if (there && !same && (there.isDirectory() || old.isDirectory())) {
          throw pathError('vfs/exists', to, 'is in the way', 'Remove it first.');
        }
        await retried(this.#clock, () => calls.rename(source, target));
        // Of two names of one file the system keeps both. (Where case is ignored the old one may be gone.)
        const linked = same && old.nlink > 1 && !to.equals(from);
        if (linked && (await calls.readdir(oldFolder.path)).includes(from.name)) {
          await calls.unlink(source);
        }
        if (durable) await newFolder.sync();
      } finally {
        await newFolder.close();
      }
      if (durable) await oldFolder.sync();
    });
  }

  /** Removes one entry; links are removed, never followed. */
  async #removeEntry(folder: OpenFolder, name: Buffer, options?: VFSRemoveOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    const native = below(folder.path, name);
    if (!(await this.#files.calls.lstat(native)).isDirectory())
      return this.#files.calls.unlink(native);
    if (options?.recursive === true) await this.#removeTree(native, options);
    await this.#files.calls.rmdir(native);
  }

  async #removeTree(native: Buffer, options: VFSRemoveOptions): Promise<void> {
    options.signal?.throwIfAborted();
    // O_NOFOLLOW: a folder that has become a link by now is not entered.
    const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
    const { calls } = this.#files;
    const handle = process.platform === 'linux' ? await calls.open(native, flags) : undefined;
    const base = handle ? `/proc/self/fd/${handle.fd}` : native;
    try {
      const listing = { encoding: 'buffer', withFileTypes: true } as const;
      for (const entry of await calls.readdir(base, listing)) {
        const child = below(base, entry.name);
        if (!entry.isDirectory()) await calls.unlink(child);
        else {
          await this.#removeTree(child, options);
          await calls.rmdir(child);
        }
      }
    } finally {
      await handle?.close();
    }
  }
}

function below(folder: string | Buffer, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(folder), Buffer.from(sep), name]);
}
