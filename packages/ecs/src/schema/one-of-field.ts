import { EclipticError } from '@ecliptic/core';
import { ElementKind, Field, FieldKind } from './field.js';
import type { FieldCodec } from './field-codec.js';
import type { OneOfField } from './field-shapes.js';

const codec: FieldCodec = {
  write(heap, { choices }, at, value) {
    const choice = choices.indexOf(value as string);
    if (choice >= 0) heap.u8[at] = choice;
    return true;
  },
  read: (heap, { choices }, at) => choices[heap.u8[at] ?? 0],
  problem: ({ choices }, value) =>
    choices.includes(value as string)
      ? undefined
      : `${JSON.stringify(value)} is none of ${choices.join(', ')}`,
  accessor: (slot, { choices }) => ({
    get() {
      return choices[(this.$columns[slot] as Uint8Array)[this.$cursor.row] as number];
    },
    set(value: string) {
      const at = choices.indexOf(value);
      if (at >= 0) (this.$columns[slot] as Uint8Array)[this.$cursor.row] = at;
    },
  }),
};

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
    codec,
    element: ElementKind.u8,
    stride: 1,
    defaults: [0],
    min: 0,
    max: choices.length - 1,
    choices,
    options: {},
  });
}
