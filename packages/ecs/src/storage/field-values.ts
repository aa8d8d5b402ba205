import { ElementKind, FieldKind, type Field, type NumericColumn } from '../schema/field.js';
import type { Heap } from './heap.js';

interface Components {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly w: number;
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a?: number;
}

/** Writes one number at a byte offset. */
export function writeElement(heap: Heap, element: ElementKind, at: number, value: number): void {
  switch (element) {
    case ElementKind.f32:
      heap.f32[at >>> 2] = value;
      break;
    case ElementKind.f64:
      heap.f64[at >>> 3] = value;
      break;
    case ElementKind.i8:
      heap.i8[at] = value;
      break;
    case ElementKind.u8:
      heap.u8[at] = value;
      break;
    case ElementKind.i16:
      heap.i16[at >>> 1] = value;
      break;
    case ElementKind.u16:
      heap.u16[at >>> 1] = value;
      break;
    case ElementKind.i32:
      heap.i32[at >>> 2] = value;
      break;
    case ElementKind.u32:
      heap.u32[at >>> 2] = value;
      break;
    default:
  }
}

/** Reads one number at a byte offset. */
function readElement(heap: Heap, element: ElementKind, at: number): number {
  switch (element) {
    case ElementKind.f32:
      return heap.f32[at >>> 2] ?? 0;
    case ElementKind.f64:
      return heap.f64[at >>> 3] ?? 0;
    case ElementKind.i8:
      return heap.i8[at] ?? 0;
    case ElementKind.u8:
      return heap.u8[at] ?? 0;
    case ElementKind.i16:
      return heap.i16[at >>> 1] ?? 0;
    case ElementKind.u16:
      return heap.u16[at >>> 1] ?? 0;
    case ElementKind.i32:
      return heap.i32[at >>> 2] ?? 0;
    case ElementKind.u32:
      return heap.u32[at >>> 2] ?? 0;
    default:
      return 0;
  }
}

function writeFloats(heap: Heap, { kind, stride }: Field, at: number, input: unknown): void {
  const { f32 } = heap;
  const word = at >>> 2;
  const list = input as ArrayLike<number>;
  const { length } = list;
  if (length === undefined) writeNamed(f32, kind, stride, word, input as Components);
  else if (stride === 3 && length >= 3) {
    f32[word] = list[0] as number;
    f32[word + 1] = list[1] as number;
    f32[word + 2] = list[2] as number;
  } else {
    const given = Math.min(stride, length);
    for (let i = 0; i < given; i++) f32[word + i] = list[i] as number;
    // A color of three numbers is opaque.
    if (given === 3 && stride === 4) f32[word + 3] = 1;
  }
}

/** Writes `{ x, y, z, w }` or `{ r, g, b, a }`. */
function writeNamed(
  f32: Float32Array,
  kind: FieldKind,
  stride: number,
  word: number,
  value: Components,
): void {
  if (kind === FieldKind.color) {
    f32[word] = value.r;
    f32[word + 1] = value.g;
    f32[word + 2] = value.b;
    f32[word + 3] = value.a ?? 1;
    return;
  }
  f32[word] = value.x;
  f32[word + 1] = value.y;
  if (stride > 2) f32[word + 2] = value.z;
  if (stride > 3) f32[word + 3] = value.w;
}

/**
 * Writes a value in any of the forms that the field takes. Unchecked: what is no such value leaves the field as it was, or
 * becomes what a typed array makes of it. {@link describeInvalid} checks.
 *
 * @param at - byte offset of the field
 * @returns false when a text was cut
 */
export function writeField(heap: Heap, field: Field, at: number, value: unknown): boolean {
  switch (field.kind) {
    case FieldKind.number:
    case FieldKind.entity:
      writeElement(heap, field.element, at, value as number);
      break;
    case FieldKind.bool:
      heap.u8[at] = value ? 1 : 0;
      break;
    case FieldKind.array: {
      const list = value as ArrayLike<number>;
      const size = field.bytes / field.stride;
      const given = Math.min(field.stride, list.length);
      for (let i = 0; i < given; i++) {
        writeElement(heap, field.element, at + i * size, list[i] as number);
      }
      break;
    }
    default:
      if (field.codec) return field.codec.write(heap, field, at, value);
      writeFloats(heap, field, at, value);
  }
  return true;
}

/** The plain value of a field (`object()` fields excepted) at a byte offset. */
export function readField(heap: Heap, field: Field, at: number): unknown {
  switch (field.kind) {
    case FieldKind.number:
    case FieldKind.entity:
      return readElement(heap, field.element, at);
    case FieldKind.bool:
      return heap.u8[at] !== 0;
    default: {
      if (field.codec) return field.codec.read(heap, field, at);
      const size = field.bytes / field.stride;
      return Array.from({ length: field.stride }, (_, i) =>
        readElement(heap, field.element, at + i * size),
      );
    }
  }
}

/** A view of `rows` rows of a field, from a byte offset on. */
export function makeColumn(
  buffer: ArrayBufferLike,
  field: Field,
  at: number,
  rows: number,
): NumericColumn {
  const length = rows * field.stride;
  switch (field.element) {
    case ElementKind.f64:
      return new Float64Array(buffer, at, length);
    case ElementKind.i8:
      return new Int8Array(buffer, at, length);
    case ElementKind.u8:
      return new Uint8Array(buffer, at, length);
    case ElementKind.i16:
      return new Int16Array(buffer, at, length);
    case ElementKind.u16:
      return new Uint16Array(buffer, at, length);
    case ElementKind.i32:
      return new Int32Array(buffer, at, length);
    case ElementKind.u32:
      return new Uint32Array(buffer, at, length);
    default:
      return new Float32Array(buffer, at, length);
  }
}
