import { EclipticError } from '@ecliptic/core';
import { encodeText } from './text-codec.js';
import { writeUuid } from './uuid-codec.js';
import { ElementKind, Field, FieldKind, type FieldOptions, type FieldTypes } from './field.js';
import type {
  ArrayField,
  BoolField,
  ColorField,
  EntityField,
  F32Field,
  F64Field,
  I16Field,
  I32Field,
  I8Field,
  MatrixField,
  NumberField,
  NumberOptions,
  ObjectField,
  OneOfField,
  QuatField,
  TextField,
  U16Field,
  U32Field,
  U8Field,
  UuidOptions,
  Vec2,
  Vec2Field,
  Vec3,
  Vec3Field,
  Vec4,
  Vec4Field,
} from './field-shapes.js';

const INTEGER_RANGE: Readonly<Record<number, readonly [number, number]>> = {
  [ElementKind.i8]: [-128, 127],
  [ElementKind.u8]: [0, 255],
  [ElementKind.i16]: [-32_768, 32_767],
  [ElementKind.u16]: [0, 65_535],
  [ElementKind.i32]: [-2_147_483_648, 2_147_483_647],
  [ElementKind.u32]: [0, 4_294_967_295],
};

function invalidDefault(what: string, value: unknown, fix: string): EclipticError {
  return new EclipticError('ecs/invalid-default', `${what} can't be a default`, {
    subjects: { value },
    fix,
  });
}

function numberField<Column>(element: ElementKind, options: NumberOptions): NumberField<Column> {
  const range = INTEGER_RANGE[element];
  const min = options.min ?? range?.[0];
  const max = options.max ?? range?.[1];
  const value = options.default ?? (min !== undefined && min > 0 ? min : 0);
  if (Number.isNaN(value) || value < (min ?? -Infinity) || value > (max ?? Infinity)) {
    throw invalidDefault(
      String(value),
      value,
      `Give a default between ${min ?? '-∞'} and ${max ?? '∞'}.`,
    );
  }
  return new Field({
    kind: FieldKind.number,
    element,
    stride: 1,
    defaults: [value],
    min,
    max,
    options,
  });
}

/** A 32-bit float: the usual choice for simulation data. */
export function f32(options: NumberOptions = {}): F32Field {
  return numberField(ElementKind.f32, options);
}

/** A 64-bit float, for what 24 bits of mantissa can't hold: times, large-world coordinates. */
export function f64(options: NumberOptions = {}): F64Field {
  return numberField(ElementKind.f64, options);
}

/** An integer, -128…127. */
export function i8(options: NumberOptions = {}): I8Field {
  return numberField(ElementKind.i8, options);
}

/** An integer, 0…255. */
export function u8(options: NumberOptions = {}): U8Field {
  return numberField(ElementKind.u8, options);
}

/** An integer, -32,768…32,767. */
export function i16(options: NumberOptions = {}): I16Field {
  return numberField(ElementKind.i16, options);
}

/** An integer, 0…65,535. */
export function u16(options: NumberOptions = {}): U16Field {
  return numberField(ElementKind.u16, options);
}

/** An integer, -2³¹…2³¹-1. */
export function i32(options: NumberOptions = {}): I32Field {
  return numberField(ElementKind.i32, options);
}

/** An integer, 0…2³²-1. */
export function u32(options: NumberOptions = {}): U32Field {
  return numberField(ElementKind.u32, options);
}

/** `true` or `false`; the column holds 1 or 0. */
export function bool(options: FieldOptions<boolean> = {}): BoolField {
  return new Field({
    kind: FieldKind.bool,
    element: ElementKind.u8,
    stride: 1,
    defaults: [options.default ? 1 : 0],
    min: 0,
    max: 1,
    options,
  });
}

function floats<Types extends FieldTypes>(
  kind: FieldKind,
  stride: number,
  defaults: readonly number[],
  options: FieldOptions<ArrayLike<number>>,
): Field<Types> {
  const given = options.default === undefined ? defaults : Array.from(options.default);
  if (given.length !== stride || given.some((each) => Number.isNaN(each))) {
    throw invalidDefault(`[${given.join(', ')}]`, given, `Give ${stride} numbers.`);
  }
  return new Field({ kind, element: ElementKind.f32, stride, defaults: given, options });
}

/** Two 32-bit floats, in one column of stride 2. */
export function vec2(options: FieldOptions<Readonly<Vec2>> = {}): Vec2Field {
  return floats(FieldKind.vec2, 2, [0, 0], options);
}

/** Three 32-bit floats, in one column of stride 3. */
export function vec3(options: FieldOptions<Readonly<Vec3>> = {}): Vec3Field {
  return floats(FieldKind.vec3, 3, [0, 0, 0], options);
}

/** Four 32-bit floats, in one column of stride 4. */
export function vec4(options: FieldOptions<Readonly<Vec4>> = {}): Vec4Field {
  return floats(FieldKind.vec4, 4, [0, 0, 0, 0], options);
}

/** A rotation x, y, z, w, by default none: (0, 0, 0, 1). */
export function quat(options: FieldOptions<Readonly<Vec4>> = {}): QuatField {
  return floats(FieldKind.quat, 4, [0, 0, 0, 1], options);
}

