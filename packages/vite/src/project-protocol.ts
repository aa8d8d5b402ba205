import type { VFSChangeKind, VFSKind } from '@ecliptic/vfs';

/** Under the project's address: which files there are. */
export const LISTING = '.ecliptic-files.json';
/** Under the project's address: a stream of server-sent events, one for each batch of changes. */
export const CHANGES = '.ecliptic-changes';

/** Content of {@link LISTING}. */
export interface ProjectListing {
  /** Absolute paths in the project. */
  readonly files: readonly string[];
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
