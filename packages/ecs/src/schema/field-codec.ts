import type { Heap } from '../storage/heap.js';
import type { Accessor } from '../views/scalar-accessors.js';
import type { Field } from './field.js';

/**
 * How values of a kind of field are written, read, checked and shown in views, where they are neither numbers nor vectors. A field
 * brings its codec along, so that a program carries only those of the kinds that it defines.
 */
export interface FieldCodec {
  /**
   * Writes a value, unchecked, at a byte offset; what is none leaves the field as it was.
   *
   * @returns false when a text was cut
   */
  write(heap: Heap, field: Field, at: number, value: unknown): boolean;
  /** The plain value at a byte offset. */
  read(heap: Heap, field: Field, at: number): unknown;
  /** What is wrong with a value, or `undefined`. */
  problem(field: Field, value: unknown): string | undefined;
  /** The property of a view. @param slot - index of the field */
  accessor(slot: number, field: Field): Accessor;
}
