import {
  ArrayView,
  ColorView,
  QuatView,
  Vec2View,
  Vec3View,
  Vec4View,
} from '../views/vector-views.js';
import type { CompositeViewClass } from '../views/view.js';
import { ElementKind, Field, FieldKind, type FieldOptions, type FieldTypes } from './field.js';
import type {
  ColorField,
  MatrixField,
  QuatField,
  Vec2,
  Vec2Field,
  Vec3,
  Vec3Field,
  Vec4,
  Vec4Field,
} from './field-shapes.js';
import { invalidDefault } from './invalid-default.js';

function floats<Types extends FieldTypes>(
  kind: FieldKind,
  Part: CompositeViewClass,
  axes: string,
  defaults: readonly number[],
  options: FieldOptions<ArrayLike<number>>,
): Field<Types> {
  const given = options.default === undefined ? defaults : Array.from(options.default);
  if (given.length !== defaults.length || given.some((each) => Number.isNaN(each))) {
    throw invalidDefault(`[${given.join(', ')}]`, given, `Give ${defaults.length} numbers.`);
  }
  return new Field({
    kind,
    Part,
    axes,
    element: ElementKind.f32,
    stride: given.length,
    defaults: given,
    options,
  });
}

/** Two 32-bit floats, in one column of stride 2. */
export function vec2(options: FieldOptions<Readonly<Vec2>> = {}): Vec2Field {
  return floats(FieldKind.vec2, Vec2View, 'xy', [0, 0], options);
}

/** Three 32-bit floats, in one column of stride 3. */
export function vec3(options: FieldOptions<Readonly<Vec3>> = {}): Vec3Field {
  return floats(FieldKind.vec3, Vec3View, 'xyz', [0, 0, 0], options);
}

/** Four 32-bit floats, in one column of stride 4. */
export function vec4(options: FieldOptions<Readonly<Vec4>> = {}): Vec4Field {
  return floats(FieldKind.vec4, Vec4View, 'xyzw', [0, 0, 0, 0], options);
}

/** A rotation x, y, z, w, by default none: (0, 0, 0, 1). */
export function quat(options: FieldOptions<Readonly<Vec4>> = {}): QuatField {
  return floats(FieldKind.quat, QuatView, 'xyzw', [0, 0, 0, 1], options);
}

/** A 3×3 matrix in column-major order, by default identity. */
export function mat3(options: FieldOptions<ArrayLike<number>> = {}): MatrixField {
  return floats(FieldKind.mat3, ArrayView, '', [1, 0, 0, 0, 1, 0, 0, 0, 1], options);
}

/** A 4×4 matrix in column-major order, by default identity. */
export function mat4(options: FieldOptions<ArrayLike<number>> = {}): MatrixField {
  return floats(
    FieldKind.mat4,
    ArrayView,
    '',
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    options,
  );
}

/** A linear colour: red, green, blue and alpha, in one column of stride 4. By default opaque white. */
export function color(
  red = 1,
  green = 1,
  blue = 1,
  alpha = 1,
  options: Omit<FieldOptions<never>, 'default'> = {},
): ColorField {
  return floats(FieldKind.color, ColorView, 'rgba', [red, green, blue, alpha], options);
}
