/** Lets at most so many tasks run at once; the others wait, first come first served. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param limit - at least 1 */
  constructor(limit: number) {
    this.#free = limit;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
