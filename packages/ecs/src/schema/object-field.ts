import { ElementKind, Field, FieldKind, type FieldOptions } from './field.js';
import type { FieldCodec } from './field-codec.js';
import type { ObjectField } from './field-shapes.js';

/** Packed rows have no place for objects. */
const codec: FieldCodec = {
  write: () => true,
  read: () => undefined,
  problem: () => undefined,
  accessor: (slot) => ({
    get() {
      return (this.$columns[slot] as unknown[])[this.$cursor.row];
    },
    set(value: unknown) {
      (this.$columns[slot] as unknown[])[this.$cursor.row] = value;
    },
  }),
};

/**
 * A plain JavaScript value, which lives on the simulation thread only: workers, snapshots, kernels and `stateHash` don't see
 * it. For handles of foreign libraries; not for data that a system could read from columns.
 */
export function object<T>(options: FieldOptions<T> = {}): ObjectField<T> {
  return new Field({
    kind: FieldKind.object,
    codec,
    element: ElementKind.object,
    stride: 1,
    defaults: [],
    fallback: options.default,
    options,
  });
}