/** A 3×3 matrix in column-major order, by default identity. */
export function mat3(options: FieldOptions<ArrayLike<number>> = {}): MatrixField {
  return floats(FieldKind.mat3, 9, [1, 0, 0, 0, 1, 0, 0, 0, 1], options);
}

/** A 4×4 matrix in column-major order, by default identity. */
export function mat4(options: FieldOptions<ArrayLike<number>> = {}): MatrixField {
  return floats(FieldKind.mat4, 16, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], options);
}

/** A linear colour: red, green, blue and alpha, in one column of stride 4. By default opaque white. */
export function color(
  red = 1,
  green = 1,
  blue = 1,
  alpha = 1,
  options: Omit<FieldOptions<never>, 'default'> = {},
): ColorField {
  return floats(FieldKind.color, 4, [red, green, blue, alpha], options);
}

/**
 * A reference to another entity of the scene; `INVALID_ENTITY` by default. It does not keep the entity alive: check with
 * `isAlive`. Placeholder ids of `Commands` written into it become the real ids at flush.
 */
export function entity(options: Omit<FieldOptions<never>, 'default'> = {}): EntityField {
  return new Field({
    kind: FieldKind.entity,
    element: ElementKind.i32,
    stride: 1,
    defaults: [0],
    options,
  });
}

/** A UUID, as text in views and as 16 bytes in the column. By default nil (all zero). */
export function uuid(options: UuidOptions = {}): TextField {
  const bytes = new Uint8Array(16);
  const given = options.default;
  if (given !== undefined && !writeUuid(given, bytes, 0))
    throw invalidDefault(String(options.default), options.default, 'Give a UUID.');
  return new Field({
    kind: FieldKind.uuid,
    element: ElementKind.u8,
    stride: 16,
    defaults: Array.from(bytes),
    asset: options.asset,
    options,
  });
}

/**
 * One of 1 to 256 names; the first is the default. The column holds the position, so adding names at the end keeps
 * saved data valid.
 */
export function oneOf<const Choices extends readonly [string, ...string[]]>(
  ...choices: Choices
): OneOfField<Choices[number]> {
  if (choices.length > 256 || new Set(choices).size !== choices.length) {
    throw new EclipticError('ecs/invalid-field', 'oneOf() takes 1 to 256 different names', {
      subjects: { choices },
      fix: 'Remove the repeated names.',
    });
  }
  return new Field({
    kind: FieldKind.oneOf,
    element: ElementKind.u8,
    stride: 1,
    defaults: [0],
    min: 0,
    max: choices.length - 1,
    choices,
    options: {},
  });
}

/**
 * Text of at most `bytes` bytes of UTF-8, stored in place. What is longer is cut at a code point, and reported.
 *
 * @param bytes - 1…256
 */
export function text(bytes: number, options: FieldOptions<string> = {}): TextField {
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > 256) {
    throw new EclipticError('ecs/invalid-field', `text(${bytes}) is not 1 to 256 bytes`, {
      subjects: { bytes },
      fix: 'Put longer text into an object() field or an asset.',
    });
  }
  const defaults = new Uint8Array(bytes);
  if (encodeText(options.default ?? '', defaults, 0, bytes) < 0) {
    throw invalidDefault(
      'A text longer than its field',
      options.default,
      `It has ${bytes} bytes of UTF-8.`,
    );
  }
  return new Field({
    kind: FieldKind.text,
    element: ElementKind.u8,
    stride: bytes,
    defaults: Array.from(defaults),
    options,
  });
}

/**
 * `length` numbers in place, in one column of that stride.
 *
 * @param element - a number field, as `f32()`; its default is that of every element
 * @param length - 1…256
 */
export function fixedArray<Column>(
  element: NumberField<Column>,
  length: number,
  options: FieldOptions<readonly number[]> = {},
): ArrayField<Column> {
  const bytes = element.bytes * length;
  if (element.kind !== FieldKind.number || !Number.isInteger(length) || length < 1 || bytes > 256) {
    throw new EclipticError('ecs/invalid-field', `fixedArray() of ${length} does not fit`, {
      subjects: { length, bytes },
      fix: 'Use a number field, and at most 256 bytes in all.',
    });
  }
  const defaults = options.default ?? Array<number>(length).fill(element.defaults[0] ?? 0);
  if (defaults.length !== length) {
    throw invalidDefault(`[${defaults.join(', ')}]`, defaults, `Give ${length} numbers.`);
  }
  return new Field({
    kind: FieldKind.array,
    element: element.element,
    stride: length,
    defaults,
    min: element.min,
    max: element.max,
    options,
  });
}

/**
 * A plain JavaScript value, which lives on the simulation thread only: workers, snapshots, kernels and `stateHash` don't see
 * it. For handles of foreign libraries; not for data that a system could read from columns.
 */
export function object<T>(options: FieldOptions<T> = {}): ObjectField<T> {
  return new Field({
    kind: FieldKind.object,
    element: ElementKind.object,
    stride: 1,
    defaults: [],
    fallback: options.default,
    options,
  });
}
