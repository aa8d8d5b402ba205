import { ElementKind, Field, FieldKind } from './field.js';
import type { FieldCodec } from './field-codec.js';
import type { TextField, UuidOptions } from './field-shapes.js';
import { invalidDefault } from './invalid-default.js';
import { isUuidText, uuidText, writeUuid } from './uuid-codec.js';

const codec: FieldCodec = {
  write(heap, _, at, value) {
    writeUuid(value, heap.u8, at);
    return true;
  },
  read: (heap, _, at) => uuidText(heap.u8, at),
  problem: (_, value) => (isUuidText(value) ? undefined : `${JSON.stringify(value)} is no UUID`),
  accessor: (slot) => ({
    get() {
      return uuidText(this.$columns[slot] as Uint8Array, this.$cursor.row * 16);
    },
    set(value: string) {
      writeUuid(value, this.$columns[slot] as Uint8Array, this.$cursor.row * 16);
    },
  }),
};

/** A UUID, as text in views and as 16 bytes in the column. By default nil (all zero). */
export function uuid(options: UuidOptions = {}): TextField {
  const bytes = new Uint8Array(16);
  const given = options.default;
  if (given !== undefined && !writeUuid(given, bytes, 0))
    throw invalidDefault(String(options.default), options.default, 'Give a UUID.');
  return new Field({
    kind: FieldKind.uuid,
    codec,
    element: ElementKind.u8,
    stride: 16,
    defaults: Array.from(bytes),
    asset: options.asset,
    options,
  });
}
