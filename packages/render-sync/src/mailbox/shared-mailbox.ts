import { EclipticError } from '@ecliptic/core';
import {
  mailboxFormat,
  mailboxNotBegun,
  type MailboxReader,
  type MailboxStats,
  type MailboxWriter,
  type SlotFormat,
  type SlotState,
} from './mailbox.js';

/** Slots of a shared mailbox: one being written, one ready or free, one being read. */
const SLOTS = 3;
/** Low bits of a control word: the slot's index. */
const SLOT_MASK = 3;
/** Flag of a control word: the middle slot is unread; the end's own slot is in use. */
const FLAG = 4;

/** Indices of the control words. */
const MIDDLE = 0;
const WRITER = 1;
const READER = 2;
const PUBLISHED = 3;
const TAKEN = 4;
const REPLACED = 5;
/** The control words have a cache line of their own. */
const CONTROL_BYTES = 64;

/** What the reading thread needs to open its end of a shared mailbox; survives `postMessage`. */
export interface SharedMailboxHandle {
  readonly kind: 'shared';
  readonly buffer: SharedArrayBuffer;
  readonly slotBytes: number;
}

/** Bytes that a shared mailbox of this format takes. */
export function sharedMailboxBytes(format: SlotFormat<unknown>): number {
  return CONTROL_BYTES + SLOTS * alignedSlot(format.byteLength);
}

/** Makes the shared memory of a mailbox: all slots free, nothing published. */
export function createSharedMailbox(format: SlotFormat<unknown>): SharedMailboxHandle {
  const buffer = new SharedArrayBuffer(sharedMailboxBytes(format));
  const control = new Int32Array(buffer, 0, CONTROL_BYTES / 4);
  control[WRITER] = 0;
  control[MIDDLE] = 1;
  control[READER] = 2;
  return { kind: 'shared', buffer, slotBytes: format.byteLength };
}

/**
 * Writing end over shared memory: a triple buffer whose one shared decision, which slot is the
 * newest, is a single atomic exchange of `slot | unread`. Wait-free, allocates nothing after
 * construction. One writer only.
 *
 * @throws EclipticError `render-sync/mailbox-format` when the format isn't that of the memory
 */
export class SharedMailboxWriter<T> implements MailboxWriter<T> {
  readonly #control: Int32Array;
  readonly #views: readonly T[];
  readonly #format: SlotFormat<T>;
  #slot: number;
  #writing = false;
  #published = 0;

  constructor(handle: SharedMailboxHandle, format: SlotFormat<T>) {
    this.#format = format;
    this.#control = controlOf(handle, format);
    this.#views = viewsOf(handle, format);
    this.#slot = Atomics.load(this.#control, WRITER) & SLOT_MASK;
  }

