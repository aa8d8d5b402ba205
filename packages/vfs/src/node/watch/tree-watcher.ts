import { NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import { FolderPacker } from '../scan/folder-packer.js';
import type { PackedTree } from '../scan/tree-unpacker.js';
import { isGone, systemCode } from '../system-code.js';
import type { Watch } from './native-watch.js';
import type { TreeChange } from './tree-events.js';
import { TreeIndex } from './tree-index.js';
import type { TreeWatcherOptions, TreeWatcherStats } from './tree-watcher-options.js';
import { below, isAttached, type FolderNode } from './tree-node.js';

/** How long events are collected before their folders are listed. */
const COLLECT = 15;
/** How long the worker lists without a look at new events. */
const SLICE = 10;
/** How long something that disappeared may take to show up elsewhere. */
const PAIRING = 60;
/** A folder is listed again only after this many times as long as listing it took. */
const REST = 4;
const ROOT_CHECK = 500;

/**
 * Watches a tree without losing anything: events only say which folders to list again, and the listing
 * says what changed. Everything is listed once in a while, and whenever the system may have dropped
 * events. Runs in a worker, so that a busy main thread delays nothing but the delivery.
 */
export class TreeWatcher {
  readonly #options: TreeWatcherOptions;
  readonly #index: TreeIndex;
  readonly #watches = new Map<FolderNode, Watch>();
  readonly #polled = new Set<FolderNode>();
  /** Folders to list, with the names that events gave. */
  readonly #dirty = new Map<FolderNode, Set<string>>();
  readonly #restUntil = new Map<FolderNode, number>();
  /** By place on disk: watches of the targets of links, and the folders that the links are in. */
  readonly #links = new Map<string, { readonly watch: Watch; readonly from: Set<FolderNode> }>();
  readonly #refused = new Set<FolderNode>();
  readonly #timers = new Set<() => void>();
  readonly #out: TreeChange[] = [];
  #scheduled = false;
  #filling = true;
  #closed = false;
  #rootIdentity: string | undefined;
  #burst = 0;
  readonly #stats = { events: 0, listings: 0, rescans: 0 };

  constructor(options: TreeWatcherOptions) {
    this.#options = options;
    this.#index = new TreeIndex({
      ...options,
      events: {
        folderAdded: (folder) => this.#watch(folder),
        folderRemoved: (folder) => this.#unwatch(folder),
        linkAdded: (folder, target) => this.#watchTarget(folder, target),
        failed: (folder, error) => this.#unlisted(folder, error),
        changed: (change) => this.#out.push(change),
      },
    });
  }

  get stats(): TreeWatcherStats {
    return { ...this.#stats, watched: this.#watches.size, polled: this.#polled.size };
  }

  /** Begins to watch, then lists everything; afterwards whatever changes is reported. */
  async start(): Promise<void> {
    this.#rootIdentity = this.#options.lister.identity(this.#options.root);
    for (const _ of this.#index.fill()) {
      this.#stats.listings++;
      if (this.#stats.listings % 64 === 0) await new Promise(setImmediate);
    }
    this.#filling = false;
    this.#schedule();
    this.#every(ROOT_CHECK, () => this.#checkRoot());
    this.#every(this.#options.pollInterval, () => this.#poll());
    this.#every(this.#options.rescanInterval, () => this.rescan());
  }

  /** All that is there. */
  pack(): PackedTree {
    const packer = new FolderPacker();
    const numbers = new Map<FolderNode, number>([[this.#index.root, 0]]);
    const folders: number[] = [];
    for (const { folder } of below(this.#index.root.node)) {
      if (folder === undefined) continue;
      folders.push(numbers.get(folder) ?? 0);
      for (const child of folder.children.values()) {
        packer.add(child.entry);
        if (child.folder) numbers.set(child.folder, numbers.size);
      }
      packer.endFolder();
    }
    return { folders, ...packer.take() };
  }

  /** Has everything listed again. @param doubtful - events were lost */
  rescan(doubtful = false): void {
    if (this.#closed || this.#filling) return;
    this.#stats.rescans++;
    this.#index.refreshAll(doubtful);
    this.#schedule();
  }

  close(): void {
    this.#closed = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    for (const watch of this.#watches.values()) watch.close();
    for (const { watch } of this.#links.values()) watch.close();
    this.#watches.clear();
    this.#links.clear();
  }

  #watch(folder: FolderNode): void {
    const { native } = this.#options;
    if (native === undefined) this.#polled.add(folder);
    if (native === undefined || (native.recursive && folder !== this.#index.root)) return;
    try {
      const watch = native.watch(
        folder.real,
        (name) => this.#notice(folder, name),
        (error) => this.#failed(folder, error),
      );
      this.#watches.set(folder, watch);
    } catch (error) {
      this.#failed(folder, error as Error);
    }
  }

  #unwatch(folder: FolderNode): void {
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
    this.#polled.delete(folder);
    this.#dirty.delete(folder);
    this.#restUntil.delete(folder);
    this.#refused.delete(folder);
  }

  /** A file that a link leads to changes without an event in the folder of the link. */
  #watchTarget(folder: FolderNode, target: string): void {
    const { native, warned } = this.#options;
    const known = this.#links.get(target);
    known?.from.add(folder);
    if (known || native === undefined) return;
    const from = new Set([folder]);
    const told = (): void => {
      for (const each of from) {
        if (isAttached(each.node, this.#index.root.node)) this.#notice(each, undefined);
        else from.delete(each);
      }
    };
    try {
      this.#links.set(target, { from, watch: native.watch(target, told, told) });
    } catch (error) {
      warned('watch_polling', { folder: folder.real, error: String(error) });
      this.#polled.add(folder);
    }
  }

  #unlisted(folder: FolderNode, error: unknown): void {
    const code = systemCode(error);
    if (!this.#refused.has(folder)) {
      this.#refused.add(folder);
      this.#options.warned('folder_unreadable', { folder: folder.real, code });
    }
    // What is not allowed is looked at again when something happens to it; what failed, after a pause.
    if (code === 'EACCES' || code === 'EPERM') return;
    const pause = this.#options.pollInterval * NANOSECONDS_PER_MILLISECOND;
    this.#restUntil.set(folder, this.#options.clock.now() + pause);
    this.#mark(folder, undefined);
  }

  #failed(folder: FolderNode, error: Error): void {
    if (this.#closed) return;
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
    // A folder that is gone is no failure: its parent will be listed.
    if (isGone(error)) {
      if (folder.node.parent) this.#notice(folder.node.parent, folder.node.name);
      return;
    }
    this.#options.warned('watch_polling', { folder: folder.real, error: String(error) });
    this.#polled.add(folder);
    this.#notice(folder, undefined);
  }

  /** Something may have changed in `folder`, or for a recursive watch below it. */
  #notice(folder: FolderNode, name: string | undefined): void {
    if (this.#closed) return;
    this.#stats.events++;
    this.#burst++;
    if (this.#options.native?.recursive) this.#mark(...deepest(folder, name));
    else this.#mark(folder, name);
  }

  #mark(folder: FolderNode, name: string | undefined): void {
    let names = this.#dirty.get(folder);
    if (names === undefined) this.#dirty.set(folder, (names = new Set()));
    if (name !== undefined) names.add(name);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#filling || this.#closed) return;
    this.#scheduled = true;
    this.#after(COLLECT, () => this.#work());
  }

  /** Lists for a while, reports what is different, and comes back for the rest. */
  #work(): void {
    this.#scheduled = false;
    const { clock, now } = this.#options;
    const begin = clock.now();
    const suspects = new Map<FolderNode, ReadonlySet<string>>();
    for (const [folder, names] of this.#dirty) {
      if ((this.#restUntil.get(folder) ?? 0) > begin) continue;
      this.#dirty.delete(folder);
      suspects.set(folder, names);
      this.#index.refresh(folder);
    }
    let last = begin;
    while (this.#index.busy && last < begin + SLICE * NANOSECONDS_PER_MILLISECOND) {
      const folder = this.#index.listNext((next) => suspects.get(next));
      const end = clock.now();
      if (folder !== undefined && !this.#dirty.has(folder)) {
        this.#restUntil.set(folder, end + REST * (end - last));
      }
      this.#stats.listings++;
      last = end;
    }
    for (const [folder, names] of suspects) {
      // Not reached in this slice: keep the names for the next one.
      if (this.#index.waits(folder)) for (const name of names) this.#mark(folder, name);
    }
    if (!this.#index.busy && this.#dirty.size === 0) {
      const overflow = this.#burst >= this.#options.overflowAt;
      this.#burst = 0;
      if (overflow) {
        this.#options.warned('watch_overflow', { root: this.#options.root });
        this.rescan(true);
      }
    }
    this.#index.settleRemovals(now() - PAIRING);
    this.#send();
    if (this.#index.busy || this.#index.holding || this.#dirty.size > 0) this.#schedule();
  }

  #send(): void {
    if (this.#out.length > 0) this.#options.changed(this.#out.splice(0));
  }

  #poll(): void {
    for (const folder of this.#polled) this.#mark(folder, undefined);
  }

  /** A root that was deleted, replaced or unmounted tells nobody: look after it. */
  #checkRoot(): void {
    const identity = this.#options.lister.identity(this.#options.root);
    if (identity === this.#rootIdentity) return;
    this.#rootIdentity = identity;
    const { root } = this.#index;
    this.#unwatch(root);
    root.changedAt = NaN;
    if (identity !== undefined) this.#watch(root);
    this.#mark(root, undefined);
  }

  #after(milliseconds: number, run: () => void): void {
    const cancel = this.#options.clock.schedule(milliseconds * NANOSECONDS_PER_MILLISECOND, () => {
      this.#timers.delete(cancel);
      if (!this.#closed) run();
    });
    this.#timers.add(cancel);
  }

  #every(milliseconds: number, run: () => void): void {
    this.#after(milliseconds, () => {
      run();
      this.#every(milliseconds, run);
    });
  }
}

/** The deepest known folder on the way to `name`, and the rest of the way's first name. */
function deepest(folder: FolderNode, name: string | undefined): [FolderNode, string | undefined] {
  let at = folder;
  for (const part of name?.split(/[/\\]/) ?? []) {
    const next = at.children.get(part)?.folder;
    if (next === undefined) return [at, part];
    at = next;
  }
  return [at, undefined];
}
