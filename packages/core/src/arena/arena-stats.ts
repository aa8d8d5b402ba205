/** What one owner holds. */
export interface ArenaOwner {
  /** As named in `allocate`. */
  readonly owner: string;
  /** Rounding included. */
  readonly bytes: number;
  /** Blocks in use. */
  readonly blocks: number;
}

/** Where an arena's bytes are. `used + free === budget`. */
export interface ArenaStats {
  /** All usable bytes. */
  readonly budget: number;
  /** Bytes in blocks, rounding included. */
  readonly used: number;
  /** Bytes in no block. */
  readonly free: number;
  /** Blocks in use. */
  readonly blocks: number;
  /** The longest free run: the biggest block that could be had now. */
  readonly largestFree: number;
  /** Bytes from the start that were ever in a block: the arena's memory footprint. */
  readonly highWater: number;
  /** The most bytes that were ever used at once. */
  readonly peak: number;
  /** Who holds how much, the biggest first, then by name. */
  readonly owners: readonly ArenaOwner[];
}
