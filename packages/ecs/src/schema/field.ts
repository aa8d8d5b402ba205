import type { CompositeViewClass } from '../views/view.js';
import type { FieldCodec } from './field-codec.js';

/** How a field's elements are stored. Numeric, so that schema tokens hold no strings in hot shapes. */
export const ElementKind = {
  f32: 0,
  f64: 1,
  i8: 2,
  u8: 3,
  i16: 4,
  u16: 5,
  i32: 6,
  u32: 7,
  /** A plain JavaScript value; never in shared memory. */
  object: 8,
} as const;
export type ElementKind = (typeof ElementKind)[keyof typeof ElementKind];

/** Bytes of one element, by {@link ElementKind}. */
export const ELEMENT_BYTES: readonly number[] = [4, 8, 1, 1, 2, 2, 4, 4, 0];

/** What a field means: how views present it and values are checked. */
export const FieldKind = {
  number: 0,
  bool: 1,
  vec2: 2,
  vec3: 3,
  vec4: 4,
  quat: 5,
  mat3: 6,
  mat4: 7,
  color: 8,
  entity: 9,
  uuid: 10,
  oneOf: 11,
  text: 12,
  array: 13,
  object: 14,
} as const;
export type FieldKind = (typeof FieldKind)[keyof typeof FieldKind];

/** The typed array of a numeric column. */
export type NumericColumn =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/** A column that a query may only read. */
export interface ReadonlyColumn<T = number> {
  readonly [index: number]: T;
  readonly length: number;
}

/** The TypeScript side of a field: what goes in, what comes out, in each form. */
export interface FieldTypes {
  /** Plain value, as in documents: `[0, 1, 0]` for a vec3. */
  value: unknown;
  /** What may be assigned: also `{ x, y, z }` or a typed array for a vec3. */
  input: unknown;
  /** What a view's property gives. */
  view: unknown;
  /** What a read-only view's property gives. */
  readonlyView: unknown;
  /** The column. */
  column: unknown;
  readonlyColumn: unknown;
  /** Whether a view's property can be assigned (scalars), or is an object with setters (vectors). */
  assign: boolean;
}

/** Options of every field. */
export interface FieldOptions<Value> {
  /** Value of a field that is not given. */
  readonly default?: Value;
  /** For people: inspectors and generated documentation show it. */
  readonly description?: string;
  /**
   * Derived or bound at run time (a GPU instance, a cached matrix): never written to documents, no part of `stateHash`.
   * Snapshots of the running scene keep it.
   */
  readonly runtime?: boolean;
  /** Name of a field of the same type in this component that gives the default: a presentation pair starts at its live value. */
  readonly defaultFrom?: string;
}

/** Everything that a {@link Field} is made of; use the functions `f32`, `vec3`, … instead. */
export interface FieldDefinition {
  readonly kind: FieldKind;
  readonly element: ElementKind;
  readonly stride: number;
  readonly defaults: readonly number[];
  readonly fallback?: unknown;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly choices?: readonly string[];
  readonly asset?: string | undefined;
  readonly options: FieldOptions<unknown>;
  /** For kinds whose values are neither numbers nor vectors. */
  readonly codec?: FieldCodec;
  /** View of fields of several numbers. */
  readonly Part?: CompositeViewClass;
  /** Names of the numbers in objects that are given for vectors, one letter each. */
  readonly axes?: string;
}

/**
 * Type of one field of a component: how it is stored, its default, its range. Made by `f32`, `vec3`, `entity`, …; the same
 * field may be used in several schemas.
 */
export class Field<out Types extends FieldTypes = FieldTypes> {
  /** Types only; never present at run time. */
  declare readonly types: Types;
  readonly kind: FieldKind;
  readonly element: ElementKind;
  /** Elements a row: 3 for a vec3. */
  readonly stride: number;
  /** Bytes a row; 0 for `object`. */
  readonly bytes: number;
  /** Elements of the default value. */
  readonly defaults: readonly number[];
  /** Default of an `object` field. */
  readonly fallback: unknown;
  /** Least legal element, or -Infinity. */
  readonly min: number;
  /** Greatest legal element, or Infinity. */
  readonly max: number;
  /** Names of a `oneOf` field; the column holds the position. */
  readonly choices: readonly string[];
  /** What kind of asset a `uuid` field refers to, as `mesh`; empty where it refers to none. */
  readonly asset: string;
  readonly description: string;
  /** See {@link FieldOptions.runtime}. */
  readonly runtime: boolean;
  /** See {@link FieldOptions.defaultFrom}; empty where there is none. */
  readonly defaultFrom: string;
  /** See {@link FieldDefinition}. @internal */
  readonly codec: FieldCodec | undefined;
  /** @internal */
  readonly Part: CompositeViewClass | undefined;
  /** @internal */
  readonly axes: string;

  constructor(definition: FieldDefinition) {
    this.kind = definition.kind;
    this.element = definition.element;
    this.stride = definition.stride;
    this.bytes = definition.stride * (ELEMENT_BYTES[definition.element] ?? 0);
    this.defaults = definition.defaults;
    this.fallback = definition.fallback;
    this.min = definition.min ?? -Infinity;
    this.max = definition.max ?? Infinity;
    this.choices = definition.choices ?? [];
    this.asset = definition.asset ?? '';
    this.description = definition.options.description ?? '';
    this.runtime = definition.options.runtime ?? false;
    this.defaultFrom = definition.options.defaultFrom ?? '';
    this.codec = definition.codec;
    this.Part = definition.Part;
    this.axes = definition.axes ?? '';
  }
}
