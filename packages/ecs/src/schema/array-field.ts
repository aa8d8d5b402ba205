import { EclipticError } from '@ecliptic/core';
import { ArrayView } from '../views/vector-views.js';
import { Field, FieldKind, type FieldOptions } from './field.js';
import type { ArrayField, NumberField } from './field-shapes.js';
import { invalidDefault } from './invalid-default.js';

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
    Part: ArrayView,
    element: element.element,
    stride: length,
    defaults,
    min: element.min,
    max: element.max,
    options,
  });
}
