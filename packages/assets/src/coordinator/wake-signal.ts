/** Wakes all that wait for something to happen, again and again. */
export class WakeSignal {
  #waiting: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  /** Resolves at the next {@link WakeSignal.wake}. */
  wait(): Promise<void> {
    this.#waiting ??= new Promise((resolve) => (this.#resolve = resolve));
    return this.#waiting;
  }

  wake(): void {
    this.#resolve?.();
    this.#waiting = this.#resolve = undefined;
  }
}
