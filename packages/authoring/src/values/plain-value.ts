import { ElementKind, FieldKind, type Field } from '@ecliptic/ecs';
import { shortestFloat } from './shortest-float.js';

/**
 * A field's value as scene files hold it, from what views show: vectors and the like as lists of numbers. Values of `entity()` and
 * `object()` fields stay as they are.
 *
 * @param exact - leave 32-bit numbers as they are, instead of giving them as few digits as they need
 */
export function plainValue(field: Field, value: unknown, exact: boolean): unknown {
  const short = field.element === ElementKind.f32 && !exact;
  switch (field.kind) {
    case FieldKind.number:
      return short ? shortestFloat(value as number) : value;
    case FieldKind.bool:
    case FieldKind.entity:
    case FieldKind.object:
    case FieldKind.oneOf:
    case FieldKind.text:
    case FieldKind.uuid:
      return value;
    default: {
      const list = (value as { toArray(): number[] }).toArray();
      if (short) for (let i = 0; i < list.length; i++) list[i] = shortestFloat(list[i] as number);
      return list;
    }
  }
}
