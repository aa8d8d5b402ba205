import type { VFSChangeKind, VFSKind } from '@ecliptic/vfs';

/** Under the project's address: which files there are. */
export const LISTING = '.ecliptic-files.json';
/** Under the project's address, where it is packed: all files in one answer, see `packProject`. */
export const PACK = '.ecliptic-files.pack';
/** Under the project's address: a stream of server-sent events, one for each batch of changes. */
export const CHANGES = '.ecliptic-changes';
/** Event of that stream: from now on changes are told. What a page knows from before may be old. */
export const WATCHING = 'watching';

/** A file of a project. */
export interface ListedFile {
  /** Absolute, in the project. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since 1970, where the server's disk knows. */
  readonly modified?: number;
}

/** Content of {@link LISTING}. */
export interface ProjectListing {
  readonly files: readonly ListedFile[];
  /** Whether there is a stream of changes: on a server, not in a build. */
  readonly watch: boolean;
}

/** A change, as it travels. */
export interface SentChange {
  readonly kind: VFSChangeKind;
  readonly path: string;
  readonly from?: string;
  readonly entry: VFSKind;
}
