/**
 * Views of every element kind over one whole buffer: rows are written and moved through these, by offset, so that the
 * code that does it sees one array of one kind whatever the columns are. Fixed length, as everything over an arena.
 */
export class Heap {
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i8: Int8Array;
  readonly u8: Uint8Array;
  readonly i16: Int16Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  /** The arrays by element kind. */
  readonly buffer: ArrayBufferLike;

  /** @param buffer - its length is rounded down to a multiple of 8 */
  constructor(buffer: ArrayBufferLike) {
    const bytes = buffer.byteLength - (buffer.byteLength % 8);
    this.buffer = buffer;
    this.f32 = new Float32Array(buffer, 0, bytes / 4);
    this.f64 = new Float64Array(buffer, 0, bytes / 8);
    this.i8 = new Int8Array(buffer, 0, bytes);
    this.u8 = new Uint8Array(buffer, 0, bytes);
    this.i16 = new Int16Array(buffer, 0, bytes / 2);
    this.u16 = new Uint16Array(buffer, 0, bytes / 2);
    this.i32 = new Int32Array(buffer, 0, bytes / 4);
    this.u32 = new Uint32Array(buffer, 0, bytes / 4);
  }
}
