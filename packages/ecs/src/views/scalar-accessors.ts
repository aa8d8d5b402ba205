import { ElementKind, FieldKind, type Field } from '../schema/field.js';
import type { NumberList, View } from './view.js';

/** A getter and a setter for a view's prototype. */
export interface Accessor {
  get(this: View): unknown;
  set(this: View, value: never): void;
}

/** Accessors by ordinal among the scalar fields. */
type Accessors = readonly Accessor[];

// One source for each element kind and each place, so that the engine's feedback in each stays of one kind and every column is
// a property of its own. Folding the kinds makes every view 35 times slower, folding the places 4 times. The same on purpose.
// prettier-ignore
const NUMBER: Readonly<Record<number, Accessors>> = {
  [ElementKind.f32]: [
    { get() { return (this.$s0 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s0 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s1 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s1 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s2 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s2 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s3 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s3 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s4 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s4 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s5 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s5 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s6 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s6 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s7 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s7 as NumberList)[this.$cursor.row] = v; } },
  ],
  [ElementKind.f64]: [
    { get() { return (this.$s0 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s0 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s1 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s1 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s2 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s2 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s3 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s3 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s4 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s4 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s5 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s5 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s6 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s6 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s7 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s7 as NumberList)[this.$cursor.row] = v; } },
  ],
  [ElementKind.i8]: [
    { get() { return (this.$s0 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s0 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s1 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s1 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s2 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s2 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s3 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s3 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s4 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s4 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s5 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s5 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s6 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s6 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s7 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s7 as NumberList)[this.$cursor.row] = v; } },
  ],
  [ElementKind.u8]: [
    { get() { return (this.$s0 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s0 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s1 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s1 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s2 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s2 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s3 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s3 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s4 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s4 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s5 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s5 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s6 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s6 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s7 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s7 as NumberList)[this.$cursor.row] = v; } },
  ],
  [ElementKind.i16]: [
    { get() { return (this.$s0 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s0 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s1 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s1 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s2 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s2 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s3 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s3 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s4 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s4 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s5 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s5 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s6 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s6 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s7 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s7 as NumberList)[this.$cursor.row] = v; } },
  ],
  [ElementKind.u16]: [
    { get() { return (this.$s0 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s0 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s1 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s1 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s2 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s2 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s3 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s3 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s4 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s4 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s5 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s5 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s6 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s6 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s7 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s7 as NumberList)[this.$cursor.row] = v; } },
  ],
  [ElementKind.i32]: [
    { get() { return (this.$s0 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s0 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s1 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s1 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s2 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s2 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s3 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s3 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s4 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s4 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s5 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s5 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s6 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s6 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s7 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s7 as NumberList)[this.$cursor.row] = v; } },
  ],
  [ElementKind.u32]: [
    { get() { return (this.$s0 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s0 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s1 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s1 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s2 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s2 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s3 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s3 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s4 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s4 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s5 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s5 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s6 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s6 as NumberList)[this.$cursor.row] = v; } },
    { get() { return (this.$s7 as NumberList)[this.$cursor.row]; }, set(v: number) { (this.$s7 as NumberList)[this.$cursor.row] = v; } },
  ],
};

// prettier-ignore
const BOOL: Accessors = [
  { get() { return (this.$s0 as NumberList)[this.$cursor.row] !== 0; }, set(v: boolean) { (this.$s0 as NumberList)[this.$cursor.row] = v ? 1 : 0; } },
  { get() { return (this.$s1 as NumberList)[this.$cursor.row] !== 0; }, set(v: boolean) { (this.$s1 as NumberList)[this.$cursor.row] = v ? 1 : 0; } },
  { get() { return (this.$s2 as NumberList)[this.$cursor.row] !== 0; }, set(v: boolean) { (this.$s2 as NumberList)[this.$cursor.row] = v ? 1 : 0; } },
  { get() { return (this.$s3 as NumberList)[this.$cursor.row] !== 0; }, set(v: boolean) { (this.$s3 as NumberList)[this.$cursor.row] = v ? 1 : 0; } },
  { get() { return (this.$s4 as NumberList)[this.$cursor.row] !== 0; }, set(v: boolean) { (this.$s4 as NumberList)[this.$cursor.row] = v ? 1 : 0; } },
  { get() { return (this.$s5 as NumberList)[this.$cursor.row] !== 0; }, set(v: boolean) { (this.$s5 as NumberList)[this.$cursor.row] = v ? 1 : 0; } },
  { get() { return (this.$s6 as NumberList)[this.$cursor.row] !== 0; }, set(v: boolean) { (this.$s6 as NumberList)[this.$cursor.row] = v ? 1 : 0; } },
  { get() { return (this.$s7 as NumberList)[this.$cursor.row] !== 0; }, set(v: boolean) { (this.$s7 as NumberList)[this.$cursor.row] = v ? 1 : 0; } },
];

/** Getters of composite fields by ordinal among them. */
// prettier-ignore
export const PART_GETTERS: readonly ((this: View) => unknown)[] = [
  function () { return this.$p0; },
  function () { return this.$p1; },
  function () { return this.$p2; },
  function () { return this.$p3; },
  function () { return this.$p4; },
  function () { return this.$p5; },
  function () { return this.$p6; },
  function () { return this.$p7; },
];

/** For fields beyond the first eight scalars. */
function number(slot: number): Accessor {
  return {
    get() {
      return (this.$columns[slot] as NumberList)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as NumberList)[this.$cursor.row] = value;
    },
  };
}

function bool(slot: number): Accessor {
  return {
    get() {
      return (this.$columns[slot] as Uint8Array)[this.$cursor.row] !== 0;
    },
    set(value: boolean) {
      (this.$columns[slot] as Uint8Array)[this.$cursor.row] = value ? 1 : 0;
    },
  };
}

/**
 * The accessor of an assignable field, or `undefined` for composite fields.
 *
 * @param slot - index of the field
 * @param ordinal - among the scalar fields
 */
export function scalarAccessor(field: Field, slot: number, ordinal: number): Accessor | undefined {
  if (field.codec) return field.codec.accessor(slot, field);
  if (field.Part) return undefined;
  if (field.kind === FieldKind.bool) return BOOL[ordinal] ?? bool(slot);
  return NUMBER[field.element]?.[ordinal] ?? number(slot);
}
