import { constants, type Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EventLog, systemClock, type Clock } from '@ecliptic/core';
import { clipRange, notFound, pathError } from '../backends/checks.js';
import type {
  VFSBackend,
  VFSBackendListener,
  VFSBackendScanEntry,
  VFSBackendScanOptions,
  VFSCapabilities,
  VFSEntry,
  VFSOptions,
  VFSReadOptions,
  VFSRemoveOptions,
  VFSStat,
} from '../backends/vfs-backend.js';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath } from '../paths/vfs-path.js';
import { atomicWrite, retried } from './atomic-write.js';
import { DiskRoot, nodeCalls, type DiskCalls, type OpenFolder } from './disk-root.js';
import { Limiter } from './limiter.js';
import { diskError, systemCode } from './node-errors.js';
import { TreeAgent } from './watch/tree-agent.js';
import { treeData, VFSFileWatcher, type FileWatchOptions } from './watch/vfs-file-watcher.js';
import { windowsNameProblem } from './windows-names.js';

const CHUNK = 1 << 16;

/** Options of {@link diskBackend}; those of {@link FileWatchOptions} are for watching and scanning. */
export interface DiskBackendOptions extends FileWatchOptions {
  /** Most calls that have files open at once; the others wait. Default 64. */
  readonly concurrency?: number | undefined;
  /** Flush data and folders to the disk at every write: slower, survives a power cut. Default `true`. */
  readonly durable?: boolean | undefined;
  /** Times the pauses before another try. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** The calls to the disk; for tests of failures. Default: those of `node:fs/promises`. */
  readonly calls?: DiskCalls | undefined;
}

/**
 * A folder on disk. Nothing outside of it is reached, by no path and by no link; links inside of it are
 * followed. Devices, pipes, sockets, dangling links and links that lead out are left out of listings.
 * Writes are atomic. The folder must exist; it is looked for anew at each call.
 *
 * Names that Windows can't store are refused on Windows. On file systems that ignore case a path in the
 * wrong case works, too; the scanner reports names that differ only in case.
 *
 * @param root - the folder, absolute or relative to the working directory of now
 *
 * @example
 * ```ts
 * const vfs = new VFSContext();
 * vfs.mount('/', diskBackend('./project'));
 * vfs.mount('/Ecliptic', diskBackend(new URL('../assets', import.meta.url).pathname), { readOnly: true });
 * ```
 */
export function diskBackend(root: string, options: DiskBackendOptions = {}): VFSBackend {
  return new DiskBackend(resolve(root), options);
}

class DiskBackend implements VFSBackend {
  readonly name = 'disk';
  readonly capabilities: VFSCapabilities = {
    write: true,
    range: true,
    atomicWrite: true,
    list: true,
    watch: true,
  };
  readonly #root: DiskRoot;
  readonly #calls: DiskCalls;
  readonly #limiter: Limiter;
  readonly #clock: Clock;
  readonly #durable: boolean;
  readonly #native: string;
  readonly #options: DiskBackendOptions;
  readonly #watchers = new Set<VFSFileWatcher>();
  /** For scans, by globs. */
  readonly #agents = new Map<string, TreeAgent>();

  constructor(root: string, options: DiskBackendOptions) {
    this.#native = root;
    this.#options = options;
    this.#calls = options.calls ?? nodeCalls;
    this.#root = new DiskRoot(root, this.#calls);
    this.#limiter = new Limiter(options.concurrency ?? 64);
    this.#clock = options.clock ?? systemClock();
    this.#durable = options.durable ?? true;
  }

  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    return this.#run(path, options, async (at) =>
      toStat(at, await missingBelowFile(at, this.#stats(at))),
    );
  }

