import type { FieldSlot } from '../schema/component.js';
import { FieldKind } from '../schema/field.js';

/** Rows of a component that are written before it gets code of its own. */
export const FEW_ROWS = 32;

const ARRAYS = ['f32', 'f64', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32'];
const SHIFTS = [2, 3, 0, 0, 1, 1, 2, 2];

/** Whether functions can be made from text at all. */
export function allowsCode(): boolean {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- asks, and does nothing
    return typeof new Function('') === 'function';
  } catch {
    // A policy forbids it, or the engine can't: nothing is wrong.
    return false;
  }
}

/**
 * Text that writes one field of `value` into `heap`: itself, where the value is of the commonest form.
 *
 * @param byte - text of where the field begins, in bytes
 * @param done - what follows then
 * @param other - what is done with the value `v` of any other form, or `undefined`
 */
export function fieldCode(slot: FieldSlot, byte: string, done: string, other: string): string {
  const { name, field, floats, isScalar } = slot;
  const array = `heap.${ARRAYS[field.element]}`;
  const place = `${byte} >>> ${SHIFTS[field.element]}`;
  const read = `v = value === undefined ? undefined : value.${name};`;
  let write = '';
  if (floats > 0) {
    const puts = Array.from({ length: floats }, (_, i) => `array[place + ${i}] = v[${i}];`);
    write = `if (v !== undefined && v.length === ${floats}) {
      const array = ${array}, place = ${place};
      ${puts.join(' ')} ${done}
    } else`;
  } else if (isScalar) {
    const given = field.kind === FieldKind.bool ? 'v ? 1 : 0' : 'v';
    write = `if (v !== undefined) { ${array}[${place}] = ${given}; ${done} } else`;
  }
  return `${read} ${write} ${other}`;
}
