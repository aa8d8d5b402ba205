import { INDEX_MASK } from '../entities/entity-id.js';
import { level, spread } from './chunk-versions.js';
import { slide } from './copy-row.js';
import type { StorageContext } from './storage-context.js';
import type { Table } from './table.js';

const slotAt = (entities: Int32Array, row: number): number =>
  (entities[row] as number) & INDEX_MASK;

/** Keeps the rows of a table in ascending order of slots, dense: whatever comes or goes moves the rows behind it. */
export class RowOrder {
  readonly #table: Table;
  readonly #context: StorageContext;
  /** Row of each slot, kept in step. */
  readonly #rows: Int32Array;

  constructor(table: Table, context: StorageContext, rows: Int32Array) {
    this.#table = table;
    this.#context = context;
    this.#rows = rows;
  }

  /** Makes room for a slot among the first `count` rows. @returns its row */
  makeRoom(slot: number, count: number): number {
    const { entities } = this.#table;
    if (count === 0 || slotAt(entities, count - 1) < slot) return count;
    const row = this.#place(slot, count);
    this.shift(row, row + 1, count - row);
    return row;
  }

  /** Moves `count` rows by one. */
  shift(from: number, to: number, count: number): void {
    const { heap, counters } = this.#context;
    const { entitiesBase, flatBases, flatBytes, objectLists, sets } = this.#table;
    counters.rowShifts += count;
    slide(heap.u32, entitiesBase >>> 2, from, to, count);
    this.#index(to, to + count);
    for (let f = 0; f < flatBytes.length; f++) {
      const bytes = flatBytes[f] as number;
      const base = flatBases[f] as number;
      if ((bytes & 3) === 0) {
        const words = bytes >> 2;
        slide(heap.u32, base >>> 2, from * words, to * words, count * words);
      } else slide(heap.u8, base, from * bytes, to * bytes, count * bytes);
    }
    for (const list of objectLists) list.copyWithin(to, from, from + count);
    for (const { chunks } of sets) if (chunks) spread(chunks, from, to, count);
  }

  /** Puts the rows from `first` on where their slots belong. */
  sort(first: number): void {
    const { count, entities, entitiesBase, flatBases, flatBytes, objectLists, sets } = this.#table;
    if (isAscending(entities, Math.max(0, first - 1), count)) return;
    const from = this.#place(lowestSlot(entities, first, count), first);
    const order = rowsBySlot(entities, from, count);
    const { heap, counters } = this.#context;
    counters.rowShifts += first - from;
    permute(heap.u32, (entitiesBase >>> 2) + from, 1, order);
    this.#index(from, count);
    for (let f = 0; f < flatBytes.length; f++) {
      const bytes = flatBytes[f] as number;
      const base = (flatBases[f] as number) + from * bytes;
      if ((bytes & 3) === 0) permute(heap.u32, base >>> 2, bytes >> 2, order);
      else permute(heap.u8, base, bytes, order);
    }
    for (const list of objectLists) permute(list, from, 1, order);
    for (const { chunks } of sets) if (chunks) level(chunks, from, count);
  }

  /** Notes where slots are now. */
  #index(from: number, to: number): void {
    const { entities } = this.#table;
    for (let row = from; row < to; row++) this.#rows[slotAt(entities, row)] = row;
  }

  /** Binary search for the row of a slot among the first `count`. */
  #place(slot: number, count: number): number {
    const { entities } = this.#table;
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (slotAt(entities, middle) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether rows are in ascending order of slots. */
function isAscending(entities: Int32Array, from: number, to: number): boolean {
  for (let row = from + 1; row < to; row++) {
    if (slotAt(entities, row) < slotAt(entities, row - 1)) return false;
  }
  return true;
}

/** The lowest slot of some rows. */
function lowestSlot(entities: Int32Array, from: number, to: number): number {
  let lowest = INDEX_MASK;
  for (let row = from; row < to; row++) lowest = Math.min(lowest, slotAt(entities, row));
  return lowest;
}

/** Numbers of rows, counted from the first of them, by ascending slots. */
function rowsBySlot(entities: Int32Array, from: number, to: number): Int32Array {
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
function permute<T>(
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
