import type { FolderLister } from './folder-lister.js';
import type { FolderNode } from './tree-node.js';

/** A change as it goes from the worker to the main thread. Paths as `/a/b`. */
export interface TreeChange {
  readonly kind: 'created' | 'modified' | 'removed' | 'renamed';
  readonly path: string;
  readonly from?: string | undefined;
  readonly folder: boolean;
}

/** What the owner of a {@link TreeIndex} wants to know. */
interface TreeEvents {
  /** A folder is about to be listed for the first time, or under a new name: watch it now. */
  folderAdded(folder: FolderNode): void;
  /** A folder is no longer in the index, or no longer by this name. */
  folderRemoved(folder: FolderNode): void;
  /** There is a link to a file in `folder`; what it leads to is in the folder `target` on disk. */
  linkAdded(folder: FolderNode, target: string): void;
  /** A folder could not be listed, for another reason than that it is gone; it stays as it was. */
  failed(folder: FolderNode, error: unknown): void;
  /** Something is different from before. */
  changed(change: TreeChange): void;
}

/** Options of a {@link TreeIndex}. */
export interface TreeOptions {
  readonly root: string;
  readonly lister: FolderLister;
  readonly ignored: (path: string) => boolean;
  readonly events: TreeEvents;
  /** Reads a file's hash, where a change must be one of the content. */
  readonly hash?: ((file: string) => string) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
