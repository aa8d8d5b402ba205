import type { FieldSlot } from '../schema/component.js';
import { FieldKind } from '../schema/field.js';
import type { ColumnSet } from './columns.js';
import type { ComponentType } from './component-type.js';
import type { Heap } from './heap.js';
import { initField, initRow } from './row-values.js';

/** Writes a new row of one component, as `initRow` does. @returns the field whose text was cut, if one was */
export type RowWriter = (
  heap: Heap,
  set: ColumnSet,
  row: number,
  value: object | undefined,
) => FieldSlot | undefined;

/** Rows that are written before a component gets code of its own. */
const FEW_ROWS = 32;

const ARRAYS = ['f32', 'f64', 'i8', 'u8', 'i16', 'u16', 'i32', 'u32'];
const SHIFTS = [2, 3, 0, 0, 1, 1, 2, 2];

/**
 * The writer that a type begins with. After some rows it puts another in its own place: one that is made for the component alone, from text. The
 * engine then sees each field by its name, and the values that this very component is given. Where no code may be made from text, it stays.
 */
export function firstWriter(type: ComponentType): RowWriter {
  const { component, mirrors } = type;
  if (component.writer) return component.writer;
  let rows = mirrors.length === 0 && component.writer === undefined ? 0 : FEW_ROWS;
  return (heap, set, row, value) => {
    if (++rows === FEW_ROWS) {
      component.writer ??= compileWriter(type);
      if (component.writer) type.write = component.writer;
    }
    return initRow(heap, type, set, row, value);
  };
}

/** The name is in the text because the engine knows functions by that. */
function compileWriter({ component, defaults }: ComponentType): RowWriter | null {
  if (!allowsCode()) return null;
  // oxlint-disable-next-line typescript/no-implied-eval -- only where allowed, and of this package's own text
  const make = new Function(
    'fields',
    'init',
    'defaults',
    `return function (heap, set, row, value) {
      let cut, v, at;
      const { bases } = set;
      ${component.fields.map(fieldText).join('\n')}
      return cut;
    } // ${encodeURIComponent(component.name)}`,
  );
  return make(component.fields, initField, defaults) as RowWriter;
}

/** Whether functions can be made from text at all. */
function allowsCode(): boolean {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- asks, and does nothing
    return typeof new Function('') === 'function';
  } catch {
    // A policy forbids it, or the engine can't: nothing is wrong.
    return false;
  }
}

/** Writes one field; itself, where the value is of the commonest form. */
function fieldText({ name, field, index, floats, isScalar }: FieldSlot): string {
  const array = `heap.${ARRAYS[field.element]}`;
  const place = `bases[${index}] + row * ${field.bytes} >>> ${SHIFTS[field.element]}`;
  const read = `v = value === undefined ? undefined : value.${name};`;
  let write = '';
  if (floats > 0) {
    const puts = Array.from({ length: floats }, (_, i) => `array[at + ${i}] = v[${i}];`);
    write = `if (v !== undefined && v.length === ${floats}) {
      const array = ${array};
      at = ${place};
      ${puts.join(' ')}
    } else`;
  } else if (isScalar) {
    const given = field.kind === FieldKind.bool ? 'v ? 1 : 0' : 'v';
    write = `if (v !== undefined) ${array}[${place}] = ${given}; else`;
  }
  return `${read} ${write} if (!init(heap, fields[${index}], set, row, v, defaults)) cut = fields[${index}];`;
}
