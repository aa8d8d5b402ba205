/** What can end the validity of asynchronous work: another scene, another target, the end. */
export type LifecycleEvent = 'scene' | 'target' | 'stop';

/** What asynchronous work holds on to, to find out whether its result still counts. */
export interface EpochTicket {
  readonly event: LifecycleEvent;
  /** Aborted when the epoch ends: pass it to what can be cancelled. */
  readonly signal: AbortSignal;
  /** Whether nothing of this kind happened since the ticket was issued. */
  readonly isCurrent: boolean;
}

/**
 * Counts scene replacements, target changes and the stop, so that results of asynchronous work that
 * was begun before them can be recognised and dropped when they come in late. `stop` ends the epochs of
 * both others.
 *
 * @example
 * ```ts
 * const ticket = epochs.ticket('scene');
 * const mesh = await loadMesh(uuid, ticket.signal);
 * if (ticket.isCurrent) resources.uploadMesh(uuid, mesh); // else the scene is gone: drop it
 * ```
 */
export class LifecycleEpochs {
  readonly #epochs: Record<LifecycleEvent, { number: number; abort: AbortController }> = {
    scene: { number: 0, abort: new AbortController() },
    target: { number: 0, abort: new AbortController() },
    stop: { number: 0, abort: new AbortController() },
  };
  #dropped = 0;

  /** How often `event` happened. The scene's number travels in each frame state. */
  number(event: LifecycleEvent): number {
    return this.#epochs[event].number;
  }

  /** Results that {@link LifecycleEpochs.keep} dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Ends the current epoch of `event`: outstanding tickets stop being current and their signals fire. */
  advance(event: LifecycleEvent): void {
    const ended: readonly LifecycleEvent[] =
      event === 'stop' ? ['scene', 'target', 'stop'] : [event];
    for (const each of ended) {
      const epoch = this.#epochs[each];
      epoch.number++;
      const { abort } = epoch;
      epoch.abort = new AbortController();
      abort.abort(new DOMException(`The ${each} epoch ended`, 'AbortError'));
    }
  }

  /** A ticket for work that is to count only while no `event` happens. */
  ticket(event: LifecycleEvent): EpochTicket {
    const epoch = this.#epochs[event];
    const issued = epoch.number;
    return {
      event,
      signal: epoch.abort.signal,
      get isCurrent() {
        return epoch.number === issued;
      },
    };
  }

  /** The result of `work`, or `undefined` when `event` happened meanwhile. Rejects only in the same epoch. */
  async keep<T>(
    event: LifecycleEvent,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const ticket = this.ticket(event);
    try {
      const result = await work(ticket.signal);
      if (ticket.isCurrent) return result;
    } catch (error) {
      if (ticket.isCurrent) throw error;
    }
    this.#dropped++;
    return undefined;
  }
}
