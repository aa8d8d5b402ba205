declare const brand: unique symbol;

/**
 * A number that stands for something in a {@link HandleTable}: 20 bits of slot, 10 bits of
 * generation (1 to 1,023), so it is positive, below 2³⁰, and a small integer to every JavaScript
 * engine. Meaningless to any other table.
 */
export type Handle = number & {
  /** Keeps other numbers out; not there at run time. */
  readonly [brand]: true;
};

/** Bits of a handle that say the slot. */
export const HANDLE_INDEX_BITS = 20;
/** Slots that a handle can tell apart: 1,048,576. */
export const MAX_HANDLE_INDEX_COUNT: number = 2 ** HANDLE_INDEX_BITS;
/** Generations run from 1 to this. */
export const MAX_HANDLE_GENERATION = 1_023;

/** What no table ever issues. */
export const INVALID_HANDLE = 0 as Handle;

/** The parts of a {@link Handle}. */
export interface DecodedHandle {
  /** Slot in the table, from 0. */
  readonly index: number;
  /** How often that slot has been used, from 1, round at 1,023. */
  readonly generation: number;
}

/** @returns slot and generation, for logs and debuggers; not whether the handle is alive */
export function decodeHandle(handle: Handle): DecodedHandle {
  return { index: handle & (MAX_HANDLE_INDEX_COUNT - 1), generation: handle >>> HANDLE_INDEX_BITS };
}
