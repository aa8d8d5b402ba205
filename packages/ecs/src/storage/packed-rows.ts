import type { FieldSlot } from '../schema/component.js';
import { FieldKind } from '../schema/field.js';
import type { ColumnSet } from './columns.js';
import type { ComponentType } from './component-type.js';
import { copyRow } from './copy-row.js';
import { readField, writeField } from './field-values.js';
import type { Heap } from './heap.js';

type Values = Readonly<Record<string, unknown>>;

/** Told of a text that was too long for its field. */
export type CutReporter = (type: ComponentType, cut: FieldSlot) => void;

/**
 * Copies a packed row, as commands carry it, into columns.
 *
 * @param mask - bit i for field i: which fields to copy; -1 for all
 */
export function writePacked(
  heap: Heap,
  type: ComponentType,
  set: ColumnSet,
  row: number,
  from: Heap,
  at: number,
  mask: number,
): void {
  const { fields } = type;
  for (let i = 0; i < fields.length; i++) {
    if ((mask & (1 << i)) !== 0) {
      writePackedField(heap, fields[i] as FieldSlot, set, row, from, at);
    }
  }
}

/**
 * Copies packed rows that lie at even distances into columns, from `row` on; of a component without `object()` fields.
 *
 * @param stride - bytes from one to the next, a multiple of 8
 */
export function writePackedRows(
  heap: Heap,
  { fields }: ComponentType,
  set: ColumnSet,
  row: number,
  rows: number,
  from: Heap,
  at: number,
  stride: number,
): void {
  for (const { field, index, offset, words } of fields) {
    const to = set.fieldAt(index, row, field);
    if (words > 0) {
      gather(heap.u32, to >>> 2, words, rows, from.u32, (at + offset) >>> 2, stride >>> 2);
    } else gather(heap.u8, to, field.bytes, rows, from.u8, at + offset, stride);
  }
}

function gather(
  array: Uint32Array | Uint8Array,
  to: number,
  width: number,
  rows: number,
  from: Uint32Array | Uint8Array,
  at: number,
  stride: number,
): void {
  let target = to;
  for (let row = 0; row < rows; row++) {
    const source = at + row * stride;
    for (let i = 0; i < width; i++) array[target++] = from[source + i] as number;
  }
}

/** Copies one field of a packed row; an `object()` field, which those don't have, becomes its default. */
export function writePackedField(
  heap: Heap,
  { field, index, offset, words }: FieldSlot,
  set: ColumnSet,
  row: number,
  from: Heap,
  at: number,
): void {
  const to = (set.bases[index] as number) + row * field.bytes;
  if (words > 0) {
    let source = (at + offset) >>> 2;
    let target = to >>> 2;
    for (let n = words; n > 0; n--) heap.u32[target++] = from.u32[source++] as number;
  } else if (field.kind === FieldKind.object) {
    (set.list[index] as unknown[])[row] = field.fallback;
  } else {
    for (let b = 0; b < field.bytes; b++) heap.u8[to + b] = from.u8[at + offset + b] as number;
  }
}

/** The plain value of a packed row; `object()` fields are left out. Allocates. */
export function readPacked(type: ComponentType, heap: Heap, at: number): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const { name, field, offset } of type.fields) {
    if (field.kind !== FieldKind.object) value[name] = readField(heap, field, at + offset);
  }
  return value;
}

/**
 * Packs a value as a row: the defaults, then what is given, then copies for fields that mirror another and are not given.
 *
 * @param onCut - told where a text was too long
 * @returns bit i for each field i that was given
 */
export function packRow(
  type: ComponentType,
  heap: Heap,
  at: number,
  value: object | undefined,
  onCut: CutReporter,
): number {
  const { fields } = type;
  let mask = 0;
  for (let i = 0; i < fields.length; i++) {
    const slot = fields[i] as FieldSlot;
    const given = value === undefined ? undefined : (value as Values)[slot.name];
    mask |= packField(type, slot, heap, at, given, onCut);
  }
  if (value === undefined) return mask;
  for (const slot of type.mirrors) {
    if ((mask & (1 << slot.index)) !== 0) continue;
    const from = at + (fields[slot.mirrors] as FieldSlot).offset;
    copyRow(heap.u32, heap.u8, from, at + slot.offset, slot.field.bytes);
  }
  return mask;
}

/**
 * Packs one field of a row: its default, and what is given.
 *
 * @param at - where the row begins
 * @returns the bit of the field, if it was given
 */
export function packField(
  type: ComponentType,
  slot: FieldSlot,
  heap: Heap,
  at: number,
  given: unknown,
  onCut: CutReporter,
): number {
  const { field, index, offset } = slot;
  const { defaults } = type;
  for (let b = offset; b < offset + field.bytes; b++) heap.u8[at + b] = defaults.u8[b] as number;
  if (given === undefined) return 0;
  if (!writeField(heap, field, at + offset, given)) onCut(type, slot);
  return 1 << index;
}
