import { EclipticError } from '@ecliptic/core';
import type { RecorderMemory } from '@ecliptic/ecs';

/** Bytes at first. */
const INITIAL = 65_536;
/** Most bytes: address space, of which only what is used becomes memory. */
const LIMIT = 2 ** 30;
/** Bytes where shared memory can't grow. */
const FIXED = 2 ** 24;

/** Shared memory that can be made longer where it is (ECMAScript 2024). */
type Growable = SharedArrayBuffer & { grow?(bytes: number): void; readonly maxByteLength?: number };
type GrowableConstructor = new (
  bytes: number,
  options: { readonly maxByteLength: number },
) => Growable;

/** Shared memory that doubles, on whichever thread it is too short, for all threads. */
export class GrowingBuffer implements RecorderMemory {
  readonly buffer: Growable;

  /** @param buffer - what {@link GrowingBuffer.allocate} made, on this thread or another */
  constructor(buffer: SharedArrayBuffer) {
    this.buffer = buffer;
  }

  /** @throws EclipticError `scheduler/worker-memory` */
  static allocate(): SharedArrayBuffer {
    const grows = 'grow' in SharedArrayBuffer.prototype;
    try {
      if (!grows) return new SharedArrayBuffer(FIXED);
      const Memory = SharedArrayBuffer as unknown as GrowableConstructor;
      return new Memory(INITIAL, { maxByteLength: LIMIT });
    } catch (cause) {
      throw noMemory(`Can't reserve ${grows ? LIMIT : FIXED} bytes`, grows ? LIMIT : FIXED, cause);
    }
  }

  /** @throws EclipticError `scheduler/worker-memory` where the machine has no more */
  grow(bytes: number): boolean {
    const { buffer } = this;
    let size = buffer.byteLength;
    while (size < bytes) size *= 2;
    if (buffer.grow === undefined || size > (buffer.maxByteLength ?? 0)) return false;
    try {
      buffer.grow(size);
    } catch (cause) {
      throw noMemory(`Can't grow to ${size} bytes`, size, cause);
    }
    return true;
  }
}

function noMemory(problem: string, bytes: number, cause: unknown): EclipticError {
  return new EclipticError(
    'scheduler/worker-memory',
    `${problem} for what a thread of worker systems asks for and reports`,
    {
      subjects: { bytes },
      cause,
      fix: "Lower the count of workers, or lift the limit of the process's memory or address space.",
    },
  );
}
