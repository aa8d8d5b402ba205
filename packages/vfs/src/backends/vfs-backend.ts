import type { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';

/** What an entry of the tree is. Links show as what they lead to. */
export type VFSKind = 'file' | 'folder';

/** What is known of a file or folder without reading it. */
export interface VFSStat {
  readonly kind: VFSKind;
  /** Bytes; 0 for folders. `undefined` where the storage can't say without reading (some HTTP servers). */
  readonly size: number | undefined;
  /** Milliseconds since 1970, not necessarily whole; `undefined` where the storage keeps no times. */
  readonly modified: number | undefined;
}

/** One name in a folder. */
export interface VFSEntry {
  readonly name: string;
  readonly kind: VFSKind;
}

/**
 * Which bytes to read: `length` of them from `offset` on (all the rest without `length`). Whole,
 * non-negative numbers; what lies beyond the end of the file is left out.
 */
export interface VFSRange {
  readonly offset: number;
  readonly length?: number | undefined;
}

/** Options of every call that may take long. */
export interface VFSOptions {
  /** Stops the call: it rejects with the signal's reason, and nothing is left half-done. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a read. */
export interface VFSReadOptions extends VFSOptions {
  readonly range?: VFSRange | undefined;
}

/** Options of a removal. */
export interface VFSRemoveOptions extends VFSOptions {
  /** Removes a folder with all that is in it. Without it a folder must be empty. */
  readonly recursive?: boolean | undefined;
}

/** What a backend can do beyond stat, list and read. */
export interface VFSCapabilities {
  /** `write`, `remove`, `rename` and `createFolder` work. */
  readonly write: boolean;
  /** A range is read without reading the rest. */
  readonly range: boolean;
  /** A crash during `write` or `rename` leaves the old or the new file, whole. */
  readonly atomicWrite: boolean;
  /** Folders can be listed. `false` for plain HTTP: files can only be asked for by name. */
  readonly list: boolean;
  /** `watch` reports changes. */
  readonly watch: boolean;
}

/**
 * What can happen to a path. A file that is replaced by renaming another one over it is `modified`;
 * `renamed` says that what is at `path` now was at `from` before.
 */
export type VFSChangeKind = 'created' | 'modified' | 'removed' | 'renamed';

/** What happened to one path, as a backend reports it. A folder's children have changes of their own. */
export interface VFSBackendChange {
  readonly kind: VFSChangeKind;
  readonly path: VFSPath;
  /** Where it was before, of a `renamed`. */
  readonly from?: VFSPath | undefined;
  readonly entry: VFSKind;
}

/** One file or folder of a whole scan. */
export interface VFSBackendScanEntry extends VFSStat {
  readonly path: VFSPath;
}

/** Options of a whole scan. */
export interface VFSBackendScanOptions extends VFSOptions {
  /** Globs of what to pass over, as `VFSScanner` takes them. */
  readonly ignore: readonly string[];
  /** Told every now and then how many folders were listed. */
  readonly onProgress?: ((folders: number) => void) | undefined;
  /** Told of each folder below the root that could not be listed, and is missing in the result. */
  readonly onFailure?: ((path: VFSPath, error: VFSError) => void) | undefined;
}

/** Receives the changes that one backend noticed, in order, as often as it likes and from any turn. */
export type VFSBackendListener = (changes: readonly VFSBackendChange[]) => void;

/**
 * A place where files are: a folder on disk, an archive, a server. Implement this to add a kind of
 * storage, prove it with the suite of `@ecliptic/vfs/conformance`, and mount it in a `VFSContext`.
 * Applications use the context, not a backend.
 *
 * Every path is relative to the backend's own root. Failures are `VFSError`s; something that is not
 * there is `vfs/not-found`. Methods of a backend without `write` reject with `vfs/read-only`.
 */
export interface VFSBackend {
  /** Short name for messages and logs, as `disk` or `zip`. */
  readonly name: string;
  readonly capabilities: VFSCapabilities;
  /** @throws VFSError `vfs/not-found` */
  stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat>;
  /** Names in a folder, in any order, each once. @throws VFSError `vfs/not-found`, `vfs/not-folder` */
  list(path: VFSPath, options?: VFSOptions): Promise<VFSEntry[]>;
  /** The caller owns the result. @throws VFSError `vfs/not-found`, `vfs/is-folder` */
  read(path: VFSPath, options?: VFSReadOptions): Promise<Uint8Array>;
  /** As `read`, piece by piece. Without it, whole reads stand in. */
  readStream?(path: VFSPath, options?: VFSReadOptions): Promise<ReadableStream<Uint8Array>>;
  /**
   * Creates or replaces a file, and the folders above it. Doesn't keep `bytes`.
   *
   * @throws VFSError `vfs/is-folder`, `vfs/not-folder` when a file stands where a folder is needed
   */
  write(path: VFSPath, bytes: Uint8Array, options?: VFSOptions): Promise<void>;
  /** Also creates the folders above. No-op for an existing folder. @throws VFSError `vfs/not-folder` */
  createFolder(path: VFSPath, options?: VFSOptions): Promise<void>;
  /** @throws VFSError `vfs/not-found`, `vfs/not-empty` */
  remove(path: VFSPath, options?: VFSRemoveOptions): Promise<void>;
  /**
   * Moves a file over another one or to a free name, or a folder to a free name; creates the folders above.
   *
   * @throws VFSError `vfs/not-found`; `vfs/exists` when a folder is in the way or would replace a file;
   * `vfs/unsupported` for a folder into itself
   */
  rename(from: VFSPath, to: VFSPath, options?: VFSOptions): Promise<void>;
  /**
   * Starts to report changes; must have begun when the promise settles.
   *
   * @returns a function that stops it
   */
  watch?(listener: VFSBackendListener): Promise<() => Promise<void>>;
  /**
   * Everything, parents before children, where that is faster than many lists and stats. It comes in
   * parts of any size, so that the scanner takes over one while the next is made. Scans of the same
   * globs may reuse what the last one found.
   *
   * @throws VFSError when the root can't be listed
   */
  scan?(options: VFSBackendScanOptions): AsyncIterable<readonly VFSBackendScanEntry[]>;
  /** Frees what the backend owns. Called once, by whoever made it. */
  dispose?(): Promise<void>;
}
