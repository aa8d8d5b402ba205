import type { Clock } from '@ecliptic/core';
import type { FolderLister } from './folder-lister.js';
import type { NativeWatch } from './native-watch.js';
import type { TreeChange } from './tree-events.js';

/** What a `TreeWatcher` needs. */
export interface TreeWatcherOptions {
  /** Place on disk without links. */
  readonly root: string;
  readonly lister: FolderLister;
  /** `undefined`: everything is polled. */
  readonly native: NativeWatch | undefined;
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly ignored: (path: string) => boolean;
  readonly hash?: ((file: string) => string) | undefined;
  /** Milliseconds from one look at a polled folder to the next. */
  readonly pollInterval: number;
  /** Milliseconds from one listing of everything to the next. */
  readonly rescanInterval: number;
  /** Events in one go after which the system may have dropped some. */
  readonly overflowAt: number;
  readonly changed: (changes: readonly TreeChange[]) => void;
  readonly warned: (event: string, properties: Record<string, unknown>) => void;
}

/** What a watcher has done so far. */
export interface TreeWatcherStats {
  readonly events: number;
  readonly listings: number;
  readonly rescans: number;
  /** Folders that are watched by events and by polling. */
  readonly watched: number;
  readonly polled: number;
}
