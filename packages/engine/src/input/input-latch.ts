import type { InputEvent } from './input-event.js';
import { MutableInputState, type InputState } from './input-state.js';

/** Input for the two kinds of readers: those that run once a frame, and those that run in fixed steps. */
export interface Input {
  /** For code that runs once a frame: what happened since the last frame. */
  readonly frame: InputState;
  /**
   * For code that runs in fixed steps. A frame may have 0, 1 or many of them: a press waits for the next step, however many
   * frames that takes, and only the first of several steps sees it.
   */
  readonly step: InputState;
}

/** Hands each event to both readers, each at its own pace. */
export class InputLatch implements Input {
  readonly #frame = new MutableInputState();
  readonly #step = new MutableInputState();

  get frame(): InputState {
    return this.#frame;
  }

  get step(): InputState {
    return this.#step;
  }

  apply(event: InputEvent): void {
    this.#frame.apply(event);
    this.#step.apply(event);
  }

  /** The frame's readers have had their turn. */
  endFrame(): void {
    this.#frame.endTurn();
  }

  /** A fixed step was completed. */
  endStep(): void {
    this.#step.endTurn();
  }
}
