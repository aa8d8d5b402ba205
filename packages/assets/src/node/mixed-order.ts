/**
 * The same items in an order in which each kind is spread evenly over the whole, and keeps its own order: at every point about
 * the same share of each kind is behind.
 */
export function mixed<T>(items: readonly T[], kindOf: (item: T) => string): T[] {
  const kinds = new Map<string, T[]>();
  for (const item of items) {
    const kind = kindOf(item);
    const same = kinds.get(kind);
    if (same) same.push(item);
    else kinds.set(kind, [item]);
  }
  return [...kinds.values()]
    .flatMap((same) => same.map((item, i) => ({ item, share: i / same.length })))
    .sort((a, b) => a.share - b.share)
    .map(({ item }) => item);
}
