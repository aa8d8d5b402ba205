import type { VFSKind, VFSStat } from '../backends/vfs-backend.js';
import type { VFSFailure } from '../context/ask-mounts.js';
import type { Mount } from '../context/mount.js';
import type { VFSPath } from '../paths/vfs-path.js';

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

/** All that a scan found. Made by `VFSScanner`. */
export class VFSScan {
  readonly root: VFSPath;
  /** By the path's `key`. */
  readonly entries: ReadonlyMap<string, VFSScanEntry>;
  /**
   * What could not be asked: it is missing here, or as it was in the backend's last scan. Of a backend
   * that failed midway there is what it had told by then.
   */
  readonly failures: readonly VFSFailure[];
  readonly #previous: ReadonlyMap<string, VFSScanEntry>;
  readonly #hidden: readonly VFSPath[];
  #changes: VFSScanChanges | undefined;
  #clashes: readonly (readonly VFSPath[])[] | undefined;

  /** @param hidden - paths that are not in `entries`, because another one has their key */
  constructor(
    root: VFSPath,
    entries: ReadonlyMap<string, VFSScanEntry>,
    failures: readonly VFSFailure[],
    previous: VFSScan | undefined,
    hidden: readonly VFSPath[],
  ) {
    this.root = root;
    this.entries = entries;
    this.failures = failures;
    this.#previous = previous?.entries ?? new Map<string, VFSScanEntry>();
    this.#hidden = hidden;
  }

  /**
   * What is different from the scan that was given as `previous`; everything is created where there was
   * none. Computed when it is first asked for: O(entries).
   */
  get changes(): VFSScanChanges {
    return (this.#changes ??= compare(this.#previous, this.entries));
  }

  /**
   * Names in one folder that are one name on another machine: they differ only in case, or in Unicode
   * form (of those only the first is in `entries`). Computed when it is first asked for: O(entries).
   */
  get clashes(): readonly (readonly VFSPath[])[] {
    return (this.#clashes ??= findClashes(this.entries, this.#hidden));
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

function findClashes(
  entries: ReadonlyMap<string, VFSScanEntry>,
  hidden: readonly VFSPath[],
): VFSPath[][] {
  const byFolded = new Map<string, VFSPath[]>();
  const add = (path: VFSPath): void => {
    const folded = path.key.toLowerCase();
    const same = byFolded.get(folded);
    if (same) same.push(path);
    else byFolded.set(folded, [path]);
  };
  for (const { path } of entries.values()) add(path);
  for (const path of hidden) add(path);
  return (
    [...byFolded.values()]
      // What only is in folders that clash does not clash by itself.
      .filter(([first, second]) => second && first?.parent.key === second.parent.key)
      .sort(([a], [b]) => ((a?.key ?? '') < (b?.key ?? '') ? -1 : 1))
  );
}
