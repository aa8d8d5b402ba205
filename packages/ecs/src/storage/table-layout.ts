import { FieldKind } from '../schema/field.js';
import { chunksOf } from './chunk-versions.js';
import { makeColumn } from './field-values.js';
import type { Heap } from './heap.js';
import type { Table } from './table.js';

/** Columns begin at multiples of it, in bytes. */
const COLUMN_ALIGNMENT = 32;

/** Bytes between columns, so that the same row of two columns never differs by a multiple of 4 KiB: the processor takes those for one. */
const STAGGER = 320;

/** Bytes that a column takes, the space behind it included. */
const columnBytes = (rows: number, rowBytes: number): number =>
  Math.ceil((rows * rowBytes) / COLUMN_ALIGNMENT) * COLUMN_ALIGNMENT + STAGGER;

/** Bytes that a table of so many rows takes: ids of entities, then the columns. */
export function tableBytes({ flatBytes }: Table, capacity: number): number {
  return flatBytes.reduce(
    (sum, bytes) => sum + columnBytes(capacity, bytes),
    columnBytes(capacity, 4),
  );
}

/** Moves a table's rows to another place of the arena, with room for `capacity` of them. */
export function moveColumns(table: Table, heap: Heap, place: number, capacity: number): void {
  let at = place;
  const move = (from: number, rowBytes: number): number => {
    const to = at;
    heap.u8.copyWithin(to, from, from + table.count * rowBytes);
    at += columnBytes(capacity, rowBytes);
    return to;
  };
  table.entitiesBase = move(table.entitiesBase, 4);
  table.entities = new Int32Array(heap.buffer, table.entitiesBase, capacity);
  let flat = 0;
  for (const set of table.sets) {
    for (const { field, index, name } of set.component.fields) {
      if (field.kind === FieldKind.object) continue;
      const base = move(table.flatBases[flat] as number, field.bytes);
      table.flatBases[flat++] = base;
      set.replace(index, name, makeColumn(heap.buffer, field, base, capacity), base);
    }
    if (set.chunks) {
      const chunks = new Float64Array(chunksOf(capacity));
      chunks.set(set.chunks);
      set.chunks = chunks;
    }
  }
}
