import { resolve } from 'node:path';
import { EventLog, systemClock, type Clock } from '@ecliptic/core';
import { pathError } from '../backends/checks.js';
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
import { blockingCalls } from './blocking-calls.js';
import { DiskChanges } from './disk-changes.js';
import { DiskFiles, missingBelowFile, readRange, toStat } from './disk-files.js';
import { nodeCalls, type DiskCalls } from './disk-root.js';
import { fileStream } from './file-stream.js';
import { Limiter } from './limiter.js';
import { diskError } from './node-errors.js';
import { disposed, TreeAgent } from './watch/tree-agent.js';
import { treeData, VFSFileWatcher, type FileWatchOptions } from './watch/vfs-file-watcher.js';
import { isUnnameable } from './unnameable.js';
import { windowsNameProblem } from './windows-names.js';

/** Options of {@link diskBackend}; those of {@link FileWatchOptions} are for watching and scanning. */
export interface DiskBackendOptions extends FileWatchOptions {
  /** Most calls that have files open at once; the others wait. Default 64. */
  readonly concurrency?: number | undefined;
  /** Flush data and folders to the disk at every write: slower, survives a power cut. Default `true`. */
  readonly durable?: boolean | undefined;
  /**
   * Make the calls to the disk on this thread: many small files are read and written several times faster, but nothing else happens here
   * meanwhile, for up to 20 ms or as long as one slow call takes. For tools, not beside frames. Default `false`.
   */
  readonly blocking?: boolean | undefined;
  /** Times the pauses before another try. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** The calls to the disk; for tests of failures. Default: by `blocking`. */
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
  readonly #files: DiskFiles;
  readonly #changes: DiskChanges;
  readonly #limiter: Limiter;
  readonly #native: string;
  readonly #options: DiskBackendOptions;
  readonly #watchers = new Set<VFSFileWatcher>();
  /** For scans, by globs. */
  readonly #agents = new Map<string, TreeAgent>();
  #disposed = false;

  constructor(root: string, options: DiskBackendOptions) {
    this.#native = root;
    this.#options = options;
    const calls = options.calls ?? (options.blocking === true ? blockingCalls() : nodeCalls);
    this.#files = new DiskFiles(root, calls, options.durable ?? true);
    this.#changes = new DiskChanges(this.#files, options.clock ?? systemClock());
    this.#limiter = new Limiter(options.concurrency ?? 64);
  }

  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    return this.#run(path, options, async (at) =>
      toStat(at, await missingBelowFile(at, this.#files.stats(at))),
    );
  }

  async list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    return this.#run(path, options, async (at) => {
      await missingBelowFile(at, this.#files.stats(at));
      return this.#files.inFolder(at, async (folder) => {
        const entries: VFSEntry[] = [];
        for (const entry of await this.#files.calls.readdir(folder.path, { withFileTypes: true })) {
          const { name } = entry;
          if (isUnnameable(name)) continue;
          if (entry.isFile()) entries.push({ name, kind: 'file' });
          else if (entry.isDirectory()) entries.push({ name, kind: 'folder' });
          else if (entry.isSymbolicLink()) {
            const kind = await this.#files.linkKind(at, name);
            if (kind !== undefined) entries.push({ name, kind });
          }
        }
        return entries;
      });
    });
  }

  async read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    return this.#run(path, options, async (at) => {
      const opened = await this.#files.openFile(at, options);
      try {
        return await readRange(opened, options?.signal);
      } finally {
        await opened.handle.close();
      }
    });
  }

  async readStream(path: VFSPath, options?: VFSReadOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#run(path, options, async (at) => {
      const opened = await this.#files.openFile(at, options);
      return fileStream(opened, at, options?.signal);
    });
  }

  async write(path: VFSPath, bytes: Uint8Array, options?: VFSOptions): Promise<void> {
    await this.#run(path, options, (at) => this.#changes.write(at, bytes, options?.signal));
  }

  async createFolder(path: VFSPath, options?: VFSOptions): Promise<void> {
    await this.#run(path, options, async (at) => (await this.#files.makeFolder(at)).close());
  }

  async remove(path: VFSPath, options?: VFSRemoveOptions): Promise<void> {
    await this.#run(path, options, (at) => missingBelowFile(at, this.#changes.remove(at, options)));
  }

  async rename(from: VFSPath, to: VFSPath, options?: VFSOptions): Promise<void> {
    await this.#run(from, options, async (source) =>
      this.#changes.rename(source, await this.#files.spelled(to), to),
    );
  }

  async watch(listener: VFSBackendListener): Promise<() => Promise<void>> {
    if (this.#disposed) throw disposed();
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

  async *scan({
    ignore,
    signal,
    onProgress,
    onFailure,
  }: VFSBackendScanOptions): AsyncGenerator<VFSBackendScanEntry[]> {
    signal?.throwIfAborted();
    if (this.#disposed) throw disposed();
    const key = JSON.stringify(ignore);
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      const log = this.#options.log ?? new EventLog('vfs');
      agent = new TreeAgent(treeData(this.#native, { ...this.#options, ignore }), log);
      this.#agents.set(key, agent);
    }
    let rootFailure: unknown;
    const unlisted = (text: string, code: string): void => {
      const path = text === '' ? VFSPath.root : VFSPath.tryParse(text);
      if (!(path instanceof VFSPath)) return; // Nobody can ask for it either.
      const error = diskError(Object.assign(new Error(code), { code }), path, this.#native);
      if (path.isRoot) rootFailure = error;
      else if (VFSError.is(error)) onFailure?.(path, error);
    };
    try {
      yield* agent.scan(signal, { progress: onProgress, unlisted });
      if (rootFailure !== undefined) throw rootFailure;
    } finally {
      if (agent.ended && this.#agents.get(key) === agent) this.#agents.delete(key);
    }
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
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
        return await operation(await this.#files.spelled(path));
      } catch (error) {
        throw diskError(error, path, this.#native);
      }
    }, options?.signal);
  }
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
