import { ElementKind, FieldKind, type Field } from '../schema/field.js';
import { decodeText, encodeText } from '../schema/text-codec.js';
import { isUuidText, uuidText } from '../schema/uuid-codec.js';
import { isUnit, MAX_F32 } from './number-limits.js';
import type { RepairKind } from './repair-kind.js';

/** Told of each repair, with the value that the field has now. */
export type ReportRepair = (kind: RepairKind, to: unknown) => void;

const ENTITY_IDS = 2 ** 30;

/** The field's default in the form that documents have. */
function plainDefault(field: Field): unknown {
  const { kind, defaults } = field;
  switch (kind) {
    case FieldKind.number:
    case FieldKind.entity:
      return defaults[0] ?? 0;
    case FieldKind.bool:
      return defaults[0] === 1;
    case FieldKind.oneOf:
      return field.choices[defaults[0] ?? 0];
    case FieldKind.text:
      return decodeText(Uint8Array.from(defaults), 0, field.stride);
    case FieldKind.uuid:
      return uuidText(Uint8Array.from(defaults), 0);
    case FieldKind.object:
      return field.fallback;
    default:
      return Array.from(defaults);
  }
}

function isInteger(element: ElementKind): boolean {
  return element !== ElementKind.f32 && element !== ElementKind.f64;
}

/** Heals one number; returns `undefined` where nothing of it can be used. */
function healNumber(field: Field, value: unknown, found: Set<RepairKind>): number | undefined {
  if (typeof value !== 'number') {
    found.add('type');
    return undefined;
  }
  if (!Number.isFinite(value)) {
    found.add('not-finite');
    return undefined;
  }
  const widest = field.element === ElementKind.f32 ? MAX_F32 : Number.MAX_VALUE;
  const min = Math.max(field.min, -widest);
  const max = Math.min(field.max, widest);
  if (value < min || value > max) {
    found.add('clamped');
    return Math.min(Math.max(value, min), max);
  }
  if (isInteger(field.element) && !Number.isInteger(value)) {
    found.add('rounded');
    // a range like 0.5…0.9 has no whole number: the clamped one is as near as there is
    return Math.min(Math.max(Math.round(value), min), max);
  }
  return value;
}

/** The elements of a list or of an object with x, y, z; `undefined` where it is neither. */
function elementsOf(field: Field, value: unknown): ArrayLike<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    return value as unknown as ArrayLike<unknown>;
  }
  const names = Array.from(field.axes);
  const record = value as Record<string, unknown>;
  if (!names.some((name) => Object.hasOwn(record, name))) return undefined;
  const elements = names.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined));
  const opaque = field.kind === FieldKind.color && elements[3] === undefined;
  return opaque ? elements.slice(0, 3) : elements;
}

function healList(
  field: Field,
  value: unknown,
  fallback: readonly number[],
  found: Set<RepairKind>,
): number[] {
  const given = elementsOf(field, value);
  if (given === undefined) {
    found.add('type');
    return Array.from(fallback);
  }
  const opaque = field.kind === FieldKind.color && given.length === 3;
  if (given.length !== field.stride && !opaque) found.add('length');
  const healed: number[] = [];
  for (let i = 0; i < field.stride; i++) {
    const missing = opaque ? 1 : (fallback[i] ?? 0);
    if (i >= given.length) healed.push(missing);
    else if (given[i] === undefined) {
      found.add('missing');
      healed.push(missing);
    } else healed.push(healNumber(field, given[i], found) ?? missing);
  }
  return field.kind === FieldKind.quat ? normalized(healed, fallback, found) : healed;
}

function normalized(quat: number[], fallback: readonly number[], found: Set<RepairKind>): number[] {
  // Scaled first, so that the square of a great number does not overflow.
  const largest = Math.max(...quat.map(Math.abs));
  const scaled = quat.map((element) => element / largest);
  const squared = scaled.reduce((sum, element) => sum + element * element, 0);
  if (isUnit(squared * largest * largest)) return quat;
  found.add('normalized');
  if (!(largest > 0)) return Array.from(fallback);
  const length = Math.sqrt(squared);
  return scaled.map((element) => element / length);
}

function healText(field: Field, value: string, found: Set<RepairKind>): string {
  const bytes = new Uint8Array(field.stride);
  const cut = encodeText(value, bytes, 0, field.stride) < 0;
  const kept = decodeText(bytes, 0, field.stride);
  if (cut) found.add('length');
  else if (kept !== value) found.add('text');
  return kept;
}

function healValue(
  field: Field,
  value: unknown,
  fallback: unknown,
  found: Set<RepairKind>,
): unknown {
  switch (field.kind) {
    case FieldKind.number:
      return healNumber(field, value, found) ?? fallback;
    case FieldKind.bool:
      if (typeof value === 'boolean') return value;
      found.add('type');
      return value === 1 || value === 0 ? value === 1 : fallback;
    case FieldKind.entity:
      if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < ENTITY_IDS)
        return value;
      found.add('type');
      return fallback;
    case FieldKind.oneOf:
      if (typeof value === 'string' && field.choices.includes(value)) return value;
      found.add(typeof value === 'string' ? 'unknown-choice' : 'type');
      return fallback;
    case FieldKind.text:
      if (typeof value === 'string') return healText(field, value, found);
      found.add('type');
      return fallback;
    case FieldKind.uuid:
      if (isUuidText(value)) return value.toLowerCase();
      found.add('type');
      return fallback;
    case FieldKind.object:
      return value;
    default:
      return healList(field, value, fallback as readonly number[], found);
  }
}

/**
 * Makes a legal plain value of one field.
 *
 * @param value - anything; `undefined` where the field is missing
 * @param fallback - a legal plain value to use in place of the field's default, or `undefined`
 * @param report - called once for each kind of repair
 */
export function healField(
  field: Field,
  value: unknown,
  fallback: unknown,
  report: ReportRepair,
): unknown {
  const usual = fallback ?? plainDefault(field);
  if (value === undefined) {
    const copy = Array.isArray(usual) ? Array.from(usual as number[]) : usual;
    if (field.kind !== FieldKind.object) report('missing', copy);
    return copy;
  }
  const found = new Set<RepairKind>();
  const healed = healValue(field, value, usual, found);
  for (const kind of found) report(kind, healed);
  return healed;
}
