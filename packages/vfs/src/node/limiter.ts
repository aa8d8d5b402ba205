/** Lets at most so many tasks run at once; the others wait, first come first served. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param limit - at least 1 */
  constructor(limit: number) {
    this.#free = limit;
  }

  /** @param signal - ends the waiting; a task that has begun is its own business */
  async run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#waiting.push(begin);
    });
  }
}
