import { type Clock, EventLog, NANOSECONDS_PER_MILLISECOND, systemClock } from '@ecliptic/core';
import type {
  VFSBackend,
  VFSOptions,
  VFSReadOptions,
  VFSRemoveOptions,
  VFSStat,
} from '../backends/vfs-backend.js';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath, type VFSPathLike } from '../paths/vfs-path.js';
import { Mount, type MountOptions, type ResolvedPath } from './mount.js';
import { MountTable } from './mount-table.js';
import { failureReporter, type VFSFailure } from './ask-mounts.js';
import { copyTree } from './copy-tree.js';
import { readSettled, type SettledOptions } from './read-settled.js';
import { changing, notMounted, Router, type VFSListEntry } from './router.js';
import { WatchHub, type VFSListener, type VFSSubscription } from './watch-hub.js';

/** Options of a {@link VFSContext}. */
export interface VFSContextOptions {
  /** Default: a log of the subsystem `vfs`. */
  readonly log?: EventLog | undefined;
  /** Times the quiet period of changes. Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Milliseconds without a change after which a path's change is delivered. Default 80. */
  readonly quiet?: number | undefined;
  /** Milliseconds since 1970, as files' times are. Default: `Date.now`. */
  readonly wallClock?: (() => number) | undefined;
  /** Called for every backend that failed and was passed over; each is also logged. */
  readonly onFailure?: ((failure: VFSFailure) => void) | undefined;
}

/**
 * One tree of files over many places: folders on disk, archives, servers, memory. Each is *mounted* at
 * a path; where several cover one path, the longest prefix is asked first, then the highest priority,
 * and what the first one lacks is looked for in the next.
 *
 * Nothing is global: make one per engine, and dispose it.
 *
 * @example
 * ```ts
 * const vfs = new VFSContext();
 * vfs.mount('/', memoryBackend());
 * vfs.mount('/Ecliptic', memoryBackend({ files: { '/logo.txt': 'E' } }), { priority: -1, readOnly: true });
 * await vfs.writeFile('/notes/todo.txt', 'nothing');
 * await vfs.readText('/Ecliptic/logo.txt'); // 'E'
 * (await vfs.list('/')).map((entry) => entry.name); // ['Ecliptic', 'notes']
 * ```
 */
export class VFSContext {
  readonly #table = new MountTable();
  readonly #clock: Clock;
  readonly #hub: WatchHub;
  readonly #router: Router;
  readonly #log: EventLog;
  readonly #wallClock: () => number;
  #disposed: Promise<void> | undefined;

  constructor(options: VFSContextOptions = {}) {
    this.#log = options.log ?? new EventLog('vfs');
    this.#clock = options.clock ?? systemClock();
    const quiet = (options.quiet ?? 80) * NANOSECONDS_PER_MILLISECOND;
    this.#hub = new WatchHub(this.#clock, this.#log, quiet);
    this.#router = new Router(this.#table, failureReporter(this.#log, options.onFailure));
    this.#wallClock = options.wallClock ?? Date.now;
  }

  /** All mounts, in order of place, then highest priority first. Allocates. */
  get mounts(): readonly Mount[] {
    return this.#table.all();
  }

  /**
   * Puts `backend` at `at`. Several may share a place, with different priorities.
   *
   * @throws VFSError `vfs/mounted-twice`, `vfs/disposed`, `vfs/path-*`
   */
  mount(at: VFSPathLike, backend: VFSBackend, options: MountOptions = {}): Mount {
    if (this.#disposed !== undefined) {
      throw new VFSError('vfs/disposed', 'The context was disposed', { fix: 'Make a new one.' });
    }
    const mount = new Mount(VFSPath.from(at), backend, options);
    this.#table.add(mount);
    this.#hub.mounted(mount);
    return mount;
  }

