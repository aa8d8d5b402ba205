import { ElementKind, FieldKind, type Field } from '../schema/field.js';
import { isCanonicalUuid } from '../schema/uuid-codec.js';
import { fitsText } from '../schema/text-codec.js';
import { isUnit, MAX_F32 } from './number-limits.js';

/**
 * Whether a plain value is one that healing would leave as it is: what saved data nearly always has. Much cheaper than healing, and
 * without an allocation.
 *
 * @param value - anything. A vector must be a list, and a uuid canonical: other forms are legal, and brought to these by healing
 */
export function isHealthyField(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case FieldKind.number:
      return isHealthyNumber(field, value);
    case FieldKind.bool:
      return typeof value === 'boolean';
    case FieldKind.entity:
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 30;
    case FieldKind.oneOf:
      return typeof value === 'string' && field.choices.includes(value);
    case FieldKind.text:
      return typeof value === 'string' && fitsText(value, field.stride);
    case FieldKind.uuid:
      return typeof value === 'string' && isCanonicalUuid(value);
    case FieldKind.object:
      return value !== undefined;
    default:
      return Array.isArray(value) && isHealthyList(field, value);
  }
}

function isHealthyNumber(field: Field, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (value < field.min || value > field.max) return false;
  if (field.element === ElementKind.f32) return value <= MAX_F32 && value >= -MAX_F32;
  return field.element === ElementKind.f64 || Number.isInteger(value);
}

function isHealthyList(field: Field, list: readonly unknown[]): boolean {
  if (list.length !== field.stride) return false;
  for (let i = 0; i < list.length; i++) if (!isHealthyNumber(field, list[i])) return false;
  if (field.kind !== FieldKind.quat) return true;
  const [x, y, z, w] = list as readonly number[] as [number, number, number, number];
  return isUnit(x * x + y * y + z * z + w * w);
}
