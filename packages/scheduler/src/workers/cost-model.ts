/** Nanoseconds of serial work from which sharing it out pays, with workers that are awake. */
const WORTH_SHARING = 150_000;
/** Shared out work that shrinks below this part of it is run inline again. */
const HYSTERESIS = 0.6;
/** Weight of the newest measurement. */
const WEIGHT = 0.2;
/** Runs in a row that were no faster than inline, after which sharing out is given up for a while. */
const MAX_LOSSES = 6;
/** Runs until it is tried again. */
const PENALTY = 240;

/** Work below this part of what is worth sharing is looked at only now and then. */
const TRIFLE = 0.25;
/** Runs without a look. */
const REST = 15;

/**
 * Decides by measured cost whether a system's rows are shared out among threads or run inline: never where
 * it would be slower. Knows nothing at first, so a system begins inline.
 */
export class CostModel {
  #perRow = 0;
  #sharing = false;
  #losses = 0;
  #penalty = 0;
  #rest = 0;

  /** Nanoseconds a row, 0 while unknown. */
  get perRow(): number {
    return this.#perRow;
  }

  /**
   * Whether rows need be counted for a decision at all: a system that costs next to nothing runs inline for
   * some ticks without.
   */
  get isAwake(): boolean {
    if (this.#rest === 0) return true;
    this.#rest--;
    return false;
  }

  /** Whether to share out a run of so many rows. */
  decide(rows: number): boolean {
    if (this.#penalty > 0) {
      this.#penalty--;
      return false;
    }
    const expected = rows * this.#perRow;
    if (this.#perRow > 0 && expected < WORTH_SHARING * TRIFLE) this.#rest = REST;
    this.#sharing = expected > WORTH_SHARING * (this.#sharing ? HYSTERESIS : 1);
    return this.#sharing;
  }

  /** A run on this thread alone took `duration` nanoseconds. */
  ranInline(rows: number, duration: number): void {
    this.#learn(rows, duration);
  }

  /**
   * A shared run took `busy` nanoseconds on all threads together, and kept the owner for `waited`.
   */
  ranShared(rows: number, busy: number, waited: number): void {
    const before = this.#perRow * rows;
    this.#learn(rows, busy);
    // Threads that fight for memory make each other slow: what counts is what it took before.
    const serial = before > 0 ? Math.min(before, busy) : busy;
    this.#losses = waited > serial * 0.95 ? this.#losses + 1 : 0;
    if (this.#losses < MAX_LOSSES) return;
    this.#losses = 0;
    this.#sharing = false;
    this.#penalty = PENALTY;
  }

  #learn(rows: number, duration: number): void {
    if (rows === 0) return;
    const measured = duration / rows;
    this.#perRow =
      this.#perRow === 0 ? measured : this.#perRow + (measured - this.#perRow) * WEIGHT;
  }
}
