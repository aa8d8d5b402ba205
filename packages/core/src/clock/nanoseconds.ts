/** Times of a {@link Clock} are nanoseconds: how many a second has. */
export const NANOSECONDS_PER_SECOND = 1_000_000_000;

/** How many nanoseconds a millisecond has, the unit of timers and of `performance.now()`. */
export const NANOSECONDS_PER_MILLISECOND = 1_000_000;
