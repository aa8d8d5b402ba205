import { VFSError } from '../errors/vfs-error.js';
import { VFSPath } from '../paths/vfs-path.js';
import { abortable } from './abortable.js';
import { notFound, pathError, statOf } from './checks.js';
import { OverlayMarks } from './overlay-marks.js';
import { OverlayWatch } from './overlay-watch.js';
import type {
  VFSBackend,
  VFSBackendListener,
  VFSCapabilities,
  VFSEntry,
  VFSKind,
  VFSOptions,
  VFSReadOptions,
  VFSRemoveOptions,
  VFSStat,
} from './vfs-backend.js';

/**
 * A writable `upper` over a `lower` that is never written to: shipped files with the player's changes, an
 * archive with patches. Reads come from `upper`, then from `lower`; every write goes to `upper`. What is
 * removed from `lower` is marked in a file of `upper` (`/.ecliptic-overlay.json`), so it stays removed.
 *
 * Unlike two mounts at one place, this hides what is removed, and renames what is below. Renaming a
 * folder that is in `lower` copies it, and is not atomic then.
 *
 * @example
 * ```ts
 * vfs.mount('/', overlayBackend(diskBackend('./saves'), zipBackend(shipped)));
 * ```
 */
export function overlayBackend(upper: VFSBackend, lower: VFSBackend): VFSBackend {
  if (!upper.capabilities.write) {
    throw new VFSError('vfs/read-only', `The upper backend (${upper.name}) can't be written to`, {
      subjects: { upper: upper.name, lower: lower.name },
      fix: 'Pass the writable one first.',
    });
  }
  return new OverlayBackend(upper, lower);
}

class OverlayBackend implements VFSBackend {
  readonly name = 'overlay';
  readonly capabilities: VFSCapabilities;
  readonly #upper: VFSBackend;
  readonly #lower: VFSBackend;
  readonly #marks: OverlayMarks;
  readonly #watch: OverlayWatch;
  /** Changes are made one after the other: each looks first and acts then. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(upper: VFSBackend, lower: VFSBackend) {
    this.#upper = upper;
    this.#lower = lower;
    this.#marks = new OverlayMarks(upper);
    this.#watch = new OverlayWatch({
      upper,
      lower,
      showsLower: async (path) => !(await this.#isOnlyUpper(path)),
      isSecret: (path) => this.#marks.isMarkFile(path),
    });
    this.capabilities = {
      write: true,
      range: upper.capabilities.range && lower.capabilities.range,
      atomicWrite: upper.capabilities.atomicWrite,
      list: upper.capabilities.list && lower.capabilities.list,
      watch: upper.capabilities.watch,
    };
  }

  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    return this.#ask(path, options, (backend) => backend.stat(path, options));
  }

  async list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    const names = new Map<string, VFSEntry>();
    let isThere = false;
    for (const backend of await this.#layers(path, options)) {
      let entries: VFSEntry[];
      try {
        entries = await backend.list(path, options);
      } catch (error) {
        if (VFSError.is(error, 'vfs/not-found')) continue;
        // A folder above hides a file of its name.
        if (isThere && VFSError.is(error, 'vfs/not-folder')) continue;
        throw error;
      }
      isThere = true;
      for (const entry of entries) {
        const own = path.child(entry.name);
        const hidden = backend === this.#lower && (await this.#marks.hides(own));
        if (!hidden && !this.#marks.isMarkFile(own) && !names.has(own.key))
          names.set(own.key, entry);
      }
    }
    if (!isThere) throw notFound(path);
    return [...names.values()];
  }

  async read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    return this.#ask(path, options, (backend) => backend.read(path, options));
  }

  async readStream(path: VFSPath, options?: VFSReadOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#ask(path, options, async (backend) => {
      if (backend.readStream) return backend.readStream(path, options);
      const blob = new Blob([(await backend.read(path, options)) as Uint8Array<ArrayBuffer>]);
      return blob.stream();
    });
  }

  async write(path: VFSPath, bytes: Uint8Array, options?: VFSOptions): Promise<void> {
    await this.#inTurn(options, async () => {
      const there = await this.#find(path, options);
      if (there?.kind === 'folder') throw pathError('vfs/is-folder', path, 'is a folder');
      await this.#requireFolder(path.parent, options);
      await this.#upper.write(path, bytes, options);
    });
  }

  async createFolder(path: VFSPath, options?: VFSOptions): Promise<void> {
    await this.#inTurn(options, async () => {
      await this.#requireFolder(path, options);
      await this.#upper.createFolder(path, options);
    });
  }

  async remove(path: VFSPath, options?: VFSRemoveOptions): Promise<void> {
    await this.#inTurn(options, async () => {
      const { kind } = await this.stat(path, options);
      if (
        kind === 'folder' &&
        options?.recursive !== true &&
        (await this.list(path, options)).length > 0
      ) {
        throw pathError('vfs/not-empty', path, 'is not empty', 'Pass { recursive: true }.');
      }
      await this.#removeBoth(path, options);
    });
  }

  async rename(from: VFSPath, to: VFSPath, options?: VFSOptions): Promise<void> {
    await this.#inTurn(options, async () => {
      const source = await this.stat(from, options);
      if (from.isRoot || (source.kind === 'folder' && to.isWithin(from) && !to.equals(from))) {
        throw pathError('vfs/unsupported', from, `can't be moved into itself, to ${to.text}`);
      }
      if (to.equals(from)) return;
      const target = await this.#find(to, options);
      if (target && (target.kind === 'folder' || source.kind === 'folder')) {
        throw pathError('vfs/exists', to, 'is in the way', 'Remove it first.');
      }
      await this.#requireFolder(to.parent, options);
      if (await this.#isOnlyUpper(from, options)) {
        await this.#upper.rename(from, to, options);
        return;
      }
      await this.#copyUp(from, to, source, options);
      await this.#removeBoth(from, options);
    });
  }

  async watch(listener: VFSBackendListener): Promise<() => Promise<void>> {
    return this.#watch.start(listener);
  }

  async dispose(): Promise<void> {
    await Promise.all([this.#upper.dispose?.(), this.#lower.dispose?.()]);
  }

  /** The backends that may have `path`, in order. */
  async #layers(path: VFSPath, options?: VFSOptions): Promise<VFSBackend[]> {
    options?.signal?.throwIfAborted();
    if (this.#marks.isMarkFile(path)) throw notFound(path);
    return (await this.#marks.hides(path)) ? [this.#upper] : [this.#upper, this.#lower];
  }

  async #ask<T>(
    path: VFSPath,
    options: VFSOptions | undefined,
    ask: (backend: VFSBackend) => Promise<T>,
  ): Promise<T> {
    for (const backend of await this.#layers(path, options)) {
      try {
        return await ask(backend);
      } catch (error) {
        if (!VFSError.is(error, 'vfs/not-found')) throw error;
        // A file above, where the path needs a folder, hides what is below.
        if (backend === this.#upper && (await this.#upperBlocks(path, options))) throw error;
      }
    }
    throw notFound(path);
  }

  /** Whether a folder on the way to `path` is a file in the upper backend. */
  async #upperBlocks(path: VFSPath, options?: VFSOptions): Promise<boolean> {
    for (let at = path.parent; !at.isRoot; at = at.parent) {
      const there = await statOf(this.#upper, at, options);
      if (there) return there.kind === 'file';
    }
    return false;
  }

  async #find(path: VFSPath, options?: VFSOptions): Promise<VFSStat | undefined> {
    return statOf(this, path, options);
  }

