import type { IgnoreRules } from '../../scan/ignore-rules.js';
import type { PackedTree } from '../scan/tree-unpacker.js';
import type { TreeChange } from './tree-events.js';
import type { TreeWatcherStats } from './tree-watcher-options.js';

/** How a tree is looked at; sent to the worker when it starts. */
export interface TreeWorkerData {
  /** The folder, absolute. It need not exist yet. */
  readonly root: string;
  readonly ignore: IgnoreRules;
  readonly followLinks: boolean;
  readonly hash: boolean;
  readonly polling: boolean | 'auto';
  readonly pollInterval: number;
  readonly rescanInterval: number;
}

/** What the worker is asked. */
export type TreeRequest =
  | { readonly ask: 'watch' }
  | { readonly ask: 'rescan' }
  | { readonly ask: 'stats'; readonly id: number }
  | { readonly ask: 'scan'; readonly id: number }
  | { readonly ask: 'cancel'; readonly id: number };

/** What the worker says. */
export type TreeReply =
  /** A part of what is there when the watching begins. */
  | { readonly say: 'listed'; readonly part: PackedTree }
  | { readonly say: 'watching' }
  | { readonly say: 'changes'; readonly changes: readonly TreeChange[] }
  | {
      readonly say: 'warning';
      readonly event: string;
      readonly properties: Record<string, unknown>;
    }
  | { readonly say: 'stats'; readonly id: number; readonly stats: TreeWatcherStats | undefined }
  | { readonly say: 'progress'; readonly id: number; readonly folders: number }
  /** Some of what a scan found. */
  | { readonly say: 'parts'; readonly id: number; readonly parts: readonly PackedTree[] }
  | { readonly say: 'scanned'; readonly id: number }
  /** A folder of a scan could not be listed; `path` as `/a/b`, `code` the system's. */
  | {
      readonly say: 'unlisted';
      readonly id: number;
      readonly path: string;
      readonly code: string;
    };
