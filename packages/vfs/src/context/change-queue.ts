import type { VFSBackendChange, VFSChangeKind, VFSKind } from '../backends/vfs-backend.js';
import type { VFSPath } from '../paths/vfs-path.js';
import type { Mount } from './mount.js';

/**
 * A change of the tree, as listeners get it from `VFSContext.tick`. Paths are the context's. A
 * `modified` whose entry is a folder was a file before, or the other way round.
 */
export interface VFSChange {
  readonly kind: VFSChangeKind;
  readonly path: VFSPath;
  /** Where it was before, of a `renamed`. */
  readonly from: VFSPath | undefined;
  readonly entry: VFSKind;
  /** Whether the content is new, too; only a `renamed` can say `false`. */
  readonly contentChanged: boolean;
  /** Which mount it happened in. A mount above it may hide the path. */
  readonly mount: Mount;
}

interface Pending {
  readonly change: VFSChange;
  /** When it was last added to, in the clock's nanoseconds. */
  touched: number;
  /** Position in the order of delivery. */
  readonly order: number;
}

/**
 * Collects what backends report until a path has been quiet for a while, and makes one change of it
 * for each path: created + modified is created, removed + created is modified, created + removed is
 * nothing, a rename of a rename is one rename.
 */
export class ChangeQueue {
  readonly #quiet: number;
  readonly #pending = new Map<string, Pending>();
  /** The pending renames, by where they come from. */
  readonly #byOrigin = new Map<string, Pending>();
  #order = 0;

  /** @param quiet - how long a path must be quiet, in nanoseconds */
  constructor(quiet: number) {
    this.#quiet = quiet;
  }

  /** Paths that something happened to and that were not delivered. */
  get size(): number {
    return this.#pending.size;
  }

  add(mount: Mount, { kind, path, from, entry }: VFSBackendChange, now: number): void {
    const at = path.under(mount.at);
    const before = from?.under(mount.at);
    if (kind === 'renamed' && before !== undefined) this.#rename(mount, before, at, entry, now);
    else this.#merge(mount, kind, at, entry, now);
  }

  /** Takes out what has been quiet long enough by `now`, oldest first. */
  takeQuiet(now: number): VFSChange[] {
    const due: Pending[] = [];
    for (const [key, pending] of this.#pending) {
      // A clock that was set back must not hold changes for long.
      if (pending.touched > now) pending.touched = now;
      if (now - pending.touched < this.#quiet) continue;
      due.push(pending);
      this.#take(key, pending);
    }
    return due.sort((a, b) => a.order - b.order).map(({ change }) => change);
  }

  /** Forgets what is pending for `mount`. */
  drop(mount: Mount): void {
    for (const [key, pending] of this.#pending) {
      if (pending.change.mount === mount) this.#take(key, pending);
    }
  }

  #merge(mount: Mount, kind: VFSChangeKind, path: VFSPath, entry: VFSKind, now: number): void {
    if (kind === 'created') this.#forgetOrigin(mount, path, now);
    const old = this.#get(mount, path)?.change;
    const change = { kind, path, from: undefined, entry, contentChanged: true, mount };
    if (old === undefined) {
      this.#put(change, now);
    } else if (kind === 'removed') {
      this.#delete(mount, path);
      if (old.kind === 'renamed' && old.from !== undefined) {
        this.#put({ ...change, path: old.from }, now);
      } else if (old.kind !== 'created') {
        this.#put({ ...change, entry: old.entry }, now);
      }
    } else if (old.kind === 'removed') {
      this.#put({ ...change, kind: 'modified' }, now);
    } else {
      this.#put({ ...old, entry, contentChanged: true }, now);
    }
  }

  #rename(mount: Mount, from: VFSPath, to: VFSPath, entry: VFSKind, now: number): void {
    const source = this.#get(mount, from)?.change;
    const origin = source?.from ?? from;
    if (source?.kind === 'renamed' && origin.equals(to)) {
      this.#delete(mount, from);
      if (source.contentChanged) this.#merge(mount, 'modified', to, entry, now);
      return;
    }
    this.#forgetOrigin(mount, to, now);
    const known = source === undefined || source.kind === 'modified' || source.kind === 'renamed';
    if (!known || this.#get(mount, to) !== undefined) {
      // Not known by its old name, or replaces something that is: no identity to carry over.
      this.#merge(mount, 'removed', from, entry, now);
      this.#merge(mount, 'created', to, entry, now);
      return;
    }
    const contentChanged = source?.contentChanged ?? false;
    this.#delete(mount, from);
    this.#put({ kind: 'renamed', path: to, from: origin, entry, contentChanged, mount }, now);
  }

  /**
   * Something comes to stand at `path`. If what was there is pending as renamed, the two changes could be
   * delivered in either order: say created and modified instead, which is right in both.
   */
  #forgetOrigin(mount: Mount, path: VFSPath, now: number): void {
    const pending = this.#byOrigin.get(keyOf(mount, path));
    if (pending === undefined) return;
    const { change } = pending;
    this.#put({ ...change, kind: 'created', from: undefined, contentChanged: true }, now);
    this.#put({ ...change, kind: 'removed', path, from: undefined, contentChanged: true }, now);
  }

  #get(mount: Mount, path: VFSPath): Pending | undefined {
    return this.#pending.get(keyOf(mount, path));
  }

  #delete(mount: Mount, path: VFSPath): void {
    const pending = this.#get(mount, path);
    if (pending) this.#take(keyOf(mount, path), pending);
  }

  #take(key: string, { change }: Pending): void {
    this.#pending.delete(key);
    if (change.from) this.#byOrigin.delete(keyOf(change.mount, change.from));
  }

  #put(change: VFSChange, now: number): void {
    const key = keyOf(change.mount, change.path);
    const old = this.#pending.get(key);
    if (old) this.#take(key, old);
    const pending = { change, touched: now, order: old?.order ?? this.#order++ };
    this.#pending.set(key, pending);
    if (change.from) this.#byOrigin.set(keyOf(change.mount, change.from), pending);
  }
}

/** Two mounts may report one path. */
function keyOf(mount: Mount, path: VFSPath): string {
  return `${mount.at.key}\0${mount.priority}\0${path.key}`;
}
