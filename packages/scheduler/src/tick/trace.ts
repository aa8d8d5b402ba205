/** One event of Chrome's trace-event format; times are microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: 'X' | 'M';
  readonly ts: number;
  readonly dur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** A trace as a JSON object that `chrome://tracing` and Perfetto open. */
export interface ChromeTrace {
  readonly traceEvents: readonly TraceEvent[];
  readonly displayTimeUnit: 'ns';
}

/**
 * Records which system ran when on which thread, in a ring that keeps the newest spans; recording
 * allocates nothing.
 */
export class TraceRecorder {
  readonly #starts: Float64Array;
  readonly #durations: Float64Array;
  readonly #systems: Uint16Array;
  readonly #threads: Uint16Array;
  #count = 0;

  /** @param capacity - spans kept */
  constructor(capacity: number) {
    this.#starts = new Float64Array(capacity);
    this.#durations = new Float64Array(capacity);
    this.#systems = new Uint16Array(capacity);
    this.#threads = new Uint16Array(capacity);
  }

  /**
   * @param system - its number, an index into the names that `toChromeTrace` takes
   * @param thread - 0 for the main thread, from 1 for workers
   * @param start - nanoseconds
   * @param duration - nanoseconds
   */
  record(system: number, thread: number, start: number, duration: number): void {
    const slot = this.#count % this.#starts.length;
    this.#starts[slot] = start;
    this.#durations[slot] = duration;
    this.#systems[slot] = system;
    this.#threads[slot] = thread;
    this.#count++;
  }

  /** What was recorded, oldest first; `names` and `phases` by system number. */
  toChromeTrace(names: readonly string[], phases: readonly string[]): ChromeTrace {
    const capacity = this.#starts.length;
    const kept = Math.min(this.#count, capacity);
    const spans: TraceEvent[] = [];
    const threads = new Set<number>();
    for (let i = this.#count - kept; i < this.#count; i++) {
      const slot = i % capacity;
      const system = this.#systems[slot] ?? 0;
      const tid = this.#threads[slot] ?? 0;
      threads.add(tid);
      spans.push({
        name: names[system] ?? `system ${system}`,
        cat: phases[system] ?? 'system',
        ph: 'X',
        ts: (this.#starts[slot] ?? 0) / 1_000,
        dur: (this.#durations[slot] ?? 0) / 1_000,
        pid: 1,
        tid,
      });
    }
    const labels = [...threads]
      .toSorted((a, b) => a - b)
      .map((tid): TraceEvent => ({
        name: 'thread_name',
        cat: '__metadata',
        ph: 'M',
        ts: 0,
        pid: 1,
        tid,
        args: { name: tid === 0 ? 'simulation' : `worker ${tid}` },
      }));
    return { traceEvents: [...labels, ...spans], displayTimeUnit: 'ns' };
  }
}
