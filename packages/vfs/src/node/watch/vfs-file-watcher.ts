import { resolve } from 'node:path';
import { EventLog } from '@ecliptic/core';
import type { VFSBackendChange, VFSBackendListener } from '../../backends/vfs-backend.js';
import { VFSError } from '../../errors/vfs-error.js';
import { VFSPath } from '../../paths/vfs-path.js';
import { DEFAULT_IGNORE } from '../../scan/ignore.js';
import { TreeAgent } from './tree-agent.js';
import type { TreeChange } from './tree-events.js';
import type { TreeWatcherStats } from './tree-watcher-options.js';

/** Options of a {@link VFSFileWatcher}; also of `diskBackend`. */
export interface FileWatchOptions {
  /** Globs of what to pass over. Default: `DEFAULT_IGNORE`; give it along with your own. */
  readonly ignore?: readonly string[] | undefined;
  /** Links to places inside the root: seen as what they lead to (`follow`, the default), or not at all. */
  readonly links?: 'follow' | 'skip' | undefined;
  /**
   * Keep a hash of every file's content: finds an edit that leaves size and all times as they were, and
   * reports no change where only the times changed. Reads every file once at the start. Default `false`.
   */
  readonly hash?: boolean | undefined;
  /** Don't rely on the system's events. Default `auto`: only on file systems that are known to have none. */
  readonly polling?: boolean | 'auto' | undefined;
  /** Milliseconds between two looks at what must be polled. Default 1,000. */
  readonly pollInterval?: number | undefined;
  /** Milliseconds between two listings of everything, to find what the system did not tell. Default 60,000. */
  readonly rescanInterval?: number | undefined;
  readonly log?: EventLog | undefined;
}

/**
 * Watches a folder on disk and all below it, and loses nothing: the system's events only mark folders,
 * a worker lists those again and compares. Moves are recognised by inode. Usually not used directly:
 * `diskBackend` has one, and `VFSContext.watch` delivers what it reports.
 *
 * @example
 * ```ts
 * const watcher = new VFSFileWatcher('./project', (changes) => console.log(changes));
 * await watcher.start();
 * // …
 * await watcher.close();
 * ```
 */
export class VFSFileWatcher {
  readonly #agent: TreeAgent;

  /**
   * @param root - the folder; it may be missing for now
   * @param listener - called with what changed, some milliseconds after it did
   */
  constructor(root: string, listener: VFSBackendListener, options: FileWatchOptions = {}) {
    this.#agent = new TreeAgent(
      treeData(root, options),
      options.log ?? new EventLog('vfs'),
      (changes) => listener(changes.flatMap(toChange)),
    );
  }

  /** Settles when every change from now on is seen. @throws VFSError `vfs/disposed` when the worker ended */
  async start(): Promise<void> {
    await this.#agent.watch();
  }

  /** Lists everything again now; done by itself when events may have been lost. */
  rescan(): void {
    this.#agent.rescan();
  }

  /** What it has done so far; `undefined` before the start. */
  async stats(): Promise<TreeWatcherStats | undefined> {
    return this.#agent.stats();
  }

  /** Ends the watching and its worker. */
  async close(): Promise<void> {
    await this.#agent.close();
  }
}

/** What a worker needs to look at `root`. */
export function treeData(
  root: string,
  options: FileWatchOptions,
): ConstructorParameters<typeof TreeAgent>[0] {
  return {
    root: resolve(root),
    ignore: options.ignore ?? DEFAULT_IGNORE,
    followLinks: options.links !== 'skip',
    hash: options.hash ?? false,
    polling: options.polling ?? 'auto',
    pollInterval: options.pollInterval ?? 1_000,
    rescanInterval: options.rescanInterval ?? 60_000,
  };
}

/** A change with paths; none for names that make no legal path. */
function toChange({ kind, path, from, folder }: TreeChange): VFSBackendChange[] {
  const at = VFSPath.tryParse(path);
  const before = from === undefined ? undefined : VFSPath.tryParse(from);
  if (at instanceof VFSError) return [];
  const entry = folder ? 'folder' : 'file';
  if (before === undefined) return [{ kind, path: at, entry }];
  // Moved here from where it had no path: new.
  return [
    before instanceof VFSError
      ? { kind: 'created', path: at, entry }
      : { kind, path: at, from: before, entry },
  ];
}
