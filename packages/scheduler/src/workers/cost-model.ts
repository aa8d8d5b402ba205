/** Nanoseconds of serial work from which sharing it out is tried. */
const WORTH_SHARING = 150_000;
/** Shared out work that shrinks below this part of it is run inline again. */
const HYSTERESIS = 0.6;
/** Inline runs that are measured before anything is decided: the first are those of code that is not compiled yet. */
const WARM_UP = 8;
/** One of so many shared runs is inline, to see what that costs now. */
const PROBE = 64;

/** Part of the inline time that a shared run should take at most. */
const TARGET = 0.97;
/** Most that can be in credit, in inline runs: so much may be lost before sharing out is given up. */
const MAX_CREDIT = 8;
/** Credit of a later try. */
const RETRY_CREDIT = 1;
/** Nanoseconds that the first shared runs may lose for nothing: workers then run code that they have not compiled. */
const TUITION = 10_000_000;
/** Shared runs that are such first ones. */
const LESSONS = 32;
/** What was lost must be at most this part of the inline runs until the next try. */
const REGRET = 0.02;
/** Most inline runs until the next try. */
const MAX_REST = 8_192;

/** Weight of a measurement above the estimate, and of one below. */
const RISE = 0.2;
const FALL = 0.5;
/** A measurement counts for at most so many times the estimate: the thread may not have had its core all the time. */
const MAX_RISE = 2;

/** Work below this part of what is worth sharing is looked at only now and then. */
const TRIFLE = 0.25;
/** Runs without a look. */
const UNWATCHED = 15;
/** Work below this part is looked at more seldom still: a look costs a part of it that shows. */
const MOTE = TRIFLE / 16;
/** Runs without a look at such work: a second of a game, within which more work is noticed. */
const UNWATCHED_MOTE = 63;

/**
 * Decides by measured cost whether a system's rows are shared out among threads or run inline. Begins inline.
 *
 * It keeps an account, in inline runs: a shared run that was faster pays in, one that was slower takes out. Who is
 * overdrawn runs inline, until what was lost is a fiftieth of the time since; then, and after each further failure
 * twice as long. So whatever sharing out costs (a worker that has no core, memory that is the bottleneck), all runs
 * together take hardly longer than inline. The first shared runs are slow on workers that have not compiled the system
 * yet: what these lose is a price of admission, of so many nanoseconds once.
 */
export class CostModel {
  #perRow = 0;
  #learned = 0;
  #sharing = false;
  #credit = MAX_CREDIT;
  #tuition = TUITION;
  #lessons = LESSONS;
  #failures = 0;
  #rest = 0;
  #untilProbe = PROBE;
  #unwatched = 0;

  /** Nanoseconds a row on one thread, 0 while unknown. */
  get perRow(): number {
    return this.#perRow;
  }

  /** Whether the last decision was to share out, so that the next is likely to be. */
  get sharing(): boolean {
    return this.#sharing;
  }

  /**
   * Whether rows need be counted for a decision at all: a system that costs next to nothing runs inline for
   * some ticks without.
   */
  get isAwake(): boolean {
    if (this.#unwatched === 0) return true;
    this.#unwatched--;
    return false;
  }

  /** Whether to share out a run of so many rows. */
  decide(rows: number): boolean {
    if (this.#rest > 0) {
      this.#rest--;
      return false;
    }
    const expected = rows * this.#perRow;
    if (this.#learned >= WARM_UP && expected < WORTH_SHARING * TRIFLE) {
      this.#unwatched = expected < WORTH_SHARING * MOTE ? UNWATCHED_MOTE : UNWATCHED;
    }
    this.#sharing =
      this.#learned >= WARM_UP && expected > WORTH_SHARING * (this.#sharing ? HYSTERESIS : 1);
    if (!this.#sharing) return false;
    this.#untilProbe--;
    if (this.#untilProbe > 0) return true;
    this.#untilProbe = PROBE;
    return false;
  }

  /** A run on this thread alone took `duration` nanoseconds. */
  ranInline(rows: number, duration: number): void {
    if (rows === 0) return;
    this.#learned++;
    this.#learn(rows, duration);
  }

  /**
   * A shared run took `busy` nanoseconds on all threads together, and kept the owner's thread for `spent`.
   */
  ranShared(rows: number, busy: number, spent: number): void {
    // Threads that have to wait, for memory or for a core, are busy longer: that says nothing of a run inline.
    if (busy > 0 && (this.#perRow === 0 || busy < rows * this.#perRow)) this.#learn(rows, busy);
    const inline = rows * this.#perRow;
    if (inline === 0) return;
    const loss = this.#afterTuition(spent - inline * TARGET);
    this.#credit = Math.min(this.#credit - loss / inline, MAX_CREDIT);
    if (this.#credit === MAX_CREDIT) this.#failures = 0;
    if (this.#credit < 0) this.#giveUp();
  }

  /** What is left of the nanoseconds lost in a run, when tuition has paid for what it can. */
  #afterTuition(loss: number): number {
    if (this.#lessons === 0) return loss;
    this.#lessons--;
    const paid = Math.min(Math.max(loss, 0), this.#tuition);
    this.#tuition -= paid;
    return loss - paid;
  }

  #giveUp(): void {
    const lost = RETRY_CREDIT - this.#credit;
    this.#rest = Math.min(Math.ceil((lost / REGRET) * 2 ** this.#failures), MAX_REST);
    this.#failures++;
    this.#credit = RETRY_CREDIT;
    this.#sharing = false;
  }

  #learn(rows: number, duration: number): void {
    const known = this.#perRow;
    const measured = duration / rows;
    if (known === 0) this.#perRow = measured;
    else if (measured < known) this.#perRow += (measured - known) * FALL;
    else this.#perRow += (Math.min(measured, known * MAX_RISE) - known) * RISE;
  }
}
