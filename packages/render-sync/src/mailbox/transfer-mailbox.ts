import { EclipticError } from '@ecliptic/core';
import type { MessageLink } from '../queue/message-link.js';
import {
  mailboxFormat,
  mailboxNotBegun,
  type MailboxReader,
  type MailboxStats,
  type MailboxWriter,
  type SlotFormat,
  type SlotState,
} from './mailbox.js';

/**
 * Buffers in all: being written, published but unsent, on its way, unread at the reader, being read.
 * More than in shared memory, since a buffer that was posted can't be called back when a newer state
 * replaces it. Made when first needed.
 */
const SLOTS = 5;
/** Buffers that may be away at once, so that one is left to write and one to keep the newest in. */
const MAX_AWAY = SLOTS - 2;

/** A buffer that changes hands. */
interface TransferredSlot {
  readonly slot: number;
  readonly buffer: ArrayBuffer;
}

/** What the reader says: what it reads now (−1 for nothing), and a buffer that it no longer needs. */
interface ReaderReport {
  readonly reading: number;
  readonly returned?: TransferredSlot;
}

/**
 * Writing end for threads without shared memory: whole buffers change hands. Of the states that
 * can't be sent because the reader still has every other buffer, the newest is kept and sent as soon
 * as one comes back. Makes one view a frame; otherwise as {@link SharedMailboxWriter}.
 */
export class TransferMailboxWriter<T> implements MailboxWriter<T> {
  readonly #link: MessageLink;
  readonly #format: SlotFormat<T>;
  /** Where each buffer is: here, or away (`undefined`). */
  readonly #home: (ArrayBuffer | undefined)[] = [];
  readonly #views: (T | undefined)[] = [];
  readonly #away = new Set<number>();
  /** Slot of what was published last, unless it is on its way already; else −1. */
  #unsent = -1;
  #writing = -1;
  #reading = -1;
  #published = 0;
  #taken = 0;
  #replaced = 0;
  #disposed = false;

  constructor(link: MessageLink, format: SlotFormat<T>) {
    this.#link = link;
    this.#format = format;
    link.listen((message) => this.#onReport(message as ReaderReport));
  }

  begin(): T {
    if (this.#writing < 0) this.#writing = this.#freeSlot();
    const slot = this.#writing;
    const buffer = (this.#home[slot] ??= new ArrayBuffer(this.#format.byteLength));
    return (this.#views[slot] ??= this.#format.view(buffer, 0));
  }

  publish(): number {
    if (this.#writing < 0) throw mailboxNotBegun();
    this.#format.stamp?.(this.begin(), this.#published + 1);
    if (this.#unsent >= 0) this.#replaced++;
    this.#unsent = this.#writing;
    this.#writing = -1;
    this.#sendUnsent();
    return ++this.#published;
  }

  cancel(): void {
    this.#writing = -1;
  }

  slotStates(): readonly SlotState[] {
    return Array.from({ length: SLOTS }, (_, slot): SlotState => {
      if (slot === this.#writing) return 'writing';
      if (slot === this.#reading) return 'reading';
      return slot === this.#unsent || this.#away.has(slot) ? 'ready' : 'free';
    });
  }

  get stats(): MailboxStats {
    return { published: this.#published, taken: this.#taken, replaced: this.#replaced };
  }

  dispose(): void {
    this.#disposed = true;
    this.#link.close();
  }

  #freeSlot(): number {
    if (this.#disposed) {
      throw new EclipticError('render-sync/mailbox-disposed', 'A disposed mailbox was written to', {
        fix: 'Stop publishing before the mailbox is disposed.',
      });
    }
    for (let slot = 0; slot < SLOTS; slot++) {
      if (slot !== this.#unsent && !this.#away.has(slot)) return slot;
    }
    throw new EclipticError('render-sync/mailbox-corrupt', 'A mailbox has lost its buffers', {
      fix: 'Something else read or wrote the mailbox’s port.',
    });
  }

  /** Sends the newest state, unless that would leave too few buffers here. */
  #sendUnsent(): void {
    const slot = this.#unsent;
    if (slot < 0 || this.#away.size >= MAX_AWAY) return;
    const buffer = this.#home[slot];
    if (buffer === undefined) return;
    this.#unsent = -1;
    this.#home[slot] = undefined;
    this.#views[slot] = undefined;
    this.#away.add(slot);
    const message: TransferredSlot = { slot, buffer };
    this.#link.post(message, [buffer]);
  }

  #onReport({ reading, returned }: ReaderReport): void {
    if (returned) {
      if (returned.slot !== this.#reading) this.#replaced++;
      this.#away.delete(returned.slot);
      this.#home[returned.slot] = returned.buffer;
    }
    if (reading >= 0 && reading !== this.#reading) this.#taken++;
    this.#reading = reading;
    this.#sendUnsent();
  }
}

/**
 * Reading end for threads without shared memory. States arrive in this thread's event loop: a loop
 * that never returns to it never sees a new one.
 */
export class TransferMailboxReader<T> implements MailboxReader<T> {
  readonly #link: MessageLink;
  readonly #format: SlotFormat<T>;
  #ready: TransferredSlot | undefined;
  #reading: TransferredSlot | undefined;
  #latest: T | undefined;

  constructor(link: MessageLink, format: SlotFormat<T>) {
    this.#link = link;
    this.#format = format;
    link.listen((message) => {
      const replaced = this.#ready;
      this.#ready = message as TransferredSlot;
      if (replaced) this.#report(replaced);
    });
  }

  get latest(): T | undefined {
    return this.#latest;
  }

  take(): T | undefined {
    const ready = this.#ready;
    if (ready === undefined) return undefined;
    const format = this.#format.byteLength;
    if (ready.buffer.byteLength !== format) throw mailboxFormat(ready.buffer.byteLength, format);
    const done = this.#reading;
    this.#ready = undefined;
    this.#reading = ready;
    this.#latest = this.#format.view(ready.buffer, 0);
    this.#report(done);
    return this.#latest;
  }

  dispose(): void {
    this.#ready = this.#reading = this.#latest = undefined;
    this.#link.close();
  }

  #report(returned: TransferredSlot | undefined): void {
    const reading = this.#reading?.slot ?? -1;
    const report: ReaderReport = returned ? { reading, returned } : { reading };
    this.#link.post(report, returned ? [returned.buffer] : []);
  }
}
