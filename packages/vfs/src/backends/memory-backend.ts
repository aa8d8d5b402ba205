import { VFSPath } from '../paths/vfs-path.js';
import { clipRange, notFound, pathError } from './checks.js';
import type {
  VFSBackend,
  VFSBackendChange,
  VFSBackendListener,
  VFSCapabilities,
  VFSEntry,
  VFSKind,
  VFSOptions,
  VFSReadOptions,
  VFSRemoveOptions,
  VFSStat,
} from './vfs-backend.js';

/** Options of {@link memoryBackend}. */
export interface MemoryBackendOptions {
  /** Files to begin with: path to content (texts are stored as UTF-8). */
  readonly files?: Readonly<Record<string, Uint8Array | string>> | undefined;
  /** Time of modification of what is written, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
}

interface Node {
  readonly name: string;
  readonly kind: VFSKind;
  /** The content of a file; no other code holds this array. */
  readonly bytes: Uint8Array;
  readonly modified: number;
  /** Of a folder, by NFC name. */
  readonly children: Map<string, Node>;
}

/**
 * Files in memory: for tests, for generated content, and as the upper side of an overlay. Every
 * operation is atomic, and watching reports each change exactly once.
 *
 * @example
 * ```ts
 * const vfs = new VFSContext();
 * vfs.mount('/', memoryBackend({ files: { '/motd.txt': 'hello' } }));
 * await vfs.readText('/motd.txt'); // 'hello'
 * ```
 */
export function memoryBackend(options: MemoryBackendOptions = {}): VFSBackend {
  return new MemoryBackend(options);
}

class MemoryBackend implements VFSBackend {
  readonly name = 'memory';
  readonly capabilities: VFSCapabilities = {
    write: true,
    range: true,
    atomicWrite: true,
    list: true,
    watch: true,
  };
  readonly #root: Node;
  readonly #now: () => number;
  readonly #listeners = new Set<VFSBackendListener>();

  constructor({ files = {}, now = Date.now }: MemoryBackendOptions) {
    this.#now = now;
    this.#root = this.#node('', 'folder');
    const encoder = new TextEncoder();
    for (const [text, content] of Object.entries(files)) {
      const bytes = typeof content === 'string' ? encoder.encode(content) : content.slice();
      this.#put(VFSPath.parse(text), bytes);
    }
  }

  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    options?.signal?.throwIfAborted();
    const { kind, bytes, modified } = this.#get(path);
    return { kind, size: bytes.length, modified };
  }

  async list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]> {
    options?.signal?.throwIfAborted();
    const folder = this.#get(path);
    if (folder.kind === 'file') throw pathError('vfs/not-folder', path, 'is a file');
    return Array.from(folder.children.values(), ({ name, kind }) => ({ name, kind }));
  }

  async read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array> {
    options?.signal?.throwIfAborted();
    const file = this.#get(path);
    if (file.kind === 'folder') throw pathError('vfs/is-folder', path, 'is a folder');
    const { start, end } = clipRange(options?.range, file.bytes.length);
    return file.bytes.slice(start, end);
  }

  async write(path: VFSPath, bytes: Uint8Array, options?: VFSOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    this.#emit(this.#put(path, bytes.slice()));
  }

  async createFolder(path: VFSPath, options?: VFSOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    const changes: VFSBackendChange[] = [];
    this.#folder(path, changes);
    this.#emit(changes);
  }

  async remove(path: VFSPath, options?: VFSRemoveOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    const node = this.#get(path);
    if (node.children.size > 0 && options?.recursive !== true) {
      throw pathError('vfs/not-empty', path, 'is not empty', 'Pass { recursive: true }.');
    }
    const changes: VFSBackendChange[] = [];
    for (const [at, entry] of walk(path, node)) {
      changes.unshift({ kind: 'removed', path: at, entry });
    }
    if (path.isRoot) {
      node.children.clear();
      changes.pop();
    } else this.#get(path.parent).children.delete(keyOf(path));
    this.#emit(changes);
  }

  async rename(from: VFSPath, to: VFSPath, options?: VFSOptions): Promise<void> {
    options?.signal?.throwIfAborted();
    const node = this.#get(from);
    if (from.isRoot || (to.isWithin(from) && !to.equals(from) && node.kind === 'folder')) {
      throw pathError('vfs/unsupported', from, `can't be moved into itself, to ${to.text}`);
    }
    const target = this.#find(to);
    if (
      target !== undefined &&
      target !== node &&
      (target.kind === 'folder' || node.kind === 'folder')
    ) {
      throw pathError('vfs/exists', to, 'is in the way', 'Remove it first.');
    }
    const changes: VFSBackendChange[] = [];
    const parent = this.#folder(to.parent, changes);
    this.#get(from.parent).children.delete(keyOf(from));
    parent.children.set(keyOf(to), { ...node, name: to.name });
    if (target !== undefined && target !== node) {
      // What stood there keeps its identity and has new content, as after an editor's save.
      changes.push({ kind: 'removed', path: from, entry: 'file' });
      changes.push({ kind: 'modified', path: to, entry: 'file' });
    } else {
      for (const [at, entry] of walk(to, node)) {
        changes.push({ kind: 'renamed', path: at, from: at.tail(to.depth).under(from), entry });
      }
    }
    this.#emit(changes);
  }

  async watch(listener: VFSBackendListener): Promise<() => Promise<void>> {
    // Wrapped, so that one function that is passed twice can be stopped once.
    const own: VFSBackendListener = (changes) => listener(changes);
    this.#listeners.add(own);
    return async () => {
      this.#listeners.delete(own);
    };
  }

  #emit(changes: readonly VFSBackendChange[]): void {
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
  }

  #put(path: VFSPath, bytes: Uint8Array): VFSBackendChange[] {
    const old = this.#find(path);
    if (old?.kind === 'folder') throw pathError('vfs/is-folder', path, 'is a folder');
    const changes: VFSBackendChange[] = [];
    const file = { ...this.#node(old?.name ?? path.name, 'file'), bytes };
    this.#folder(path.parent, changes).children.set(keyOf(path), file);
    changes.push({ kind: old ? 'modified' : 'created', path, entry: 'file' });
    return changes;
  }

  /** The folder at `path`, made with those above it where there is none. */
  #folder(path: VFSPath, changes: VFSBackendChange[]): Node {
    const found = this.#find(path);
    if (found?.kind === 'folder') return found;
    if (found) throw pathError('vfs/not-folder', path, 'is a file');
    const parent = this.#folder(path.parent, changes);
    const made = this.#node(path.name, 'folder');
    parent.children.set(keyOf(path), made);
    changes.push({ kind: 'created', path, entry: 'folder' });
    return made;
  }

  #get(path: VFSPath): Node {
    const node = this.#find(path);
    if (node === undefined) throw notFound(path);
    return node;
  }

  #find(path: VFSPath): Node | undefined {
    let node: Node | undefined = this.#root;
    if (path.depth === 0) return node;
    for (const key of path.key.slice(1).split('/')) node = node?.children.get(key);
    return node;
  }

  #node(name: string, kind: VFSKind): Node {
    return { name, kind, bytes: EMPTY, modified: this.#now(), children: new Map() };
  }
}

const EMPTY = new Uint8Array(0);

/** The NFC name under which `path` is in its folder. */
function keyOf(path: VFSPath): string {
  return path.key.slice(path.key.lastIndexOf('/') + 1);
}

/** `node` and all below it, parents first. */
function* walk(path: VFSPath, node: Node): Generator<[VFSPath, VFSKind]> {
  yield [path, node.kind];
  for (const child of node.children.values()) yield* walk(path.join(child.name), child);
}
