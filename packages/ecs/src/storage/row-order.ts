import { INDEX_MASK } from '../entities/entity-id.js';

const slotAt = (entities: Int32Array, row: number): number =>
  (entities[row] as number) & INDEX_MASK;

/** Whether rows are in ascending order of slots. */
export function isAscending(entities: Int32Array, from: number, to: number): boolean {
  for (let row = from + 1; row < to; row++) {
    if (slotAt(entities, row) < slotAt(entities, row - 1)) return false;
  }
  return true;
}

/** The lowest slot of some rows. */
export function lowestSlot(entities: Int32Array, from: number, to: number): number {
  let lowest = INDEX_MASK;
  for (let row = from; row < to; row++) lowest = Math.min(lowest, slotAt(entities, row));
  return lowest;
}

/** Numbers of rows, counted from the first of them, by ascending slots. */
export function rowsBySlot(entities: Int32Array, from: number, to: number): Int32Array {
  const order = new Int32Array(to - from);
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order.toSorted((a, b) => slotAt(entities, from + a) - slotAt(entities, from + b));
}

/**
 * Puts rows into another order.
 *
 * @param start - first element of the first row
 * @param width - elements of a row
 * @param order - which row comes where, counted from the first
 */
export function permute<T>(
  array: { [element: number]: T; slice(start: number, end: number): ArrayLike<T> },
  start: number,
  width: number,
  order: Int32Array,
): void {
  const before = array.slice(start, start + order.length * width);
  let target = start;
  for (const row of order) {
    for (let i = 0; i < width; i++) array[target++] = before[row * width + i] as T;
  }
}
