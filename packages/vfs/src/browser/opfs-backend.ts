import { clipRange, notFound, pathError } from '../backends/checks.js';
import type {
  VFSBackend,
  VFSCapabilities,
  VFSEntry,
  VFSOptions,
  VFSReadOptions,
  VFSRemoveOptions,
  VFSStat,
} from '../backends/vfs-backend.js';
import { VFSPath } from '../paths/vfs-path.js';
import { browserError } from './browser-errors.js';

/** Options of {@link opfsBackend}. */
export interface OpfsBackendOptions {
  /** Folder in the origin's file system that is the root; made when it is missing. Default: its own root. */
  readonly folder?: string | undefined;
  /** Another place to start from, as the user's folder from `showDirectoryPicker`. */
  readonly root?: FileSystemDirectoryHandle | undefined;
}

/** Newer browsers rename a file in one step. */
interface Movable {
  move(parent: FileSystemDirectoryHandle, name: string): Promise<void>;
}

type Folder = FileSystemDirectoryHandle;
type Entry = FileSystemFileHandle | FileSystemDirectoryHandle;

/**
 * Files in the browser's origin-private file system: saves, caches, edited projects. In pages and in
 * workers. Writes are atomic. Folders are renamed by copying, and changes by others are not noticed.
 * The browser may clear it when space is short, unless `navigator.storage.persist()` was granted.
 *
 * @example
 * ```ts
 * vfs.mount('/saves', opfsBackend({ folder: 'saves' }));
 * await vfs.writeFile('/saves/slot1.json', JSON.stringify(state));
 * ```
 */
export function opfsBackend(options: OpfsBackendOptions = {}): VFSBackend {
  return new OpfsBackend(options);
}

class OpfsBackend implements VFSBackend {
  readonly name = 'opfs';
  readonly capabilities: VFSCapabilities = {
    write: true,
    range: true,
    atomicWrite: true,
    list: true,
    watch: false,
  };
  readonly #options: OpfsBackendOptions;
  #root: Promise<Folder> | undefined;

