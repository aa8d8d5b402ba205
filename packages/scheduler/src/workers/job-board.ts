/** Each counter has a cache line of its own, so that threads do not slow each other down. */
const LINE = 16;
const NEXT = 0;
const LIMIT = LINE;
const DONE = 2 * LINE;
const SIGNAL = 3 * LINE;
const SLEEPERS = 4 * LINE;
const OWNER_WAITS = 5 * LINE;
const STOPPED = 6 * LINE;
const HEADER = 7 * LINE;
const JOB_WORDS = 4;

/** Most jobs of a wave. */
export const MAX_JOBS = 1_024;

/** What can be cloned to a worker to give it a {@link JobBoard} over the same memory. */
export interface JobBoardMemory {
  readonly buffer: SharedArrayBuffer;
  readonly capacity: number;
  readonly workers: number;
}

/** A piece of a system: rows `start` to `end` of what its query matches in its `part`-th table. */
export interface Job {
  system: number;
  part: number;
  start: number;
  end: number;
}

/**
 * Hands out jobs to threads over shared memory. The owner publishes the jobs of a wave; it and the workers
 * claim them one by one; the wave is over when as many are done as were published.
 *
 * Tickets are counted up and never reset (they wrap around at 2³²): a worker that comes late to a wave can't
 * mistake the next one for it. A job's place in the ring is free again when its wave is over, so a wave
 * has at most `capacity` jobs.
 */
export class JobBoard {
  readonly memory: JobBoardMemory;
  readonly #words: Int32Array;
  readonly #mask: number;
  /** First word of the ring. */
  readonly #ring: number;

  /** Maps `memory`, which {@link JobBoard.allocate} made. */
  constructor(memory: JobBoardMemory) {
    this.memory = memory;
    this.#words = new Int32Array(memory.buffer);
    this.#mask = memory.capacity - 1;
    this.#ring = HEADER + memory.workers * LINE;
  }

  /**
   * @param capacity - most jobs of a wave, a power of two
   * @param workers - threads beside the owner
   */
  static allocate(capacity: number, workers: number): JobBoard {
    const words = HEADER + workers * LINE + capacity * JOB_WORDS;
    return new JobBoard({ buffer: new SharedArrayBuffer(words * 4), capacity, workers });
  }

  /** Owner: adds a job to the next wave, as number `index` of it. Not visible before `publish`. */
  write(index: number, system: number, part: number, start: number, end: number): void {
    const ticket = (Atomics.load(this.#words, LIMIT) + index) | 0;
    const word = this.#ring + (ticket & this.#mask) * JOB_WORDS;
    this.#words[word] = system;
    this.#words[word + 1] = part;
    this.#words[word + 2] = start;
    this.#words[word + 3] = end;
  }

  /** Owner: opens a wave of `count` written jobs, and wakes workers that sleep. */
  publish(count: number): void {
    Atomics.add(this.#words, LIMIT, count);
    this.wake();
  }

  /** Owner: whether any worker sleeps. */
  get asleep(): boolean {
    return Atomics.load(this.#words, SLEEPERS) > 0;
  }

  /**
   * Owner: gets workers out of their sleep, because jobs are there or will be soon. Costs a load where all are awake: one
   * that is about to sleep counts itself first, then looks once more for jobs.
   */
  wake(): void {
    if (!this.asleep) return;
    Atomics.add(this.#words, SIGNAL, 1);
    Atomics.notify(this.#words, SIGNAL);
  }

  /**
   * Any thread: takes a job.
   *
   * @param job - filled in
   * @returns whether there was one
   */
  claim(job: Job): boolean {
    for (;;) {
      const ticket = Atomics.load(this.#words, NEXT);
      if (ticket === Atomics.load(this.#words, LIMIT)) return false;
      const next = (ticket + 1) | 0;
      if (Atomics.compareExchange(this.#words, NEXT, ticket, next) !== ticket) continue;
      const word = this.#ring + (ticket & this.#mask) * JOB_WORDS;
      job.system = this.#words[word] ?? 0;
      job.part = this.#words[word + 1] ?? 0;
      job.start = this.#words[word + 2] ?? 0;
      job.end = this.#words[word + 3] ?? 0;
      return true;
    }
  }

  /** Any thread: a claimed job is done, well or badly. The last one of a wave wakes the owner. */
  finish(): void {
    const done = (Atomics.add(this.#words, DONE, 1) + 1) | 0;
    if (done !== Atomics.load(this.#words, LIMIT)) return;
    if (Atomics.load(this.#words, OWNER_WAITS) === 1) Atomics.notify(this.#words, DONE);
  }

  /** Whether all published jobs are done. */
  get waveDone(): boolean {
    return Atomics.load(this.#words, DONE) === Atomics.load(this.#words, LIMIT);
  }

  /** Published jobs that are not done. */
  get outstanding(): number {
    return (Atomics.load(this.#words, LIMIT) - Atomics.load(this.#words, DONE)) | 0;
  }

  /** Whether no published job is left to claim. */
  get allClaimed(): boolean {
    return Atomics.load(this.#words, NEXT) === Atomics.load(this.#words, LIMIT);
  }

  /**
   * Owner: blocks until the wave is over, or for `timeout` milliseconds. Only where blocking is allowed.
   *
   * @returns whether the wave is over
   */
  waitForWave(timeout: number): boolean {
    const deadline = performance.now() + timeout;
    Atomics.store(this.#words, OWNER_WAITS, 1);
    for (;;) {
      const done = Atomics.load(this.#words, DONE);
      if (done === Atomics.load(this.#words, LIMIT)) break;
      const left = deadline - performance.now();
      if (left <= 0) break;
      Atomics.wait(this.#words, DONE, done, left);
    }
    Atomics.store(this.#words, OWNER_WAITS, 0);
    return this.waveDone;
  }

  /**
   * Worker: sleeps until woken. Returns at once if something was published, or the board woken, since `signal`
   * was read.
   */
  sleep(signal: number): void {
    Atomics.add(this.#words, SLEEPERS, 1);
    if (this.allClaimed && !this.stopped) Atomics.wait(this.#words, SIGNAL, signal);
    Atomics.sub(this.#words, SLEEPERS, 1);
  }

  /** Worker: to be read before looking for a job, and given to `sleep`. */
  get signal(): number {
    return Atomics.load(this.#words, SIGNAL);
  }

  /** Worker: which system it runs from now on, or -1 for none; so that a worker that hangs can be named. */
  report(worker: number, system: number): void {
    Atomics.store(this.#words, HEADER + worker * LINE, system + 1);
  }

  /** Owner: the system that a worker is running, or -1. */
  runningOn(worker: number): number {
    return Atomics.load(this.#words, HEADER + worker * LINE) - 1;
  }

  /**
   * Owner: counts the jobs that dead workers have claimed as done. Only when no living worker is running one.
   */
  abandonWave(): void {
    const limit = Atomics.load(this.#words, LIMIT);
    Atomics.store(this.#words, NEXT, limit);
    Atomics.store(this.#words, DONE, limit);
  }

  /** Owner: sends all workers home. */
  stop(): void {
    Atomics.store(this.#words, STOPPED, 1);
    this.wake();
  }

  get stopped(): boolean {
    return Atomics.load(this.#words, STOPPED) === 1;
  }
}