  begin(): T {
    if (!this.#writing) {
      this.#writing = true;
      Atomics.store(this.#control, WRITER, this.#slot | FLAG);
    }
    return slotOf(this.#views, this.#slot);
  }

  publish(): number {
    if (!this.#writing) throw mailboxNotBegun();
    this.#format.stamp?.(slotOf(this.#views, this.#slot), this.#published + 1);
    this.#writing = false;
    const control = this.#control;
    const previous = Atomics.exchange(control, MIDDLE, this.#slot | FLAG);
    this.#slot = previous & SLOT_MASK;
    Atomics.store(control, WRITER, this.#slot);
    if (previous & FLAG) Atomics.add(control, REPLACED, 1);
    Atomics.add(control, PUBLISHED, 1);
    return ++this.#published;
  }

  cancel(): void {
    this.#writing = false;
    Atomics.store(this.#control, WRITER, this.#slot);
  }

  slotStates(): readonly SlotState[] {
    return slotStatesOf(this.#control);
  }

  get stats(): MailboxStats {
    return statsOf(this.#control);
  }

  dispose(): void {
    this.cancel();
  }
}

/** Reading end over shared memory; see {@link SharedMailboxWriter}. One reader only. */
export class SharedMailboxReader<T> implements MailboxReader<T> {
  readonly #control: Int32Array;
  readonly #views: readonly T[];
  #slot: number;
  #latest: T | undefined;

  constructor(handle: SharedMailboxHandle, format: SlotFormat<T>) {
    this.#control = controlOf(handle, format);
    this.#views = viewsOf(handle, format);
    this.#slot = Atomics.load(this.#control, READER) & SLOT_MASK;
  }

  get latest(): T | undefined {
    return this.#latest;
  }

  take(): T | undefined {
    const control = this.#control;
    if ((Atomics.load(control, MIDDLE) & FLAG) === 0) return undefined;
    // The writer may publish a newer one in between; the exchange takes whichever is there.
    this.#slot = Atomics.exchange(control, MIDDLE, this.#slot) & SLOT_MASK;
    Atomics.store(control, READER, this.#slot | FLAG);
    Atomics.add(control, TAKEN, 1);
    this.#latest = slotOf(this.#views, this.#slot);
    return this.#latest;
  }

  dispose(): void {
    this.#latest = undefined;
    Atomics.store(this.#control, READER, this.#slot);
  }
}

/**
 * The state of each slot of a shared mailbox, seen from either thread. Reads again when the two ends
 * move meanwhile; exact while neither is inside a call.
 */
export function sharedSlotStates(handle: SharedMailboxHandle): readonly SlotState[] {
  return slotStatesOf(new Int32Array(handle.buffer, 0, CONTROL_BYTES / 4));
}

function slotStatesOf(control: Int32Array): readonly SlotState[] {
  const states: SlotState[] = ['free', 'free', 'free'];
  for (let attempt = 0; attempt < 8; attempt++) {
    const writer = Atomics.load(control, WRITER);
    const reader = Atomics.load(control, READER);
    const middle = Atomics.load(control, MIDDLE);
    states.fill('free');
    states[middle & SLOT_MASK] = middle & FLAG ? 'ready' : 'free';
    states[writer & SLOT_MASK] = writer & FLAG ? 'writing' : 'free';
    states[reader & SLOT_MASK] = reader & FLAG ? 'reading' : 'free';
    const seen = (1 << (middle & SLOT_MASK)) | (1 << (writer & SLOT_MASK)) | (1 << (reader & 3));
    if (seen === (1 << SLOTS) - 1) break;
  }
  return states;
}

function statsOf(control: Int32Array): MailboxStats {
  return {
    published: Atomics.load(control, PUBLISHED) >>> 0,
    taken: Atomics.load(control, TAKEN) >>> 0,
    replaced: Atomics.load(control, REPLACED) >>> 0,
  };
}

function controlOf(handle: SharedMailboxHandle, format: SlotFormat<unknown>): Int32Array {
  if (
    handle.slotBytes !== format.byteLength ||
    handle.buffer.byteLength !== sharedMailboxBytes(format)
  ) {
    throw mailboxFormat(handle.slotBytes, format.byteLength);
  }
  return new Int32Array(handle.buffer, 0, CONTROL_BYTES / 4);
}

function viewsOf<T>(handle: SharedMailboxHandle, format: SlotFormat<T>): readonly T[] {
  const views = Array.from({ length: SLOTS }, (_, slot) =>
    format.view(handle.buffer, CONTROL_BYTES + slot * alignedSlot(format.byteLength)),
  );
  format.link?.(views);
  return views;
}

function slotOf<T>(views: readonly T[], slot: number): T {
  const view = views[slot];
  if (view === undefined) {
    throw new EclipticError('render-sync/mailbox-corrupt', `A mailbox names slot ${slot} of 3`, {
      subjects: { slot },
      fix: 'Something else wrote to the mailbox’s memory, or two writers share it.',
    });
  }
  return view;
}

/** Slots start on cache lines. */
function alignedSlot(byteLength: number): number {
  return Math.ceil(byteLength / 64) * 64;
}