  /** Refuses when `path` or something above it is a file. */
  async #requireFolder(path: VFSPath, options?: VFSOptions): Promise<void> {
    for (let at = path; !at.isRoot; at = at.parent) {
      const there = await this.#find(at, options);
      if (there?.kind === 'file') throw pathError('vfs/not-folder', path, 'has a file in its way');
      if (there) return;
    }
  }

  async #isOnlyUpper(path: VFSPath, options?: VFSOptions): Promise<boolean> {
    if (await this.#marks.hides(path)) return true;
    return (await statOf(this.#lower, path, options)) === undefined;
  }

  async #removeBoth(path: VFSPath, options?: VFSRemoveOptions): Promise<void> {
    // The mark first: after a crash in between, the rest of the upper one shows, and nothing old does.
    if (!(await this.#isOnlyUpper(path, options))) {
      const seen = this.#watch.active ? await this.#below(path, options) : [];
      await this.#hide(path, options);
      this.#watch.tell(seen.map(({ at, kind }) => ({ kind: 'removed', path: at, entry: kind })));
    }
    if (await statOf(this.#upper, path, options)) {
      if (path.isRoot) await this.#clearUpper(options);
      else await this.#upper.remove(path, { ...options, recursive: true });
    }
  }

  /** All that can be seen at and below `path`, children first; not the root itself. */
  async #below(path: VFSPath, options?: VFSOptions): Promise<{ at: VFSPath; kind: VFSKind }[]> {
    const { kind } = await this.stat(path, options);
    const found: { at: VFSPath; kind: VFSKind }[] = [];
    for (const { name } of kind === 'folder' ? await this.list(path, options) : []) {
      found.push(...(await this.#below(path.child(name), options)));
    }
    if (!path.isRoot) found.push({ at: path, kind });
    return found;
  }

  async #hide(path: VFSPath, options?: VFSOptions): Promise<void> {
    if (!path.isRoot) return this.#marks.hide([path], options);
    const entries = await this.#lower.list(path, options);
    return this.#marks.hide(
      entries.map(({ name }) => path.child(name)),
      options,
    );
  }

  async #clearUpper(options?: VFSOptions): Promise<void> {
    for (const { name } of await this.#upper.list(VFSPath.root, options)) {
      const path = VFSPath.root.child(name);
      if (!this.#marks.isMarkFile(path))
        await this.#upper.remove(path, { ...options, recursive: true });
    }
  }

  async #copyUp(
    from: VFSPath,
    to: VFSPath,
    { kind }: VFSStat,
    options?: VFSOptions,
  ): Promise<void> {
    if (kind === 'file') {
      await this.#upper.write(to, await this.read(from, options), options);
      return;
    }
    await this.#upper.createFolder(to, options);
    for (const { name } of await this.list(from, options)) {
      const [child, target] = [from.child(name), to.child(name)];
      await this.#copyUp(child, target, await this.stat(child, options), options);
    }
  }

  async #inTurn(options: VFSOptions | undefined, work: () => Promise<void>): Promise<void> {
    const before = this.#turn;
    const turn = abortable(before, options?.signal).then(work);
    // Whoever asked is told how it went; the next one goes on.
    this.#turn = Promise.allSettled([before, turn]);
    return turn;
  }
}