  async list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    return this.#run(path, options, async (at) => {
      await missingBelowFile(at, this.#stats(at));
      return this.#inFolder(at, async (folder) => {
        const entries: VFSEntry[] = [];
        for (const entry of await this.#calls.readdir(folder.path, { withFileTypes: true })) {
          const { name } = entry;
          if (entry.isFile()) entries.push({ name, kind: 'file' });
          else if (entry.isDirectory()) entries.push({ name, kind: 'folder' });
          else if (entry.isSymbolicLink()) {
            const kind = await this.#linkKind(at, name);
            if (kind !== undefined) entries.push({ name, kind });
          }
        }
        return entries;
      });
    });
  }

  async read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    return this.#run(path, options, async (at) => {
      const { handle, start, end } = await this.#openFile(at, options);
      try {
        return await readRange(handle, start, end, options?.signal);
      } finally {
        await handle.close();
      }
    });
  }

  async readStream(path: VFSPath, options?: VFSReadOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#run(path, options, async (at) => {
      const opened = await this.#openFile(at, options);
      const { handle, end } = opened;
      let { start } = opened;
      return new ReadableStream<Uint8Array>({
        async pull(controller): Promise<void> {
          try {
            const chunk = await readRange(
              handle,
              start,
              Math.min(end, start + CHUNK),
              options?.signal,
            );
            start += chunk.length;
            if (chunk.length > 0) controller.enqueue(chunk);
            if (chunk.length > 0 && start < end) return;
            await handle.close();
            controller.close();
          } catch (error) {
            await handle.close();
            controller.error(diskError(error, at));
          }
        },
        cancel: () => handle.close(),
      });
    });
  }

  async write(path: VFSPath, bytes: Uint8Array, options?: VFSOptions): Promise<void> {
    await this.#run(path, options, (at) => this.#write(at, bytes, options?.signal));
  }

  async createFolder(path: VFSPath, options?: VFSOptions): Promise<void> {
    await this.#run(path, options, async (at) => (await this.#makeFolder(at)).close());
  }

  async remove(path: VFSPath, options?: VFSRemoveOptions): Promise<void> {
    await this.#run(path, options, async (at) => {
      if (at.isRoot) {
        await this.#inFolder(at, async (folder) => {
          const names = await this.#calls.readdir(folder.path);
          if (names.length > 0 && options?.recursive !== true) {
            throw pathError('vfs/not-empty', at, 'is not empty', 'Pass { recursive: true }.');
          }
          for (const name of names) await this.#removeEntry(folder, at.join(name), options);
        });
        return;
      }
      await missingBelowFile(
        at,
        this.#inFolder(at.parent, (folder) => this.#removeEntry(folder, at, options)),
      );
    });
  }

  async rename(from: VFSPath, to: VFSPath, options?: VFSOptions): Promise<void> {
    await this.#run(from, options, async (source) => {
      const target = await this.#spelled(to);
      await this.#inFolder(source.parent, async (oldFolder) => {
        const itself = pathError(
          'vfs/unsupported',
          from,
          `can't be moved into itself, to ${to.text}`,
        );
        if (source.isRoot) throw itself;
        const old = await this.#calls.lstat(join(oldFolder.path, source.name));
        if (old.isDirectory() && to.isWithin(from) && !to.equals(from)) throw itself;
        const newFolder = await this.#makeFolder(target.parent);
        try {
          const native = join(newFolder.path, to.equals(from) ? to.name : target.name);
          const there = await this.#calls.lstat(native).catch(ignoreMissing);
          const same = there?.ino === old.ino && there.dev === old.dev;
          if (there && !same && (there.isDirectory() || old.isDirectory())) {
            throw pathError('vfs/exists', to, 'is in the way', 'Remove it first.');
          }
          await retried(this.#clock, () =>
            this.#calls.rename(join(oldFolder.path, source.name), native),
          );
          if (this.#durable) await newFolder.sync();
        } finally {
          await newFolder.close();
        }
        if (this.#durable) await oldFolder.sync();
      });
    });
  }

  async watch(listener: VFSBackendListener): Promise<() => Promise<void>> {
    const watcher = new VFSFileWatcher(this.#native, listener, this.#options);
    this.#watchers.add(watcher);
    const stop = async (): Promise<void> => {
      this.#watchers.delete(watcher);
      await watcher.close();
    };
    try {
      await watcher.start();
    } catch (error) {
      await stop();
      throw error;
    }
    return stop;
  }

  async scan({
    ignore,
    signal,
    onProgress,
  }: VFSBackendScanOptions): Promise<VFSBackendScanEntry[]> {
    signal?.throwIfAborted();
    const key = JSON.stringify(ignore);
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      const log = this.#options.log ?? new EventLog('vfs');
      agent = new TreeAgent(treeData(this.#native, { ...this.#options, ignore }), log);
      this.#agents.set(key, agent);
    }
    try {
      return await agent.scan(signal, onProgress);
    } catch (error) {
      if (VFSError.is(error, 'vfs/disposed')) this.#agents.delete(key);
      throw error;
    }
  }

  async dispose(): Promise<void> {
    const owned = [...this.#watchers, ...this.#agents.values()];
    this.#watchers.clear();
    this.#agents.clear();
    await Promise.all(owned.map((each) => each.close()));
  }

  /** Runs an operation in turn, on the path as the disk spells it, with errors of this package. */
  async #run<T>(
    path: VFSPath,
    options: VFSOptions | undefined,
    operation: (path: VFSPath) => Promise<T>,
  ): Promise<T> {
    options?.signal?.throwIfAborted();
    if (process.platform === 'win32') refuseWindowsNames(path);
    return this.#limiter.run(async () => {
      options?.signal?.throwIfAborted();
      try {
        return await operation(await this.#spelled(path));
      } catch (error) {
        throw diskError(error, path);
      }
    });
  }

  async #inFolder<T>(path: VFSPath, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
    const folder = await this.#root.openFolder(path);
    try {
      return await work(folder);
    } finally {
      await folder.close();
    }
  }

  /** What is at `path`, behind any link. */
  async #stats(path: VFSPath): Promise<Stats> {
    const own = await this.#ownStats(path);
    if (!own.isSymbolicLink()) return own;
    const { handle } = await this.#root.open(path);
    try {
      return await handle.stat();
    } finally {
      await handle.close();
    }
  }

  /** What is at `path` itself; a link is a link. */
  async #ownStats(path: VFSPath): Promise<Stats> {
    return this.#inFolder(path.parent, (folder) =>
      this.#calls.lstat(path.isRoot ? folder.path + '/.' : join(folder.path, path.name)),
    );
  }

  async #linkKind(folder: VFSPath, name: string): Promise<'file' | 'folder' | undefined> {
    try {
      const path = folder.join(name);
      return toStat(path, await this.#stats(path)).kind;
    } catch (error) {
      if (error instanceof VFSError || systemCode(error) !== '') return undefined;
      throw error;
    }
  }

  async #openFile(
    path: VFSPath,
    options: VFSReadOptions | undefined,
  ): Promise<{ handle: FileHandle; start: number; end: number }> {
    const { handle } = await missingBelowFile(path, this.#root.open(path));
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

  async #write(path: VFSPath, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    if (path.isRoot) throw pathError('vfs/is-folder', path, 'is a folder');
    const folder = await this.#makeFolder(path.parent);
    try {
      const old = await this.#calls.lstat(join(folder.path, path.name)).catch(ignoreMissing);
      if (old?.isSymbolicLink()) {
        // Write what the link leads to, if that is inside; the link stays.
        const { handle, real } = await this.#root.open(path);
        await handle.close();
        const target = VFSPath.root.join((await this.#root.inside(real)).join('/'));
        if (target.equals(path)) throw notFound(path);
        return await this.#write(target, bytes, signal);
      }
      if (old?.isDirectory()) throw pathError('vfs/is-folder', path, 'is a folder');
      await atomicWrite(folder, path.name, bytes, old?.mode, {
        calls: this.#calls,
        clock: this.#clock,
        durable: this.#durable,
        signal,
      });
    } finally {
      await folder.close();
    }
  }

  /** Opens the folder at `path`, made with those above it where there is none. */
  async #makeFolder(path: VFSPath): Promise<OpenFolder> {
    try {
      return await this.#root.openFolder(path);
    } catch (error) {
      if (path.isRoot || !VFSError.is(error, 'vfs/not-found')) throw error;
    }
    const parent = await this.#makeFolder(path.parent);
    try {
      await this.#calls.mkdir(join(parent.path, path.name)).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error; // Somebody else made it meanwhile.
      });
      if (this.#durable) await parent.sync();
    } finally {
      await parent.close();
    }
    return this.#root.openFolder(path);
  }

  /** Removes one entry; links are removed, never followed. */
  async #removeEntry(folder: OpenFolder, path: VFSPath, options?: VFSRemoveOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    const native = join(folder.path, path.name);
    if (!(await this.#calls.lstat(native)).isDirectory()) return this.#calls.unlink(native);
    if (options?.recursive === true) await this.#removeTree(native, options);
    await this.#calls.rmdir(native);
  }

  async #removeTree(native: string, options: VFSRemoveOptions): Promise<void> {
    options.signal?.throwIfAborted();
    // O_NOFOLLOW: a folder that has become a link by now is not entered.
    const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
    const handle = process.platform === 'linux' ? await this.#calls.open(native, flags) : undefined;
    const base = handle ? `/proc/self/fd/${handle.fd}` : native;
    try {
      for (const entry of await this.#calls.readdir(base, { withFileTypes: true })) {
        const child = join(base, entry.name);
        if (!entry.isDirectory()) await this.#calls.unlink(child);
        else {
          await this.#removeTree(child, options);
          await this.#calls.rmdir(child);
        }
      }
    } finally {
      await handle?.close();
    }
  }

  /** `path` as the disk spells it: where only another Unicode form of a name is there, that one. */
  async #spelled(path: VFSPath): Promise<VFSPath> {
    // oxlint-disable-next-line no-control-regex
    if (/^[\0-\x7f]*$/.test(path.text)) return path;
    let at = VFSPath.root;
    for (const name of path.components) {
      let next = at.join(name);
      try {
        await this.#ownStats(next);
      } catch (error) {
        if (systemCode(error) !== 'ENOENT') return path;
        const names = await this.#inFolder(at, (folder) => this.#calls.readdir(folder.path));
        const same = names.find((other) => other.normalize('NFC') === name.normalize('NFC'));
        if (same === undefined) return path.tail(at.depth).under(at);
        next = at.join(same);
      }
      at = next;
    }
    return at;
  }
}

async function readRange(
  handle: FileHandle,
  start: number,
  end: number,
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

function toStat(path: VFSPath, stats: Stats): VFSStat {
  if (stats.isDirectory()) return { kind: 'folder', size: 0, modified: stats.mtimeMs };
  if (stats.isFile()) return { kind: 'file', size: stats.size, modified: stats.mtimeMs };
  throw notFound(path);
}

/** Lets "a file is where a folder is needed" mean that nothing is at `path`. */
async function missingBelowFile<T>(path: VFSPath, result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (VFSError.is(error, 'vfs/not-folder') || systemCode(error) === 'ENOTDIR') {
      throw notFound(path, error);
    }
    throw error;
  }
}

function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}

function refuseWindowsNames(path: VFSPath): void {
  for (const name of path.components) {
    const problem = windowsNameProblem(name);
    if (problem !== undefined) {
      throw pathError(
        'vfs/path-character',
        path,
        `${problem}, which Windows can't store`,
        'Rename it.',
      );
    }
  }
}
