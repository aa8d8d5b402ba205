import type { VFSKind, VFSOptions, VFSStat } from '../backends/vfs-backend.js';
import type { VFSFailure } from '../context/ask-mounts.js';
import type { Mount } from '../context/mount.js';
import type { VFSContext } from '../context/vfs-context.js';
import { notMounted } from '../context/router.js';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath, type VFSPathLike } from '../paths/vfs-path.js';
import { DEFAULT_IGNORE } from './ignore.js';
import { scanMount } from './scan-mount.js';

/** One file or folder that a scan found. */
export interface VFSScanEntry extends VFSStat {
  readonly path: VFSPath;
  readonly kind: VFSKind;
  /** Who serves it; `undefined` for a folder that is there only because something is mounted below it. */
  readonly mount: Mount | undefined;
}

/** What is different from an earlier scan; in order of path. */
export interface VFSScanChanges {
  readonly created: readonly VFSScanEntry[];
  /** Other size, time of modification, kind or mount. */
  readonly modified: readonly VFSScanEntry[];
  readonly removed: readonly VFSScanEntry[];
}

/** All that a scan found. */
export interface VFSScan {
  readonly root: VFSPath;
  /** By the path's `key`. */
  readonly entries: ReadonlyMap<string, VFSScanEntry>;
  /** From `previous`; everything is created where there was none. */
  readonly changes: VFSScanChanges;
  /**
   * Names in one folder that are one name on another machine: they differ only in case, or in Unicode
   * form (of those only the first is in `entries`).
   */
  readonly clashes: readonly (readonly VFSPath[])[];
  /** What could not be asked, and is missing here. */
  readonly failures: readonly VFSFailure[];
}

/** Options of a {@link VFSScanner}. */
export interface VFSScannerOptions {
  /**
   * Globs of what to pass over: without `/` for names at any depth, with `/` for paths in a backend.
   * Default: `DEFAULT_IGNORE`; give it along with your own.
   */
  readonly ignore?: readonly string[] | undefined;
  /** Most folders that are asked for at once, in backends without a scan of their own. Default 8. */
  readonly concurrency?: number | undefined;
}

/** Options of {@link VFSScanner.scan}. */
export interface VFSScanOptions extends VFSOptions {
  /** An earlier scan of the same root: then `changes` says what is different. */
  readonly previous?: VFSScan | undefined;
  /** Told every now and then how many folders were listed so far. */
  readonly onProgress?: ((folders: number) => void) | undefined;
}

/**
 * Walks a tree of a context: what is there, how large and how old, over all mounts as merged listings
 * show it. Folders on disk are walked by a worker, and from the second time on only what changed is
 * listed. For a single folder `VFSContext.list` is enough.
 *
 * @example
 * ```ts
 * const scanner = new VFSScanner(vfs, { ignore: [...DEFAULT_IGNORE, '*.blend1', '/exports/**'] });
 * const first = await scanner.scan('/');
 * // … later
 * const { changes } = await scanner.scan('/', { previous: first });
 * ```
 */
export class VFSScanner {
  readonly #vfs: VFSContext;
  readonly #ignore: readonly string[];
  readonly #concurrency: number;

  constructor(vfs: VFSContext, options: VFSScannerOptions = {}) {
    this.#vfs = vfs;
    this.#ignore = options.ignore ?? DEFAULT_IGNORE;
    this.#concurrency = Math.max(1, options.concurrency ?? 8);
  }

  /**
   * Everything below `root`. Backends that fail are skipped and named in `failures`. O(entries).
   *
   * @throws VFSError `vfs/not-mounted`, `vfs/not-found`, `vfs/not-folder`; the first failure when every
   * backend failed; the signal's reason when aborted
   */
  async scan(root: VFSPathLike, options: VFSScanOptions = {}): Promise<VFSScan> {
    const at = VFSPath.from(root);
    const parts = this.#parts(at);
    if (parts.length === 0) throw notMounted(at);
    const entries = new Map<string, VFSScanEntry>();
    const clashes = new Clashes();
    const failures: VFSFailure[] = [];
    let answered = false;
    let missing: VFSError | undefined;
    let before = 0;
    for (const { mount, path } of parts) {
      const fail = (own: VFSPath, error: VFSError): void => {
        failures.push({ mount, operation: 'scan', path: own.under(mount.at), error });
      };
      let folders = 0;
      try {
        const found = await scanMount(mount.backend, path, {
          signal: options.signal,
          ignore: this.#ignore,
          concurrency: this.#concurrency,
          onProgress: (count) => options.onProgress?.(before + (folders = count)),
          onFailure: fail,
        });
        answered = true;
        addPlaces(entries, mount.at, at);
        for (const entry of found) add(entries, clashes, entry, mount, at, failures);
      } catch (error) {
        if (!VFSError.is(error)) throw error;
        missing ??= error;
        if (!VFSError.is(error, 'vfs/not-found', 'vfs/unsupported')) fail(path, error);
      }
      before += folders;
    }
    if (!answered) throw failures[0]?.error ?? missing ?? notMounted(at);
    return {
      root: at,
      entries,
      changes: compare(options.previous?.entries ?? new Map<string, VFSScanEntry>(), entries),
      clashes: clashes.found(),
      failures,
    };
  }

