/** Least size of a page of memory on any platform. */
const PAGE_BYTES = 4_096;

/**
 * Writes to each page of a range, and changes nothing. Platforms hand memory out at its first touch, page by page, for microseconds
 * each: better now than in a frame.
 */
export function touchPages(bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at += PAGE_BYTES) Atomics.add(bytes, at, 0);
}