  /**
   * Takes a mount away. Its pending changes are forgotten; calls that run end as they would have.
   *
   * @throws VFSError `vfs/not-mounted` when it isn't (any more)
   */
  async unmount(mount: Mount): Promise<void> {
    if (!this.#table.remove(mount)) throw notMounted(mount.at);
    try {
      await this.#hub.unmounted(mount);
    } finally {
      if (mount.owned) await mount.backend.dispose?.();
    }
  }

  /**
   * The mount that is asked first for `path`, and the path in its backend; says nothing about whether
   * the file is there. O(depth), whatever the number of mounts; one small allocation.
   *
   * @throws VFSError `vfs/not-mounted`, `vfs/path-*`
   */
  resolve(path: VFSPathLike): ResolvedPath {
    const at = VFSPath.from(path);
    const found = this.#table.resolve(at);
    if (found === undefined) throw notMounted(at);
    return found;
  }

  /** Every mount that is asked for `path`, in that order; empty where nothing is mounted. */
  resolveAll(path: VFSPathLike): ResolvedPath[] {
    return this.#table.resolveAll(VFSPath.from(path));
  }

  /**
   * What is at `path`. A place above a mount is a folder.
   *
   * @throws VFSError `vfs/not-found`, `vfs/not-mounted`, what the storage reports
   */
  async stat(path: VFSPathLike, options?: VFSOptions): Promise<VFSStat> {
    return this.#router.stat(VFSPath.from(path), options);
  }

  /** Whether there is something at `path`. @throws VFSError what the storage reports */
  async exists(path: VFSPathLike, options?: VFSOptions): Promise<boolean> {
    try {
      await this.stat(path, options);
      return true;
    } catch (error) {
      if (VFSError.is(error, 'vfs/not-found', 'vfs/not-mounted')) return false;
      throw error;
    }
  }

  /**
   * The names in a folder, merged over all mounts (of equal names, that of the mount which is asked
   * first), with the places of mounts below it. Sorted by path, by UTF-16 code unit.
   *
   * @throws VFSError `vfs/not-found`, `vfs/not-folder`, `vfs/not-mounted`; the first failure when no
   * mount could answer
   */
  async list(path: VFSPathLike, options?: VFSOptions): Promise<VFSListEntry[]> {
    return this.#router.list(VFSPath.from(path), options);
  }

  /** @throws VFSError `vfs/not-found`, `vfs/is-folder`, `vfs/not-mounted`, `vfs/range-invalid` */
  async readFile(path: VFSPathLike, options?: VFSReadOptions): Promise<Uint8Array> {
    return this.#router.serve(VFSPath.from(path), 'read', ({ backend }, own) =>
      backend.read(own, options),
    );
  }