  /** The mounts that have something below `root`, in the order in which a path asks them. */
  #parts(root: VFSPath): { mount: Mount; path: VFSPath }[] {
    const above = this.#vfs.resolveAll(root);
    const below = this.#vfs.mounts
      .filter(({ at }) => at.depth > root.depth && at.isWithin(root))
      .sort((a, b) => b.at.depth - a.at.depth)
      .map((mount) => ({ mount, path: VFSPath.root }));
    return [...below, ...above];
  }
}

/** The folders on the way to a mount. */
function addPlaces(entries: Map<string, VFSScanEntry>, place: VFSPath, root: VFSPath): void {
  for (let at = place; at.depth > root.depth; at = at.parent) {
    const entry = {
      path: at,
      kind: 'folder',
      size: 0,
      modified: undefined,
      mount: undefined,
    } as const;
    if (!entries.has(at.key)) entries.set(at.key, entry);
  }
}

function add(
  entries: Map<string, VFSScanEntry>,
  clashes: Clashes,
  { path: own, kind, size, modified }: VFSStat & { readonly path: VFSPath },
  mount: Mount,
  root: VFSPath,
  failures: VFSFailure[],
): void {
  let path: VFSPath;
  try {
    path = own.under(mount.at);
  } catch (error) {
    if (!VFSError.is(error)) throw error;
    failures.push({ mount, operation: 'scan', path: mount.at, error });
    return;
  }
  const known = entries.get(path.key);
  if (known?.mount === mount) clashes.add(known.path, path);
  if (known !== undefined && !(known.mount === undefined && kind === 'folder')) return;
  // A file of a mount above hides a folder and all that is in it.
  if (path.depth > root.depth + 1 && entries.get(path.parent.key)?.kind !== 'folder') return;
  entries.set(path.key, { path, kind, size, modified, mount });
  clashes.add(path);
}

/** Finds paths that some file systems can't tell apart. */
class Clashes {
  readonly #byFolded = new Map<string, VFSPath | VFSPath[]>();

  add(...paths: readonly VFSPath[]): void {
    for (const path of paths) {
      const folded = path.key.toLowerCase();
      const same = this.#byFolded.get(folded);
      if (same === undefined) this.#byFolded.set(folded, path);
      else if (Array.isArray(same)) {
        if (!same.includes(path)) same.push(path);
      } else if (same !== path) this.#byFolded.set(folded, [same, path]);
    }
  }

  found(): VFSPath[][] {
    const lists = [...this.#byFolded.values()].filter((same) => Array.isArray(same));
    // What only is in folders that clash does not clash by itself.
    return lists
      .filter(([first, second]) => first?.parent.key === second?.parent.key)
      .sort(([a], [b]) => ((a?.key ?? '') < (b?.key ?? '') ? -1 : 1));
  }
}

function compare(
  before: ReadonlyMap<string, VFSScanEntry>,
  after: ReadonlyMap<string, VFSScanEntry>,
): VFSScanChanges {
  const created: VFSScanEntry[] = [];
  const modified: VFSScanEntry[] = [];
  const removed: VFSScanEntry[] = [];
  for (const [key, entry] of after) {
    const old = before.get(key);
    if (old === undefined) created.push(entry);
    else if (isOther(old, entry)) modified.push(entry);
  }
  for (const [key, entry] of before) if (!after.has(key)) removed.push(entry);
  for (const list of [created, modified, removed]) list.sort((a, b) => a.path.compare(b.path));
  return { created, modified, removed };
}

function isOther(a: VFSScanEntry, b: VFSScanEntry): boolean {
  if (a.kind !== b.kind || a.mount !== b.mount) return true;
  // A folder's time says that its names changed, which they say themselves.
  return a.kind === 'file' && (a.size !== b.size || a.modified !== b.modified);
}
