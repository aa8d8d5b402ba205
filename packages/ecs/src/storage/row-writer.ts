import type { FieldSlot } from '../schema/component.js';
import type { ColumnSet } from './columns.js';
import type { ComponentType } from './component-type.js';
import { allowsCode, FEW_ROWS, fieldCode } from './field-code.js';
import type { Heap } from './heap.js';
import { initField, initRow } from './row-values.js';

/** Writes a new row of one component, as `initRow` does. @returns the field whose text was cut, if one was */
export type RowWriter = (
  heap: Heap,
  set: ColumnSet,
  row: number,
  value: object | undefined,
) => FieldSlot | undefined;

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
  const fields = component.fields.map((slot) =>
    fieldCode(
      slot,
      `bases[${slot.index}] + row * ${slot.field.bytes}`,
      '',
      `if (!init(heap, fields[${slot.index}], set, row, v, defaults)) cut = fields[${slot.index}];`,
    ),
  );
  // oxlint-disable-next-line typescript/no-implied-eval -- only where allowed, and of this package's own text
  const make = new Function(
    'fields',
    'init',
    'defaults',
    `return function (heap, set, row, value) {
      let cut, v;
      const { bases } = set;
      ${fields.join('\n')}
      return cut;
    } // ${encodeURIComponent(component.name)}`,
  );
  return make(component.fields, initField, defaults) as RowWriter;
}
