import type { Clock, EventLog } from '@ecliptic/core';
import type { VFSBackendListener } from '../backends/vfs-backend.js';
import type { VFSPath } from '../paths/vfs-path.js';
import { ChangeQueue, type VFSChange } from './change-queue.js';
import type { Mount } from './mount.js';

/** Receives one change, inside `VFSContext.tick`. */
export type VFSListener = (change: VFSChange) => void;

/** A listener's registration. */
export interface VFSSubscription {
  /**
   * Settles when every mount that can watch does so: what changes from then on is reported. Rejects
   * with the first failure (which is logged, too); the other mounts are watched all the same.
   */
  readonly ready: Promise<void>;
  /** Ends it; nothing is delivered any more. */
  dispose(): void;
}

interface Registration {
  readonly path: VFSPath;
  readonly listener: VFSListener;
}

interface Watched {
  readonly started: Promise<(() => Promise<void>) | undefined>;
}

/** Starts and stops the watching of mounts as listeners come and go, and delivers what they report. */
export class WatchHub {
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #queue: ChangeQueue;
  readonly #registrations = new Set<Registration>();
  readonly #watched = new Map<Mount, Watched>();

  /** @param quiet - nanoseconds without a change after which a path's change is delivered */
  constructor(clock: Clock, log: EventLog, quiet: number) {
    this.#clock = clock;
    this.#log = log;
    this.#queue = new ChangeQueue(quiet);
  }

  /** Paths with changes that were not delivered yet. */
  get pending(): number {
    return this.#queue.size;
  }

  subscribe(path: VFSPath, listener: VFSListener, mounts: readonly Mount[]): VFSSubscription {
    const registration = { path, listener };
    this.#registrations.add(registration);
    const started = mounts.map((mount) => this.#start(mount)?.started ?? Promise.resolve());
    const ready = Promise.all(started).then(() => {});
    ready.catch(() => {}); // Logged by #start; a caller who wants to know awaits it.
    return {
      ready,
      dispose: () => {
        this.#registrations.delete(registration);
        if (this.#registrations.size === 0) this.#stopAll();
      },
    };
  }

  /** Watches a mount that came after the listeners. */
  mounted(mount: Mount): void {
    if (this.#registrations.size > 0) this.#start(mount);
  }

  /** Ends the watching of one mount and forgets what it reported. */
  async unmounted(mount: Mount): Promise<void> {
    const watched = this.#watched.get(mount);
    this.#watched.delete(mount);
    this.#queue.drop(mount);
    await watched?.started.then(
      (stop) => stop?.(),
      () => {},
    );
  }

  /** Forgets all listeners. */
  clear(): void {
    this.#registrations.clear();
  }

  /** @returns how many changes were delivered */
  tick(): number {
    const changes = this.#queue.takeQuiet(this.#clock.now());
    for (const change of changes) {
      for (const { path, listener } of this.#registrations) {
        if (change.path.isWithin(path) || change.from?.isWithin(path)) this.#call(listener, change);
      }
    }
    return changes.length;
  }

  #stopAll(): void {
    for (const mount of this.#watched.keys()) {
      this.unmounted(mount).catch((error: unknown) => {
        this.#log.error('unwatch_failed', { mount: mount.label, error });
      });
    }
  }

  #call(listener: VFSListener, change: VFSChange): void {
    try {
      listener(change);
    } catch (error) {
      this.#log.error('listener_failed', { path: change.path.text, error });
    }
  }

  #start(mount: Mount): Watched | undefined {
    const existing = this.#watched.get(mount);
    if (existing || !mount.backend.capabilities.watch || !mount.backend.watch) return existing;
    const { backend } = mount;
    const listener: VFSBackendListener = (changes) => {
      if (this.#watched.get(mount) !== watched) return;
      const now = this.#clock.now();
      for (const change of changes) this.#queue.add(mount, change, now);
    };
    // In a later turn, because a backend may throw, or call the listener at once.
    const started = Promise.resolve().then(async () => backend.watch?.(listener));
    const watched: Watched = { started };
    this.#watched.set(mount, watched);
    started.catch((error: unknown) => {
      this.#log.error('watch_failed', { mount: mount.label, error });
      if (this.#watched.get(mount) === watched) this.#watched.delete(mount);
    });
    return watched;
  }
}
