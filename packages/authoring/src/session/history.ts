import type { Change } from './change.js';

/** One step that can be undone. */
export interface Step {
  readonly label: string;
  /** What redoing applies, in order. */
  readonly forward: readonly Change[];
  /** What undoing applies, in order. */
  readonly backward: readonly Change[];
}

/** A step with what decides whether the next edit is part of it. */
interface Recorded extends Step {
  /** Equal for edits of the same fields of the same entities; `undefined` where nothing is merged. */
  readonly mergeKey: string | undefined;
  /** Nanoseconds. */
  readonly time: number;
}

/** Steps to undo and to redo. */
export class History {
  readonly #limit: number;
  readonly #mergeWindow: number;
  readonly #done: Recorded[] = [];
  readonly #undone: Recorded[] = [];
  /** Whether the latest step may still grow. */
  #open = false;

  /**
   * @param limit - steps that are kept
   * @param mergeWindow - nanoseconds between two edits of one step
   */
  constructor(limit: number, mergeWindow: number) {
    this.#limit = limit;
    this.#mergeWindow = mergeWindow;
  }

  get done(): readonly Step[] {
    return this.#done;
  }

  get undone(): readonly Step[] {
    return this.#undone;
  }

  /** Adds what was just done. Where it goes on with the latest step, undoing that step undoes both. */
  push(step: Step, mergeKey: string | undefined, time: number): void {
    this.#undone.length = 0;
    const latest = this.#done.at(-1);
    const merges =
      this.#open &&
      latest !== undefined &&
      mergeKey !== undefined &&
      latest.mergeKey === mergeKey &&
      time - latest.time <= this.#mergeWindow;
    if (merges) this.#done.pop();
    const backward = merges ? latest.backward : step.backward;
    this.#done.push({ ...step, backward, mergeKey, time });
    if (this.#done.length > this.#limit) this.#done.shift();
    this.#open = true;
  }

  /** Takes the latest step. Where `apply` throws, the step is dropped: it can't be undone any more. */
  undo(apply: (step: Step) => void): Step | undefined {
    return this.#move(this.#done, this.#undone, apply);
  }

  /** Takes the step that was undone last. Where `apply` throws, it is dropped. */
  redo(apply: (step: Step) => void): Step | undefined {
    return this.#move(this.#undone, this.#done, apply);
  }

  #move(from: Recorded[], to: Recorded[], apply: (step: Step) => void): Step | undefined {
    this.#open = false;
    const step = from.pop();
    if (step === undefined) return undefined;
    apply(step);
    to.push(step);
    return step;
  }
}
