/**
 * What async work can outlive: `scene` ends when the scene is replaced or cleared, `size` when the surface is resized, `run`
 * when the engine stops.
 */
export type EpochKind = 'scene' | 'size' | 'run';

/** A moment in the engine's life, to compare with later. */
export interface EpochMark {
  /** Whether none of the captured kinds has ended since. */
  readonly isCurrent: boolean;
  /** Aborted when the first of them ends. */
  readonly signal: AbortSignal;
  /**
   * Waits for async work, and drops its result or its error if that comes too late.
   *
   * @returns the result, or `undefined` if the mark is no longer current by then
   * @throws what the work rejects with, in time
   */
  keep<T>(work: PromiseLike<T>): Promise<T | undefined>;
}

/**
 * Lets late results of async work be recognised and dropped: capture a mark before waiting, look at it after.
 *
 * @example
 * ```ts
 * const mark = engine.epochs.capture('scene');
 * const level = await mark.keep(loadLevel('mars'));
 * if (level === undefined) return; // the scene was replaced meanwhile
 * ```
 */
export class Epochs {
  readonly #controllers: Record<EpochKind, AbortController> = {
    scene: new AbortController(),
    size: new AbortController(),
    run: new AbortController(),
  };
  readonly #counts: Record<EpochKind, number> = { scene: 0, size: 0, run: 0 };
  #dropped = 0;

  /** Results that {@link EpochMark.keep} has dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many times an epoch of this kind has ended. */
  count(kind: EpochKind): number {
    return this.#counts[kind];
  }

  /** Ends the epoch and begins the next: marks on it are stale. The end of `run` is the end of the others too. */
  advance(kind: EpochKind): void {
    this.#counts[kind]++;
    const ended = this.#controllers[kind];
    this.#controllers[kind] = new AbortController();
    ended.abort(new DOMException(`The ${kind} epoch ended`, 'AbortError'));
    if (kind !== 'run') return;
    this.advance('scene');
    this.advance('size');
  }

  /** @param kinds - what the work can outlive; all of them by default */
  capture(...kinds: readonly EpochKind[]): EpochMark {
    const of: readonly EpochKind[] = kinds.length > 0 ? kinds : ['scene', 'size', 'run'];
    const signals = of.map((kind) => this.#controllers[kind].signal);
    const isCurrent = (): boolean => signals.every((signal) => !signal.aborted);
    let combined: AbortSignal | undefined;
    return {
      get isCurrent() {
        return isCurrent();
      },
      get signal() {
        // Made when asked for: marks are many, and a combined signal is dear.
        return (combined ??= AbortSignal.any(signals));
      },
      keep: async (work) => {
        try {
          const result = await work;
          if (isCurrent()) return result;
        } catch (error) {
          if (isCurrent()) throw error;
        }
        this.#dropped++;
        return undefined;
      },
    };
  }
}