  /** The file piece by piece, without holding it whole where the backend can. Errors as `readFile`. */
  async readStream(
    path: VFSPathLike,
    options?: VFSReadOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#router.serve(VFSPath.from(path), 'read', async ({ backend }, own) => {
      if (backend.readStream) return backend.readStream(own, options);
      const bytes = await backend.read(own, options);
      return new ReadableStream({
        start(controller) {
          if (bytes.length > 0) controller.enqueue(bytes);
          controller.close();
        },
      });
    });
  }

  /** The file as UTF-8, without its byte-order mark. @throws VFSError as `readFile`, and `vfs/corrupt` */
  async readText(path: VFSPathLike, options?: VFSReadOptions): Promise<string> {
    const bytes = await this.readFile(path, options);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch (cause) {
      throw new VFSError('vfs/corrupt', `${VFSPath.from(path).text} is no UTF-8 text`, {
        subjects: { path: String(path) },
        fix: 'Save it as UTF-8, or read it with readFile().',
        cause,
      });
    }
  }

  /**
   * The file once nobody writes it any more: what is empty, was changed a moment ago or changes while
   * it is read is read again until two reads that are one quiet period apart agree. For reading after a
   * change; anything else is faster by `readFile`.
   *
   * @throws VFSError as `readFile`, and `vfs/busy` when it doesn't settle
   */
  async readSettled(path: VFSPathLike, options?: SettledOptions): Promise<Uint8Array> {
    return readSettled(this, VFSPath.from(path), this.#clock, this.#wallClock, options);
  }

  /**
   * Creates or replaces a file in the first writable mount of `path`, with the folders above it.
   * Atomic where the backend's capabilities say so: a crash leaves the old file or the new one. Texts
   * are stored as UTF-8. When a read-only mount that is asked before has such a file, that one is still
   * seen, which is warned about once.
   *
   * @throws VFSError `vfs/read-only`, `vfs/not-mounted`, `vfs/is-folder`, `vfs/not-folder`, what the
   * storage reports
   */
  async writeFile(
    path: VFSPathLike,
    content: Uint8Array | string,
    options?: VFSOptions,
  ): Promise<void> {
    const at = VFSPath.from(path);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const { mount, path: own } = this.#router.target(at, 'write');
    const other = await this.#router.hiddenBy(at, mount, options);
    await changing('write', at, mount, mount.backend.write(own, bytes, options));
    if (other) {
      const mounts = { written: mount.label, seen: other.label };
      this.#log.warnOnce('write_hidden', at.text, mounts);
    }
  }

  /** Creates a folder, and those above it; no-op where there is one. Errors as `writeFile`. */
  async createFolder(path: VFSPathLike, options?: VFSOptions): Promise<void> {
    const at = VFSPath.from(path);
    const { mount, path: own } = this.#router.target(at, 'create');
    await changing('create', at, mount, mount.backend.createFolder(own, options));
  }

  /**
   * Removes a file, or a folder: from the mount that serves it. What a mount further down has by that
   * name shows then.
   *
   * @throws VFSError `vfs/not-found`, `vfs/not-empty`, `vfs/read-only`, `vfs/busy` for a place where
   * something is mounted
   */
  async remove(path: VFSPathLike, options?: VFSRemoveOptions): Promise<void> {
    const at = VFSPath.from(path);
    const { mount, path: own } = await this.#router.owner(at, 'remove', options);
    await changing('remove', at, mount, mount.backend.remove(own, options));
  }

  /**
   * Moves a file (over another one, too) or a folder (to a free name), inside one backend.
   *
   * @throws VFSError `vfs/unsupported` from one backend to another: copy, then remove; `vfs/not-found`,
   * `vfs/exists`, `vfs/read-only`, `vfs/busy`
   */
  async rename(from: VFSPathLike, to: VFSPathLike, options?: VFSOptions): Promise<void> {
    const [source, target] = [VFSPath.from(from), VFSPath.from(to)];
    const old = await this.#router.owner(source, 'rename', options);
    const { mount, path: own } = this.#router.free(target, 'rename');
    if (old.mount !== mount) {
      throw new VFSError(
        'vfs/unsupported',
        `${source.text} is in ${old.mount.label}, ${target.text} in ${mount.label}`,
        {
          subjects: { from: source.text, to: target.text },
          fix: 'Use copy() and then remove().',
        },
      );
    }
    const { backend } = mount;
    await changing('rename', source, mount, backend.rename(old.path, own, options));
  }

  /**
   * Copies a file, or a folder with all that is in it as merged listings show it, also between mounts.
   * Files are replaced; not atomic as a whole.
   *
   * @throws VFSError as reading and writing, and `vfs/unsupported` for a folder into itself
   */
  async copy(from: VFSPathLike, to: VFSPathLike, options?: VFSOptions): Promise<void> {
    return copyTree(this, VFSPath.from(from), VFSPath.from(to), options);
  }

  /**
   * Calls `listener` for every change at or below `path`, inside {@link VFSContext.tick} and nowhere
   * else, once the path has been quiet for 80 ms. Await `ready`, then read the state: so nothing falls
   * between the two. Backends without the `watch` capability report nothing.
   */
  watch(path: VFSPathLike, listener: VFSListener): VFSSubscription {
    return this.#hub.subscribe(VFSPath.from(path), listener, this.#table.all());
  }

  /** Delivers the changes that are due; once a frame. @returns how many there were */
  tick(): number {
    return this.#hub.tick();
  }

  /**
   * Unmounts everything and ends all watching. Every call gives the same promise; it rejects with the first
   * failure of a backend, after the others were disposed all the same.
   */
  dispose(): Promise<void> {
    return (this.#disposed ??= this.#dispose());
  }

  async #dispose(): Promise<void> {
    this.#hub.clear();
    const ends = this.mounts.map((mount) => this.unmount(mount));
    const failures = (await Promise.allSettled(ends)).flatMap((end) =>
      end.status === 'rejected' ? [end.reason as unknown] : [],
    );
    this.#log.flush();
    if (failures.length > 0) throw failures[0];
  }
}
