/**
 * Random numbers from a seed, the same on any machine.
 *
 * @returns a function that gives the next one, from 0 up to but without 1
 */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One of the orders in which `systems` may run one after the other.
 *
 * @param systems - by number
 * @param runsBefore - for each number those that must come later
 */
export function randomLegalOrder(
  systems: readonly number[],
  runsBefore: readonly ReadonlySet<number>[],
  random: () => number,
): number[] {
  const left = new Set(systems);
  const order: number[] = [];
  while (left.size > 0) {
    const free = [...left].filter((candidate) =>
      [...left].every((other) => !runsBefore[other]?.has(candidate)),
    );
    const next = free[Math.floor(random() * free.length)];
    if (next === undefined) throw new Error('randomLegalOrder needs an order without cycles');
    left.delete(next);
    order.push(next);
  }
  return order;
}
