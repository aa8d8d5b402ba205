/**
 * What imports are writing. An import that was cancelled begins to write nothing more; what it had begun goes on to its end,
 * which whoever tidies up can wait for.
 */
export class PendingWrites {
  readonly #running = new Set<Promise<unknown>>();

  /**
   * Runs something that may write.
   *
   * @throws the signal's reason where it is aborted already, else what `write` throws
   */
  async run<T>(signal: AbortSignal, write: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const running = write();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves once nothing is being written. Failures are their callers'. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