  constructor(options: OpfsBackendOptions) {
    this.#options = options;
  }

  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    return this.#run(path, options, async () => {
      const entry = await this.#get(path);
      if (entry.kind === 'directory') return { kind: 'folder', size: 0, modified: undefined };
      const { size, lastModified } = await entry.getFile();
      return { kind: 'file', size, modified: lastModified };
    });
  }

  async list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    return this.#run(path, options, async () => {
      const entry = await this.#get(path);
      if (entry.kind === 'file') throw pathError('vfs/not-folder', path, 'is a file');
      const entries: VFSEntry[] = [];
      for await (const { name, kind } of entry.values()) {
        entries.push({ name, kind: kind === 'file' ? 'file' : 'folder' });
      }
      return entries;
    });
  }

  async read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    const part = await this.#slice(path, options);
    return this.#run(path, options, async () => new Uint8Array(await part.arrayBuffer()));
  }

  async readStream(path: VFSPath, options?: VFSReadOptions): Promise<ReadableStream<Uint8Array>> {
    return (await this.#slice(path, options)).stream();
  }

  async write(path: VFSPath, bytes: Uint8Array, options?: VFSOptions): Promise<void> {
    await this.#run(path, options, async () => {
      if (path.isRoot) throw pathError('vfs/is-folder', path, 'is a folder');
      const parent = await this.#makeFolder(path.parent);
      const name = await this.#spelled(parent, path.name);
      const there = await entryOf(parent, name);
      if (there?.kind === 'directory') throw pathError('vfs/is-folder', path, 'is a folder');
      const file = await parent.getFileHandle(name, { create: true });
      let writable: FileSystemWritableFileStream | undefined;
      try {
        // What is written goes to a copy, which takes the file's place in close().
        writable = await file.createWritable();
        await writable.write(bytes as Uint8Array<ArrayBuffer>);
        options?.signal?.throwIfAborted();
        await writable.close();
      } catch (error) {
        await writable?.abort().catch(() => {}); // The first error is the one to tell.
        if (there === undefined) await parent.removeEntry(name).catch(() => {});
        throw error;
      }
    });
  }

  async createFolder(path: VFSPath, options?: VFSOptions): Promise<void> {
    await this.#run(path, options, async () => {
      await this.#makeFolder(path);
    });
  }

  async remove(path: VFSPath, options?: VFSRemoveOptions): Promise<void> {
    await this.#run(path, options, async () => {
      const entry = await this.#get(path);
      const recursive = options?.recursive === true;
      if (entry.kind === 'directory' && !recursive) {
        const { done } = await entry.keys().next();
        if (done !== true) {
          throw pathError('vfs/not-empty', path, 'is not empty', 'Pass { recursive: true }.');
        }
      }
      if (!path.isRoot) {
        const parent = await this.#folder(path.parent);
        await parent.removeEntry(entry.name, { recursive });
      } else if (entry.kind === 'directory') {
        const names: string[] = [];
        for await (const name of entry.keys()) names.push(name);
        for (const name of names) await entry.removeEntry(name, { recursive });
      }
    });
  }

  async rename(from: VFSPath, to: VFSPath, options?: VFSOptions): Promise<void> {
    await this.#run(from, options, async () => {
      const source = await this.#get(from);
      const folder = source.kind === 'directory';
      if (from.isRoot || (folder && to.isWithin(from) && !to.equals(from))) {
        throw pathError('vfs/unsupported', from, `can't be moved into itself, to ${to.text}`);
      }
      if (to.text === from.text) return;
      const parent = await this.#makeFolder(to.parent);
      const there = await entryOf(parent, await this.#spelled(parent, to.name));
      if (there && !to.equals(from) && (folder || there.kind === 'directory')) {
        throw pathError('vfs/exists', to, 'is in the way', 'Remove it first.');
      }
      const name = there && !to.equals(from) ? there.name : to.name;
      if (!folder && 'move' in source) {
        await (source as FileSystemFileHandle & Movable).move(parent, name);
        return;
      }
      await copyEntry(source, parent, name);
      await (await this.#folder(from.parent)).removeEntry(source.name, { recursive: folder });
    });
  }

  async #run<T>(
    path: VFSPath,
    options: VFSOptions | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    options?.signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      throw browserError(error, path);
    }
  }

  async #slice(path: VFSPath, options: VFSReadOptions | undefined): Promise<Blob> {
    return this.#run(path, options, async () => {
      const entry = await this.#get(path);
      if (entry.kind === 'directory') throw pathError('vfs/is-folder', path, 'is a folder');
      const file = await entry.getFile();
      const { start, end } = clipRange(options?.range, file.size);
      return file.slice(start, end);
    });
  }

  async #get(path: VFSPath): Promise<Entry> {
    if (path.isRoot) return this.#start();
    const parent = await this.#folder(path.parent);
    const entry = await entryOf(parent, await this.#spelled(parent, path.name));
    if (entry === undefined) throw notFound(path);
    return entry;
  }

  /** @throws VFSError `vfs/not-found` also when a file is where a folder is needed */
  async #folder(path: VFSPath): Promise<Folder> {
    let at = await this.#start();
    for (const name of path.components) {
      const next = await entryOf(at, await this.#spelled(at, name));
      if (next?.kind !== 'directory') throw notFound(path);
      at = next;
    }
    return at;
  }

  async #makeFolder(path: VFSPath): Promise<Folder> {
    let at = await this.#start();
    for (const name of path.components) {
      const own = await this.#spelled(at, name);
      const next = await entryOf(at, own);
      if (next?.kind === 'file') throw pathError('vfs/not-folder', path, 'has a file in its way');
      at = next ?? (await at.getDirectoryHandle(own, { create: true }));
    }
    return at;
  }

  /** `name` as the folder has it: where only another Unicode form is there, that one. */
  async #spelled(folder: Folder, name: string): Promise<string> {
    if (name.normalize('NFC') === name && name.normalize('NFD') === name) return name;
    let other: string | undefined;
    for await (const key of folder.keys()) {
      if (key === name) return name;
      if (key.normalize('NFC') === name.normalize('NFC')) other = key;
    }
    return other ?? name;
  }

  async #start(): Promise<Folder> {
    this.#root ??= this.#open();
    try {
      return await this.#root;
    } catch (error) {
      this.#root = undefined;
      throw error;
    }
  }

  async #open(): Promise<Folder> {
    let at = this.#options.root ?? (await navigator.storage.getDirectory());
    for (const name of VFSPath.parse(this.#options.folder ?? '/').components) {
      at = await at.getDirectoryHandle(name, { create: true });
    }
    return at;
  }
}

/** The entry of that name, of whatever kind. */
async function entryOf(folder: Folder, name: string): Promise<Entry | undefined> {
  try {
    return await folder.getFileHandle(name);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'NotFoundError') return undefined;
    if (error.name !== 'TypeMismatchError') throw error;
    return folder.getDirectoryHandle(name);
  }
}

async function copyEntry(source: Entry, parent: Folder, name: string): Promise<void> {
  if (source.kind === 'directory') {
    const target = await parent.getDirectoryHandle(name, { create: true });
    for await (const child of source.values()) await copyEntry(child, target, child.name);
    return;
  }
  const target = await parent.getFileHandle(name, { create: true });
  const writable = await target.createWritable();
  await (await source.getFile()).stream().pipeTo(writable);
}
