import { ElementKind, Field, FieldKind, type FieldOptions } from './field.js';
import type {
  BoolField,
  EntityField,
  F32Field,
  F64Field,
  I16Field,
  I32Field,
  I8Field,
  NumberField,
  NumberOptions,
  U16Field,
  U32Field,
  U8Field,
} from './field-shapes.js';
import { invalidDefault } from './invalid-default.js';

const INTEGER_RANGE: Readonly<Record<number, readonly [number, number]>> = {
  [ElementKind.i8]: [-128, 127],
  [ElementKind.u8]: [0, 255],
  [ElementKind.i16]: [-32_768, 32_767],
  [ElementKind.u16]: [0, 65_535],
  [ElementKind.i32]: [-2_147_483_648, 2_147_483_647],
  [ElementKind.u32]: [0, 4_294_967_295],
};

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
