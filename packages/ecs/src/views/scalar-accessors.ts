import { ElementKind, FieldKind, type Field } from '../schema/field.js';
import { decodeText, encodeText } from '../schema/text-codec.js';
import { uuidBytes, uuidText } from '../schema/uuid-codec.js';
import type { View } from './view.js';

/** A getter and a setter for a view's prototype. */
export interface Accessor {
  get(this: View): unknown;
  set(this: View, value: never): void;
}

// One source for each element kind, so that the engine's feedback in each stays of one kind. Folding them into one
// makes every view 35 times slower.
const NUMBER: Record<number, (slot: number) => Accessor> = {
  [ElementKind.f32]: (slot) => ({
    get() {
      return (this.$columns[slot] as Float32Array)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as Float32Array)[this.$cursor.row] = value;
    },
  }),
  [ElementKind.f64]: (slot) => ({
    get() {
      return (this.$columns[slot] as Float64Array)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as Float64Array)[this.$cursor.row] = value;
    },
  }),
  [ElementKind.i8]: (slot) => ({
    get() {
      return (this.$columns[slot] as Int8Array)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as Int8Array)[this.$cursor.row] = value;
    },
  }),
  [ElementKind.u8]: (slot) => ({
    get() {
      return (this.$columns[slot] as Uint8Array)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as Uint8Array)[this.$cursor.row] = value;
    },
  }),
  [ElementKind.i16]: (slot) => ({
    get() {
      return (this.$columns[slot] as Int16Array)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as Int16Array)[this.$cursor.row] = value;
    },
  }),
  [ElementKind.u16]: (slot) => ({
    get() {
      return (this.$columns[slot] as Uint16Array)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as Uint16Array)[this.$cursor.row] = value;
    },
  }),
  [ElementKind.i32]: (slot) => ({
    get() {
      return (this.$columns[slot] as Int32Array)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as Int32Array)[this.$cursor.row] = value;
    },
  }),
  [ElementKind.u32]: (slot) => ({
    get() {
      return (this.$columns[slot] as Uint32Array)[this.$cursor.row];
    },
    set(value: number) {
      (this.$columns[slot] as Uint32Array)[this.$cursor.row] = value;
    },
  }),
};

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

function oneOf(slot: number, { choices }: Field): Accessor {
  return {
    get() {
      return choices[(this.$columns[slot] as Uint8Array)[this.$cursor.row] as number];
    },
    set(value: string) {
      const at = choices.indexOf(value);
      if (at >= 0) (this.$columns[slot] as Uint8Array)[this.$cursor.row] = at;
    },
  };
}

function text(slot: number, { stride }: Field): Accessor {
  return {
    get() {
      return decodeText(this.$columns[slot] as Uint8Array, this.$cursor.row * stride, stride);
    },
    set(value: string) {
      encodeText(value, this.$columns[slot] as Uint8Array, this.$cursor.row * stride, stride);
    },
  };
}

function uuid(slot: number): Accessor {
  return {
    get() {
      return uuidText(this.$columns[slot] as Uint8Array, this.$cursor.row * 16);
    },
    set(value: string) {
      const bytes = uuidBytes(value);
      if (bytes) (this.$columns[slot] as Uint8Array).set(bytes, this.$cursor.row * 16);
    },
  };
}

function object(slot: number): Accessor {
  return {
    get() {
      return (this.$columns[slot] as unknown[])[this.$cursor.row];
    },
    set(value: unknown) {
      (this.$columns[slot] as unknown[])[this.$cursor.row] = value;
    },
  };
}

/** The accessor of an assignable field, or `undefined` for composite fields. */
export function scalarAccessor(field: Field, slot: number): Accessor | undefined {
  switch (field.kind) {
    case FieldKind.number:
    case FieldKind.entity:
      return NUMBER[field.element]?.(slot);
    case FieldKind.bool:
      return bool(slot);
    case FieldKind.oneOf:
      return oneOf(slot, field);
    case FieldKind.text:
      return text(slot, field);
    case FieldKind.uuid:
      return uuid(slot);
    case FieldKind.object:
      return object(slot);
    default:
      return undefined;
  }
}
