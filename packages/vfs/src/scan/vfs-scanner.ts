import type { VFSBackendScanEntry, VFSOptions } from '../backends/vfs-backend.js';
import type { VFSFailure } from '../context/ask-mounts.js';
import type { Mount } from '../context/mount.js';
import type { VFSContext } from '../context/vfs-context.js';
import { notMounted } from '../context/router.js';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath, type VFSPathLike } from '../paths/vfs-path.js';
import { DEFAULT_IGNORE } from './ignore.js';
import { scanMount } from './scan-mount.js';
import { VFSScan, type VFSScanEntry } from './vfs-scan.js';

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
 * show it. Folders on disk are walked by a worker, large ones with the help of up to three more, which
 * end with the scan; from the second time on only the names that changed are read again. For a single
 * folder `VFSContext.list` is enough.
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
    const hidden: VFSPath[] = [];
    const failures: VFSFailure[] = [];
    let answered = false;
    let missing: VFSError | undefined;
    let before = 0;
    for (const { mount, path } of parts) {
      const fail = (own: VFSPath, error: VFSError): void => {
        failures.push({ mount, operation: 'scan', path: own.under(mount.at), error });
      };
      let folders = 0;
      const alone = parts.length === 1 && mount.at.isRoot;
      try {
        const scan = scanMount(mount.backend, path, {
          signal: options.signal,
          ignore: this.#ignore,
          concurrency: this.#concurrency,
          onProgress: (count) => options.onProgress?.(before + (folders = count)),
          onFailure: fail,
        });
        for await (const found of scan) {
          addPlaces(entries, mount.at, at);
          if (alone) addAll(entries, hidden, found, mount);
          else for (const entry of found) add(entries, hidden, entry, mount, at, failures);
        }
        addPlaces(entries, mount.at, at);
        answered = true;
      } catch (error) {
        if (!VFSError.is(error)) throw error;
        missing ??= error;
        if (!VFSError.is(error, 'vfs/not-found', 'vfs/unsupported')) fail(path, error);
      }
      before += folders;
    }
    if (!answered) throw failures[0]?.error ?? missing ?? notMounted(at);
    return new VFSScan(at, entries, failures, options.previous, hidden);
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

/** The entries of the only mount, which is at the root: nothing hides anything. */
function addAll(
  entries: Map<string, VFSScanEntry>,
  hidden: VFSPath[],
  found: readonly VFSBackendScanEntry[],
  mount: Mount,
): void {
  for (const { path, kind, size, modified } of found) {
    if (entries.has(path.key)) hidden.push(path);
    else entries.set(path.key, { path, kind, size, modified, mount });
  }
}

function add(
  entries: Map<string, VFSScanEntry>,
  hidden: VFSPath[],
  { path: own, kind, size, modified }: VFSBackendScanEntry,
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
  if (known?.mount === mount) hidden.push(path);
  if (known !== undefined && !(known.mount === undefined && kind === 'folder')) return;
  // A file of a mount above hides a folder and all that is in it.
  if (path.depth > root.depth + 1 && entries.get(path.parent.key)?.kind !== 'folder') return;
  entries.set(path.key, { path, kind, size, modified, mount });
}
