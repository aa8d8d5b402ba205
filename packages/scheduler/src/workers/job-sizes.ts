/** Equal jobs a thread, while much is left. */
const JOBS_PER_THREAD = 4;
/** Later, parts a thread into which what is left is cut for the next job. */
const PARTS_LEFT = 2;
/** Nanoseconds a job should last at least. */
const MIN_JOB = 10_000;
/** Jobs a thread, while rows may take very long on some: code that is not compiled takes a hundred times as long. */
const CAUTIOUS_JOBS = 16;
/** Larger jobs begin at multiples of it, so that two threads do not write the same cache line. */
const ROW_ALIGNMENT = 16;

/**
 * How many rows each job of a system has: equal ones first, then ever smaller ones down to ten microseconds. Threads are not
 * equally fast (another process or machine shares their core), and with equal jobs all of them wait at the end for the
 * slowest one's last. Guided self-scheduling, with an upper limit: Polychronopoulos and Kuck, 1987.
 *
 * Cuts depend on rows and their cost by powers of two only, so that they are the same in most ticks: what threads know of
 * each cut is kept.
 */
export class JobSizes {
  #left = 0;
  #even = 1;
  #least = 1;
  #threads = 1;

  /**
   * A system is cut into jobs.
   *
   * @param rows - of all its tables, at least 1
   * @param threads - that will share the work
   * @param perRow - nanoseconds, 0 if unknown: then into many
   */
  begin(rows: number, threads: number, perRow: number): void {
    const step = 2 ** Math.max(0, Math.floor(Math.log2(rows)) - 5);
    this.#left = Math.ceil(rows / step) * step;
    this.#threads = threads;
    if (perRow === 0) {
      this.#even = this.#least = Math.ceil(this.#left / (CAUTIOUS_JOBS * threads));
      return;
    }
    this.#even = Math.ceil(this.#left / (JOBS_PER_THREAD * threads));
    const least = 2 ** Math.ceil(Math.log2(MIN_JOB / perRow));
    this.#least = Math.max(1, Math.min(least, Math.ceil(this.#left / threads)));
  }

  /** Where the next job ends, that begins at row `start` of a table of `count` rows. */
  end(start: number, count: number): number {
    const share = Math.ceil(this.#left / (PARTS_LEFT * this.#threads));
    const size = Math.max(Math.min(this.#even, share), this.#least);
    const aligned =
      size > 4 * ROW_ALIGNMENT ? Math.ceil(size / ROW_ALIGNMENT) * ROW_ALIGNMENT : size;
    const end = Math.min(start + aligned, count);
    this.#left -= end - start;
    return end;
  }
}
