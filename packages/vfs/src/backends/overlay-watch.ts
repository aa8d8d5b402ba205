import type { VFSPath } from '../paths/vfs-path.js';
import { statOf } from './checks.js';
import type { VFSBackend, VFSBackendChange, VFSBackendListener } from './vfs-backend.js';

/** What the watching of an overlay asks. */
export interface OverlayView {
  readonly upper: VFSBackend;
  readonly lower: VFSBackend;
  /** Whether the lower backend's `path` shows where the upper one has nothing. */
  showsLower(path: VFSPath): Promise<boolean>;
  /** Whether nobody may see `path`. */
  isSecret(path: VFSPath): boolean;
}

/**
 * Reports what changes in an overlay: what the two backends report, in terms of what can be seen of it.
 * Something new above is a modification when it hides something below; something removed above, too, when
 * that shows something below again.
 */
export class OverlayWatch {
  readonly #view: OverlayView;
  readonly #listeners = new Set<VFSBackendListener>();

  constructor(view: OverlayView) {
    this.#view = view;
  }

  /** Whether anybody listens. */
  get active(): boolean {
    return this.#listeners.size > 0;
  }

  /** Reports what no backend will report: what was hidden. */
  tell(changes: readonly VFSBackendChange[]): void {
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
  }

  async start(listener: VFSBackendListener): Promise<() => Promise<void>> {
    const own: VFSBackendListener = (changes) => listener(changes);
    const { upper, lower } = this.#view;
    const stops: (() => Promise<void>)[] = [];
    const stop = async (): Promise<void> => {
      this.#listeners.delete(own);
      await Promise.all(stops.map((each) => each()));
    };
    this.#listeners.add(own);
    try {
      for (const backend of [upper, lower]) {
        if (!backend.capabilities.watch || !backend.watch) continue;
        stops.push(await backend.watch(this.#translator(backend, own)));
      }
    } catch (error) {
      await stop();
      throw error;
    }
    return stop;
  }

  /** A listener of one backend that tells `own` what can be seen of its changes, in order. */
  #translator(backend: VFSBackend, own: VFSBackendListener): VFSBackendListener {
    let order = Promise.resolve();
    return (changes) => {
      order = order.then(async () => {
        // What can't be asked is reported as it is: too much is better than too little.
        const seen = await this.#translate(changes, backend).catch(() => changes);
        if (seen.length > 0 && this.#listeners.has(own)) own(seen);
      });
    };
  }

  async #translate(
    changes: readonly VFSBackendChange[],
    backend: VFSBackend,
  ): Promise<readonly VFSBackendChange[]> {
    const seen: VFSBackendChange[] = [];
    for (const change of changes) {
      const above = backend === this.#view.upper;
      seen.push(...(await (above ? this.#above(change) : this.#below(change))));
    }
    return seen;
  }

  async #above(change: VFSBackendChange): Promise<VFSBackendChange[]> {
    const { kind, path, from, entry } = change;
    if (this.#view.isSecret(path)) return [];
    if (kind === 'modified') return [change];
    const hides = await this.#view.showsLower(path);
    if (kind !== 'renamed' || from === undefined) {
      return [hides ? { kind: 'modified', path, entry } : change];
    }
    const shows = await this.#view.showsLower(from);
    if (!hides && !shows) return [change];
    return [
      { kind: shows ? 'modified' : 'removed', path: from, entry },
      { kind: hides ? 'modified' : 'created', path, entry },
    ];
  }

  async #below(change: VFSBackendChange): Promise<VFSBackendChange[]> {
    const { kind, path, from, entry } = change;
    const seen: VFSBackendChange[] = [];
    if (kind !== 'renamed' || from === undefined) {
      if (await this.#bare(path)) seen.push(change);
      return seen;
    }
    const [old, now] = [await this.#bare(from), await this.#bare(path)];
    if (old && now) return [change];
    if (old) seen.push({ kind: 'removed', path: from, entry });
    if (now) seen.push({ kind: 'created', path, entry });
    return seen;
  }

  /** Whether what the lower backend has at `path`, or had a moment ago, can be seen. */
  async #bare(path: VFSPath): Promise<boolean> {
    if (this.#view.isSecret(path) || (await statOf(this.#view.upper, path))) return false;
    const gone = (await statOf(this.#view.lower, path)) === undefined;
    return gone || this.#view.showsLower(path);
  }
}
