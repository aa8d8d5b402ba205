import type { ComponentType } from './component-type.js';
import { allowsCode, FEW_ROWS, fieldCode } from './field-code.js';
import type { Heap } from './heap.js';
import { packField, packRow, type CutReporter } from './packed-rows.js';

/** Packs a value as a row at a byte of `heap`, as `packRow` does. @returns bit i for each field i that was given */
export type RowPacker = (
  type: ComponentType,
  heap: Heap,
  at: number,
  value: object | undefined,
  onCut: CutReporter,
) => number;

/** The packer that a type begins with. After some rows it puts one in its own place that is made for the component alone, as `firstWriter` does. */
export function firstPacker({ component, mirrors }: ComponentType): RowPacker {
  if (component.packer) return component.packer;
  let rows = mirrors.length === 0 && component.packer === undefined ? 0 : FEW_ROWS;
  return (type, heap, at, value, onCut) => {
    if (++rows === FEW_ROWS) {
      component.packer ??= compilePacker(type);
      if (component.packer) type.pack = component.packer;
    }
    return packRow(type, heap, at, value, onCut);
  };
}

function compilePacker({ component }: ComponentType): RowPacker | null {
  if (!allowsCode()) return null;
  const fields = component.fields.map((slot) =>
    fieldCode(
      slot,
      `at + ${slot.offset}`,
      `mask |= ${1 << slot.index};`,
      `mask |= pack(type, fields[${slot.index}], heap, at, v, onCut);`,
    ),
  );
  // oxlint-disable-next-line typescript/no-implied-eval -- only where allowed, and of this package's own text
  const make = new Function(
    'fields',
    'pack',
    `return function (type, heap, at, value, onCut) {
      let mask = 0, v;
      ${fields.join('\n')}
      return mask;
    } // ${encodeURIComponent(component.name)}`,
  );
  return make(component.fields, packField) as RowPacker;
}
