import { resolve } from 'node:path';
import { EventLog } from '@ecliptic/core';
import type { VFSBackendChange, VFSBackendListener } from '../../backends/vfs-backend.js';
import { VFSError } from '../../errors/vfs-error.js';
import { VFSPath } from '../../paths/vfs-path.js';
import { DEFAULT_IGNORE, ignoreRules } from '../../scan/ignore.js';
import { disposed, TreeAgent } from './tree-agent.js';
import type { TreeChange } from './tree-events.js';
import { TreeMemory } from './tree-memory.js';
import type { TreeWatcherStats } from './tree-watcher-options.js';

/** How often a worker that died is replaced. What kills it so often will kill the next one, too. */
const RESTARTS = 5;

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
 * A worker that dies is replaced, at most five times. Nobody knows what happened in between, so every
 * file that is still there is reported as modified then, besides what is new and what is gone.
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
  readonly #root: string;
  readonly #listener: VFSBackendListener;
  readonly #options: FileWatchOptions;
  readonly #log: EventLog;
  #agent: TreeAgent;
  /** What is there; none before the first start is over. */
  #memory: TreeMemory | undefined;
  #restarts = 0;
  #closed = false;

  /**
   * @param root - the folder; it may be missing for now
   * @param listener - called with what changed, some milliseconds after it did
   */
  constructor(root: string, listener: VFSBackendListener, options: FileWatchOptions = {}) {
    this.#root = resolve(root);
    this.#listener = listener;
    this.#options = options;
    this.#log = options.log ?? new EventLog('vfs');
    this.#agent = this.#newAgent();
  }

  /**
   * Settles when every change from now on is seen.
   *
   * @throws VFSError `vfs/disposed` when it was closed, `vfs/io` when the worker died before
   */
  async start(): Promise<void> {
    if (this.#closed) throw disposed();
    await this.#agent.watch();
  }

  /** Lists everything again now; done by itself when events may have been lost. */
  rescan(): void {
    this.#agent.rescan();
  }

  /** What it has done so far; `undefined` before the start. */
  async stats(): Promise<TreeWatcherStats | undefined> {
    if (this.#closed) throw disposed();
    return this.#agent.stats();
  }

  /** Ends the watching and its worker. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#agent.close();
  }

  #newAgent(): TreeAgent {
    const memory = new TreeMemory();
    return new TreeAgent(treeData(this.#root, this.#options), this.#log, {
      listed: (part) => memory.add(part),
      watching: () => {
        const before = this.#memory;
        this.#memory = memory;
        if (before) this.#tell(memory.since(before));
      },
      changed: (changes) => {
        memory.note(changes);
        this.#tell(changes.flatMap(toChange));
      },
      died: (error) => void this.#restart(error),
    });
  }

  #tell(changes: readonly VFSBackendChange[]): void {
    if (changes.length > 0) this.#listener(changes);
  }

  async #restart(error: VFSError): Promise<void> {
    // Before the first start is over, whoever started it is told.
    if (this.#closed || this.#memory === undefined) return;
    if (this.#restarts >= RESTARTS) {
      this.#log.error('watch_ended', { root: this.#root, restarts: this.#restarts, error });
      return;
    }
    this.#restarts++;
    this.#log.warn('watch_restarted', { root: this.#root, restarts: this.#restarts });
    this.#agent = this.#newAgent();
    // When that one dies, too, this is called again.
    await this.#agent.watch().catch(() => {});
  }
}

/** What a worker needs to look at `root`. */
export function treeData(
  root: string,
  options: FileWatchOptions,
): ConstructorParameters<typeof TreeAgent>[0] {
  return {
    root: resolve(root),
    ignore: ignoreRules(options.ignore ?? DEFAULT_IGNORE),
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
