import { EclipticError } from '@ecliptic/core';

/**
 * How a mailbox turns the bytes of one slot into something to write to or read from. The two sides
 * build their own format from the same numbers; nothing of it travels.
 */
export interface SlotFormat<T> {
  /** Bytes of one slot; a multiple of 64 keeps slots on cache lines of their own. */
  readonly byteLength: number;
  /** Makes a view of one slot. Called once a slot in shared memory, once a transfer otherwise. */
  view(buffer: ArrayBufferLike, byteOffset: number): T;
  /** Called once by each end of a mailbox in shared memory, with all its slots, so that a state may refer to what is in another slot. */
  link?(slots: readonly T[]): void;
  /** Writes the number of a publication into its slot, just before it is published. */
  stamp?(state: T, number: number): void;
}

/**
 * Who has a slot: nobody, the writer (between `begin` and `publish`), nobody but it holds an unread
 * state, or the reader.
 */
export type SlotState = 'free' | 'writing' | 'ready' | 'reading';

/** What a mailbox has counted; the counters wrap at 2³², which takes five months at 300 a second. */
export interface MailboxStats {
  /** States published so far; the number of the newest one, since numbers start at 1. */
  readonly published: number;
  /** States that the reader took. */
  readonly taken: number;
  /** States that a newer one replaced before the reader took them. Losing them is by design. */
  readonly replaced: number;
}

/**
 * Writing end of a latest-state mailbox: one writer, one reader, a few slots, the newest state wins.
 * Neither end ever waits for the other. Not for anything that may not be lost: that goes through a
 * {@link ReliableSender}.
 *
 * @example
 * ```ts
 * const slot = writer.begin();
 * slot[0] = 42;
 * writer.publish();
 * ```
 */
export interface MailboxWriter<T> {
  /**
   * The slot to write next. It holds whatever an older state left in it: write everything. Calling
   * it again before {@link MailboxWriter.publish} gives the same slot.
   */
  begin(): T;
  /**
   * Makes the slot of {@link MailboxWriter.begin} the newest state.
   *
   * @returns its number, counted from 1
   * @throws EclipticError `render-sync/mailbox-not-begun` without a `begin`
   */
  publish(): number;
  /** Gives the slot of {@link MailboxWriter.begin} back unpublished; harmless without one. */
  cancel(): void;
  /** The state of each slot, for inspection; exact while neither side is inside a call. */
  slotStates(): readonly SlotState[];
  readonly stats: MailboxStats;
  /** Releases what the end holds; publishing afterwards is an error. */
  dispose(): void;
}

/** Reading end of a latest-state mailbox; see {@link MailboxWriter}. */
export interface MailboxReader<T> {
  /**
   * The newest state if there is one that was not taken yet, else `undefined`: then
   * {@link MailboxReader.latest} still holds the one before. The slot belongs to the reader until
   * the next call that returns a state.
   */
  take(): T | undefined;
  /** The state taken last, retained; `undefined` before the first one. */
  readonly latest: T | undefined;
  /** Releases what the end holds. */
  dispose(): void;
}

/** The error of `publish` without `begin`. */
export function mailboxNotBegun(): EclipticError {
  return new EclipticError('render-sync/mailbox-not-begun', 'publish() without begin()', {
    fix: 'Write the state into what begin() returns, then publish.',
  });
}

/** The error of two ends that don't agree on the size of a slot. */
export function mailboxFormat(slotBytes: number, formatBytes: number): EclipticError {
  return new EclipticError(
    'render-sync/mailbox-format',
    `A mailbox of ${slotBytes}-byte slots was opened with a format of ${formatBytes} bytes`,
    {
      subjects: { slotBytes, formatBytes },
      fix: 'Build the format of both ends from the same budget.',
    },
  );
}
