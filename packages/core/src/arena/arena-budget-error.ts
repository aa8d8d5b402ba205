import { EclipticError } from '../errors/ecliptic-error.js';
import type { ArenaStats } from './arena-stats.js';

/** How many owners the message names. */
const NAMED_OWNERS = 3;

/**
 * An arena has no free run of bytes that is long enough: `core/arena-budget`. A class of its own
 * because callers catch it to shed load (drop a cache, refuse a spawn) and read {@link ArenaBudgetError.stats}.
 */
export class ArenaBudgetError extends EclipticError {
  /** The arena when it was asked. */
  readonly stats: ArenaStats;

  constructor(arena: string, owner: string, requested: number, stats: ArenaStats) {
    const biggest = stats.owners.slice(0, NAMED_OWNERS);
    const holders = biggest.map((held) => `${held.owner} ${held.bytes}`).join(', ') || 'nobody';
    const fragmented = stats.free >= requested;
    super(
      'core/arena-budget',
      `Arena "${arena}" has no ${requested} bytes for "${owner}": ${stats.used} of ${stats.budget} are used, ` +
        `the longest free run is ${stats.largestFree}; held by ${holders}`,
      {
        subjects: { arena, owner, requested, used: stats.used, budget: stats.budget, biggest },
        fix: fragmented
          ? 'Free memory is in pieces: allocate big blocks first, or raise the budget.'
          : 'Raise the budget, or lower the capacity of what holds the most.',
      },
    );
    this.stats = stats;
  }
}
