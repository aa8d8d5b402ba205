/** Where the arrays of a hierarchy come from; all of them begin as zeros. */
export interface PoseMemory {
  /** An array of this many 32-bit floats. */
  float32(length: number): Float32Array;
  /** An array of this many 32-bit integers. */
  int32(length: number): Int32Array;
  /** An array of this many unsigned 32-bit integers. */
  uint32(length: number): Uint32Array;
  /** An array of this many bytes. */
  uint8(length: number): Uint8Array;
  /** Gives all of them back: they must not be used any more. */
  release(): void;
}

/**
 * Arrays in one buffer.
 *
 * @param take - finds room for so many bytes: where it begins
 * @param release - gives all of it back
 */
export function memoryIn(
  buffer: ArrayBufferLike,
  take: (bytes: number) => number,
  release: () => void,
): PoseMemory {
  return {
    float32: (length) => new Float32Array(buffer, take(length * 4), length),
    int32: (length) => new Int32Array(buffer, take(length * 4), length),
    uint32: (length) => new Uint32Array(buffer, take(length * 4), length),
    uint8: (length) => new Uint8Array(buffer, take(length), length),
    release,
  };
}

/** Arrays of their own. */
export const heapMemory: PoseMemory = {
  float32: (length) => new Float32Array(length),
  int32: (length) => new Int32Array(length),
  uint32: (length) => new Uint32Array(length),
  uint8: (length) => new Uint8Array(length),
  release: () => undefined,
};
