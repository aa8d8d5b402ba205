/** Work that waits for one point of the frame. */
export class WorkQueue {
  #waiting: { run: () => void; reject: (reason: unknown) => void }[] = [];

  /** Has `work` run later. */
  submit<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error as Error);
        }
      };
      this.#waiting.push({ run, reject });
    });
  }

  /** Runs all that waits, in order; what comes meanwhile waits for the next time. @returns how many there were */
  flush(): number {
    const due = this.#waiting;
    if (due.length === 0) return 0;
    this.#waiting = [];
    for (const { run } of due) run();
    return due.length;
  }

  /** Rejects all that waits. */
  cancel(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }
}
