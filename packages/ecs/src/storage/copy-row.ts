/** Copies one field's row by elements: for such few bytes 5 times faster than `copyWithin`. */
export function copyRow(
  u32: Uint32Array,
  u8: Uint8Array,
  from: number,
  to: number,
  bytes: number,
): void {
  if ((bytes & 3) === 0) {
    let source = from >>> 2;
    let target = to >>> 2;
    for (let n = bytes >> 2; n > 0; n--) u32[target++] = u32[source++] as number;
  } else {
    for (let i = 0; i < bytes; i++) u8[to + i] = u8[from + i] as number;
  }
}

/**
 * Moves elements that may overlap. On shared memory `copyWithin` goes byte by byte unless both ends are aligned to 8, which rows that
 * move by one rarely are.
 */
export function slide(
  array: Uint32Array | Uint8Array,
  base: number,
  from: number,
  to: number,
  length: number,
): void {
  const source = base + from;
  const target = base + to;
  if (target > source) {
    for (let i = length - 1; i >= 0; i--) array[target + i] = array[source + i] as number;
  } else {
    for (let i = 0; i < length; i++) array[target + i] = array[source + i] as number;
  }
}
