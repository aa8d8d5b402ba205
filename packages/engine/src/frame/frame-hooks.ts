import { EclipticError, type Clock, type EventLog } from '@ecliptic/core';
import { isPromise, withDeadline } from '../lifecycle/deadline.js';
import { EngineFrameError } from '../lifecycle/engine-errors.js';
import { FRAME_PLACES, type FramePlace } from './frame-places.js';
import type { FrameState } from './frame-state.js';

/** What a plugin does at its place in a frame. If it returns a promise, the frame waits for it. */
export type FrameHook = (frame: FrameState) => void | Promise<void>;

/** How a hook is treated. */
export interface FrameHookOptions {
  /**
   * What an error leads to: `reject` (default) ends the frame with it, `retain` reports it and calls the hook again in the
   * next frame, `disable` reports it and never calls the hook again. Reports are made once a hook, repeats are counted.
   */
  readonly errors?: 'reject' | 'retain' | 'disable';
}

/** Where plugins hook into frames. */
export interface FrameHooks {
  /**
   * Has `hook` called in every frame at `place`, after the hooks that are there already. Allowed at any time, also from
   * inside a hook: it counts from the next time the place is reached.
   *
   * @param name - shown in errors
   * @returns a function that takes the hook out again
   * @throws EclipticError `engine/unknown-place`
   */
  on(place: FramePlace, name: string, hook: FrameHook, options?: FrameHookOptions): () => void;
}

interface Hook {
  readonly owner: string;
  readonly name: string;
  readonly run: FrameHook;
  readonly errors: 'reject' | 'retain' | 'disable';
}

/** The hooks of one engine's frames. */
export class FrameSchedule {
  readonly #hooks = new Map<FramePlace, readonly Hook[]>(FRAME_PLACES.map((place) => [place, []]));
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #timeout: number;
  #closed = false;

  /** @param timeout - seconds that one asynchronous hook may take */
  constructor(clock: Clock, log: EventLog, timeout: number) {
    this.#clock = clock;
    this.#log = log;
    this.#timeout = timeout;
  }

  /** The schedule as one plugin sees it: its hooks carry its name. */
  for(owner: string): FrameHooks {
    return {
      on: (place, name, run, options = {}) => {
        const hook: Hook = { owner, name, run, errors: options.errors ?? 'reject' };
        // A new list each time, so that a walk over the old one is not disturbed.
        this.#hooks.set(place, [...this.#at(place), hook]);
        return () => this.#remove(place, hook);
      },
    };
  }

  /** Runs the hooks of a place. @throws EngineFrameError */
  async run(place: FramePlace, frame: FrameState): Promise<void> {
    for (const hook of this.#at(place)) {
      if (this.#closed) return;
      try {
        const work = hook.run(frame);
        if (isPromise(work)) await this.#wait(work, `${hook.owner} ${place}/${hook.name}`);
      } catch (error) {
        this.#fail(place, hook, error);
      }
    }
  }

  /** No hook is called any more, not even by a frame that is under way. */
  close(): void {
    this.#closed = true;
  }

  #wait(work: PromiseLike<unknown>, what: string): Promise<unknown> {
    return withDeadline(work, this.#clock, this.#timeout, what);
  }

  #fail(place: FramePlace, hook: Hook, cause: unknown): void {
    const error = new EngineFrameError(hook.owner, `${place}/${hook.name}`, cause);
    if (hook.errors === 'reject') throw error;
    if (hook.errors === 'disable') this.#remove(place, hook);
    const subject = `${hook.owner} ${error.step}`;
    this.#log.warnOnce('frame_hook_failed', subject, {
      plugin: hook.owner,
      step: error.step,
      error,
    });
  }

  #remove(place: FramePlace, hook: Hook): void {
    this.#hooks.set(
      place,
      this.#at(place).filter((other) => other !== hook),
    );
  }

  #at(place: FramePlace): readonly Hook[] {
    const hooks = this.#hooks.get(place);
    if (hooks) return hooks;
    throw new EclipticError('engine/unknown-place', `A frame has no place "${String(place)}"`, {
      subjects: { place },
      fix: `Use one of ${FRAME_PLACES.join(', ')}.`,
    });
  }
}
