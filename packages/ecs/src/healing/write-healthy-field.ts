import { ElementKind, FieldKind, type Field, type NumericColumn } from '../schema/field.js';
import { writeCanonicalUuid } from '../schema/uuid-codec.js';
import { writeWholeText } from '../schema/text-codec.js';
import { isUnit, MAX_F32 } from './number-limits.js';

/**
 * Writes a plain value into a column, if it is one that healing would leave as it is: what saved data nearly always has. Much cheaper
 * than healing, and without an allocation; for what it refuses there is `healComponent`. Where it refuses, the row holds anything.
 *
 * @param column - of this field, as `createEntities` gives it, or one of its own of the same type
 * @param value - anything. A vector must be a list, and a uuid canonical: other forms are legal, and brought to these by healing. An
 *   `object()` field takes everything but `undefined`
 * @returns whether it was written
 *
 * @example
 * ```ts
 * const { position } = Transform.schema;
 * const column = new Float32Array(3 * rows);
 * if (!writeHealthyField(position, column, row, saved.position)) heal(row);
 * ```
 */
export function writeHealthyField(
  field: Field,
  column: NumericColumn | unknown[],
  row: number,
  value: unknown,
): boolean {
  switch (field.kind) {
    case FieldKind.number:
      return field.element === ElementKind.f32
        ? writeFloat(field, column as Float32Array, row, value)
        : writeNumber(field, column as NumericColumn, row, value);
    case FieldKind.bool:
      if (typeof value !== 'boolean') return false;
      (column as Uint8Array)[row] = value ? 1 : 0;
      return true;
    case FieldKind.entity:
      if (!Number.isInteger(value) || (value as number) < 0 || (value as number) >= 2 ** 30) {
        return false;
      }
      (column as Int32Array)[row] = value as number;
      return true;
    case FieldKind.oneOf: {
      const choice = typeof value === 'string' ? field.choices.indexOf(value) : -1;
      if (choice < 0) return false;
      (column as Uint8Array)[row] = choice;
      return true;
    }
    case FieldKind.text:
      return (
        typeof value === 'string' &&
        writeWholeText(value, column as Uint8Array, row * field.stride, field.stride)
      );
    case FieldKind.uuid:
      return typeof value === 'string' && writeCanonicalUuid(value, column as Uint8Array, row * 16);
    case FieldKind.object:
      if (value === undefined) return false;
      (column as unknown[])[row] = value;
      return true;
    default:
      if (!Array.isArray(value) || value.length !== field.stride) return false;
      return field.element === ElementKind.f32
        ? writeFloats(field, column as Float32Array, row, value)
        : writeNumbers(field, column as NumericColumn, row, value);
  }
}

function writeFloat(field: Field, column: Float32Array, row: number, value: unknown): boolean {
  if (typeof value !== 'number') return false;
  // NaN is in no range.
  if (!(value >= field.min && value <= field.max && value >= -MAX_F32 && value <= MAX_F32)) {
    return false;
  }
  column[row] = value;
  return true;
}

function writeNumber(field: Field, column: NumericColumn, row: number, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (value < field.min || value > field.max) return false;
  if (field.element !== ElementKind.f64 && !Number.isInteger(value)) return false;
  column[row] = value;
  return true;
}

function writeFloats(
  field: Field,
  column: Float32Array,
  row: number,
  list: readonly unknown[],
): boolean {
  const { min, max, stride } = field;
  const low = min > -MAX_F32 ? min : -MAX_F32;
  const high = max < MAX_F32 ? max : MAX_F32;
  const at = row * stride;
  let squared = 0;
  for (let i = 0; i < stride; i++) {
    const value = list[i];
    if (typeof value !== 'number' || !(value >= low && value <= high)) return false;
    column[at + i] = value;
    squared += value * value;
  }
  return field.kind !== FieldKind.quat || isUnit(squared);
}

function writeNumbers(
  field: Field,
  column: NumericColumn,
  row: number,
  list: readonly unknown[],
): boolean {
  const { stride } = field;
  for (let i = 0; i < stride; i++) {
    if (!writeNumber(field, column, row * stride + i, list[i])) return false;
  }
  return true;
}
