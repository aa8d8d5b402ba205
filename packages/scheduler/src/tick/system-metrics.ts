const WINDOW = 256;

/** What the last runs of one system cost. Times are nanoseconds. */
export interface SystemMetrics {
  readonly name: string;
  readonly phase: string;
  /** Whether it runs: it and all its groups are enabled. */
  readonly enabled: boolean;
  /** Runs since it was registered. */
  readonly runs: number;
  /** Of them, those that failed. */
  readonly failures: number;
  readonly last: number;
  /** Mean of the last 256 runs. */
  readonly mean: number;
  /** 99th percentile of the last 256 runs. */
  readonly p99: number;
  /** Rows that its queries match now. */
  readonly rows: number;
  /** Part of its time in the last run that workers took over: 0 to 1. */
  readonly workerShare: number;
}

/** Durations of one system's last runs; recording allocates nothing. */
export class DurationWindow {
  readonly #samples = new Float64Array(WINDOW);
  #count = 0;

  /** Runs recorded. */
  get count(): number {
    return this.#count;
  }

  /** The newest duration, 0 before the first. */
  get last(): number {
    return this.#count === 0 ? 0 : (this.#samples[(this.#count - 1) % WINDOW] ?? 0);
  }

  /** Mean of the window, 0 when empty. */
  get mean(): number {
    const samples = this.#filled();
    if (samples.length === 0) return 0;
    let sum = 0;
    for (const sample of samples) sum += sample;
    return sum / samples.length;
  }

  /** Smallest duration that at least 99 of 100 of the window do not exceed, 0 when empty. */
  get p99(): number {
    const samples = this.#filled();
    // It is among the three greatest of a window, so they are kept instead of sorting.
    let [greatest, second, third] = [0, 0, 0];
    for (const sample of samples) {
      if (sample > greatest) [greatest, second, third] = [sample, greatest, second];
      else if (sample > second) [second, third] = [sample, second];
      else if (sample > third) third = sample;
    }
    const above = samples.length - Math.ceil(samples.length * 0.99);
    return [greatest, second, third][above] ?? 0;
  }

  /** Adds a duration, in place of the oldest. */
  record(duration: number): void {
    this.#samples[this.#count % WINDOW] = duration;
    this.#count++;
  }

  #filled(): Float64Array {
    return this.#samples.subarray(0, Math.min(this.#count, WINDOW));
  }
}
