import { EclipticError } from '@ecliptic/core';
import { ElementKind, Field, FieldKind, type FieldOptions } from './field.js';
import type { FieldCodec } from './field-codec.js';
import type { TextField } from './field-shapes.js';
import { invalidDefault } from './invalid-default.js';
import { decodeText, encodeText } from './text-codec.js';

const codec: FieldCodec = {
  write: (heap, { stride }, at, value) => encodeText(String(value), heap.u8, at, stride) >= 0,
  read: (heap, { stride }, at) => decodeText(heap.u8, at, stride),
  problem: (_, value) =>
    typeof value === 'string' ? undefined : `${typeof value} instead of a text`,
  accessor: (slot, { stride }) => ({
    get() {
      return decodeText(this.$columns[slot] as Uint8Array, this.$cursor.row * stride, stride);
    },
    set(value: string) {
      encodeText(value, this.$columns[slot] as Uint8Array, this.$cursor.row * stride, stride);
    },
  }),
};

/**
 * Text of at most `bytes` bytes of UTF-8, stored in place. What is longer is cut at a code point, and reported.
 *
 * @param bytes - 1…256
 */
export function text(bytes: number, options: FieldOptions<string> = {}): TextField {
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > 256) {
    throw new EclipticError('ecs/invalid-field', `text(${bytes}) is not 1 to 256 bytes`, {
      subjects: { bytes },
      fix: 'Put longer text into an object() field or an asset.',
    });
  }
  const defaults = new Uint8Array(bytes);
  if (encodeText(options.default ?? '', defaults, 0, bytes) < 0) {
    throw invalidDefault(
      'A text longer than its field',
      options.default,
      `It has ${bytes} bytes of UTF-8.`,
    );
  }
  return new Field({
    kind: FieldKind.text,
    codec,
    element: ElementKind.u8,
    stride: bytes,
    defaults: Array.from(defaults),
    options,
  });
}
