import type { FieldSlot } from '../schema/component.js';
import { FieldKind } from '../schema/field.js';
import type { ColumnSet } from './columns.js';
import type { ComponentType } from './component-type.js';
import { copyRow } from './copy-row.js';
import { readField, writeField } from './field-values.js';
import type { Heap } from './heap.js';
import { writePackedField } from './packed-rows.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * Writes a row of columns: the defaults, then what is given, then copies for fields that mirror another and are not given.
 *
 * @returns the field whose text was cut, if one was
 */
export function initRow(
  heap: Heap,
  type: ComponentType,
  set: ColumnSet,
  row: number,
  value: object | undefined,
): FieldSlot | undefined {
  const { fields, mirrors } = type;
  let cut: FieldSlot | undefined;
  for (let i = 0; i < fields.length; i++) {
    const slot = fields[i] as FieldSlot;
    const given = value === undefined ? undefined : (value as Values)[slot.name];
    if (!initField(heap, slot, set, row, given, type.defaults)) cut = slot;
  }
  if (value === undefined || mirrors.length === 0) return cut;
  for (const slot of mirrors) {
    if ((value as Values)[slot.name] !== undefined) continue;
    const source = fields[slot.mirrors] as FieldSlot;
    const from = set.fieldAt(source.index, row, source.field);
    const to = set.fieldAt(slot.index, row, slot.field);
    copyRow(heap.u32, heap.u8, from, to, slot.field.bytes);
  }
  return cut;
}

/**
 * Writes one field of a new row: its default, and what is given.
 *
 * @param defaults - a packed row
 * @returns false when a text was cut
 */
export function initField(
  heap: Heap,
  slot: FieldSlot,
  set: ColumnSet,
  row: number,
  given: unknown,
  defaults: Heap,
): boolean {
  if (given === undefined) {
    writePackedField(heap, slot, set, row, defaults, 0);
    return true;
  }
  // Such values may leave a part of the field as it was.
  if (!isWhole(slot, given)) writePackedField(heap, slot, set, row, defaults, 0);
  return writeGiven(heap, slot, set, row, given);
}

/** Whether a value replaces all of a field. */
function isWhole({ isScalar, floats }: FieldSlot, given: unknown): boolean {
  if (floats === 0) return isScalar;
  const { length } = given as ArrayLike<number>;
  return length === undefined || length >= floats;
}

/** Copies a row into the `rows - 1` rows behind it. */
export function repeatRow(
  heap: Heap,
  type: ComponentType,
  set: ColumnSet,
  row: number,
  rows: number,
): void {
  for (const { field, index, words } of type.fields) {
    if (field.kind === FieldKind.object) {
      const list = set.list[index] as unknown[];
      for (let i = row + 1; i < row + rows; i++) list[i] = list[row];
      continue;
    }
    const at = set.fieldAt(index, row, field);
    if (words > 0) repeat(heap.u32, at >>> 2, words, rows);
    else repeat(heap.u8, at, field.bytes, rows);
  }
}

function repeat(array: Uint32Array | Uint8Array, at: number, width: number, times: number): void {
  const first = array[at] as number;
  if (array.subarray(at, at + width).every((element) => element === first)) {
    array.fill(first, at, at + width * times);
    return;
  }
  const end = at + width * times;
  for (let i = at + width; i < end; i++) array[i] = array[i - width] as number;
}

/** The plain value of a row; `object()` fields are left out. Allocates. */
export function readRow(
  heap: Heap,
  type: ComponentType,
  set: ColumnSet,
  row: number,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const { name, field, index } of type.fields) {
    if (field.kind !== FieldKind.object) {
      value[name] = readField(heap, field, set.fieldAt(index, row, field));
    }
  }
  return value;
}

/** Writes the given fields of a row. @returns the field whose text was cut, if one was */
export function updateRow(
  heap: Heap,
  type: ComponentType,
  set: ColumnSet,
  row: number,
  value: object,
): FieldSlot | undefined {
  let cut: FieldSlot | undefined;
  const { fields } = type;
  for (let i = 0; i < fields.length; i++) {
    const slot = fields[i] as FieldSlot;
    const given = (value as Values)[slot.name];
    if (given === undefined) continue;
    if (!writeGiven(heap, slot, set, row, given)) cut = slot;
  }
  return cut;
}

/** @returns false when a text was cut */
function writeGiven(
  heap: Heap,
  slot: FieldSlot,
  set: ColumnSet,
  row: number,
  given: unknown,
): boolean {
  const { field, index } = slot;
  if (field.kind !== FieldKind.object) {
    return writeField(heap, field, set.fieldAt(index, row, field), given);
  }
  (set.list[index] as unknown[])[row] = given;
  return true;
}

/** The given `object()` fields alone. Allocates. */
export function objectsOf(type: ComponentType, value: object): object {
  const objects: Record<string, unknown> = {};
  for (const { name, field } of type.fields) {
    if (field.kind === FieldKind.object) objects[name] = (value as Values)[name];
  }
  return objects;
}

/** Writes the given `object()` fields of a row. */
export function writeObjects(
  type: ComponentType,
  set: ColumnSet,
  row: number,
  value: object,
): void {
  for (const { name, field, index } of type.fields) {
    const given = (value as Values)[name];
    if (field.kind === FieldKind.object && given !== undefined) {
      (set.list[index] as unknown[])[row] = given;
    }
  }
}
