import type { EntityId } from '../entities/entity-id.js';
import type {
  ArrayView,
  ColorView,
  QuatView,
  Vec2View,
  Vec3View,
  Vec4View,
} from '../views/vector-views.js';
import type { Field, FieldOptions, FieldTypes, ReadonlyColumn } from './field.js';

/** Two numbers, x and y. */
export type Vec2 = [number, number];
/** Three numbers, x, y and z. */
export type Vec3 = [number, number, number];
/** Four numbers; a quaternion is x, y, z, w. */
export type Vec4 = [number, number, number, number];

/** What a vec2 field takes. */
export type Vec2Input = Readonly<Vec2> | Float32Array | { readonly x: number; readonly y: number };
/** What a vec3 field takes. */
export type Vec3Input =
  | Readonly<Vec3>
  | Float32Array
  | { readonly x: number; readonly y: number; readonly z: number };
/** What a vec4 or quat field takes. */
export type Vec4Input =
  | Readonly<Vec4>
  | Float32Array
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };
/** What a color field takes: linear red, green, blue and, if not 1, alpha. */
export type ColorInput =
  | Readonly<Vec3>
  | Readonly<Vec4>
  | Float32Array
  | { readonly r: number; readonly g: number; readonly b: number; readonly a?: number };

/** A field of one assignable value. */
export interface ScalarTypes<Value, Column> extends FieldTypes {
  value: Value;
  input: Value;
  view: Value;
  readonlyView: Value;
  column: Column;
  readonlyColumn: ReadonlyColumn;
  assign: true;
}

/** A field of several numbers, which a view presents as an object. */
export interface CompositeTypes<Value, Input, View, Column> extends FieldTypes {
  value: Value;
  input: Input;
  view: View;
  readonlyView: Readonly<Omit<View, 'set'>>;
  column: Column;
  readonlyColumn: ReadonlyColumn;
  assign: false;
}

/** A field of a plain JavaScript value. */
export interface ObjectTypes<T> extends FieldTypes {
  value: T;
  input: T;
  view: T;
  readonlyView: T;
  column: T[];
  readonlyColumn: readonly T[];
  assign: true;
}

/** Options of a number field: default 0, range of the type. */
export interface NumberOptions extends FieldOptions<number> {
  /** Least legal value; written values below it are errors in development builds, and healed by healing. */
  readonly min?: number;
  /** Greatest legal value. */
  readonly max?: number;
}

/** Options of a uuid field. */
export interface UuidOptions extends FieldOptions<string> {
  /**
   * What kind of asset it refers to, as `mesh` or `material`; nil refers to none. Scene files are checked by it, and inspectors offer
   * such assets. Absent for other uuids.
   */
  readonly asset?: string;
}

/** A number in a column of that typed array, as `f32()` or `u16()` make it. */
export type NumberField<Column> = Field<ScalarTypes<number, Column>>;
export type F32Field = NumberField<Float32Array>;
export type F64Field = NumberField<Float64Array>;
export type I8Field = NumberField<Int8Array>;
export type U8Field = NumberField<Uint8Array>;
export type I16Field = NumberField<Int16Array>;
export type U16Field = NumberField<Uint16Array>;
export type I32Field = NumberField<Int32Array>;
export type U32Field = NumberField<Uint32Array>;
export type BoolField = Field<ScalarTypes<boolean, Uint8Array>>;
export type Vec2Field = Field<CompositeTypes<Vec2, Vec2Input, Vec2View, Float32Array>>;
export type Vec3Field = Field<CompositeTypes<Vec3, Vec3Input, Vec3View, Float32Array>>;
export type Vec4Field = Field<CompositeTypes<Vec4, Vec4Input, Vec4View, Float32Array>>;
export type QuatField = Field<CompositeTypes<Vec4, Vec4Input, QuatView, Float32Array>>;
export type ColorField = Field<CompositeTypes<Vec4, ColorInput, ColorView, Float32Array>>;
/** A mat3 or mat4. */
export type MatrixField = ArrayField<Float32Array>;
/** Numbers in place, in a column of that typed array. */
export type ArrayField<Column> = Field<
  CompositeTypes<number[], ArrayLike<number>, ArrayView, Column>
>;
export type EntityField = Field<ScalarTypes<EntityId, Int32Array>>;
/** A uuid or text field. */
export type TextField = Field<ScalarTypes<string, Uint8Array>>;
/** A field of one of these names. */
export type OneOfField<Choice extends string> = Field<ScalarTypes<Choice, Uint8Array>>;
export type ObjectField<T> = Field<ObjectTypes<T | undefined>>;
