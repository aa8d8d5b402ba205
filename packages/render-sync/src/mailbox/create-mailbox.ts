import { portLink } from '../queue/message-link.js';
import type { MailboxReader, MailboxWriter, SlotFormat } from './mailbox.js';
import {
  createSharedMailbox,
  SharedMailboxReader,
  SharedMailboxWriter,
  type SharedMailboxHandle,
} from './shared-mailbox.js';
import { TransferMailboxReader, TransferMailboxWriter } from './transfer-mailbox.js';

/** What the reading thread needs where there is no shared memory; its port must be transferred. */
export interface TransferMailboxHandle {
  readonly kind: 'transfer';
  readonly port: MessagePort;
  readonly slotBytes: number;
}

/** The reading end of a mailbox before it is opened: post it to the reading thread. */
export type MailboxHandle = SharedMailboxHandle | TransferMailboxHandle;

/** A new mailbox: the writer stays here, the handle goes to the reading thread. */
export interface Mailbox<T> {
  readonly writer: MailboxWriter<T>;
  readonly handle: MailboxHandle;
  /** What must be in the transfer list of the message that carries the handle. */
  readonly transfer: readonly Transferable[];
}

/** Options of {@link createMailbox}. */
export interface MailboxOptions {
  /**
   * Shared memory (wait-free) or whole buffers that change hands. Default: shared memory where there
   * is any; a page has it when it is cross-origin isolated.
   */
  readonly shared?: boolean;
}

/**
 * Makes a latest-state mailbox between this thread and another, or within one.
 *
 * @example
 * ```ts
 * const mailbox = createMailbox(format);
 * worker.postMessage({ frames: mailbox.handle }, [...mailbox.transfer]);
 * // in the worker: const frames = openMailbox(message.frames, format);
 * ```
 */
export function createMailbox<T>(format: SlotFormat<T>, options: MailboxOptions = {}): Mailbox<T> {
  if (options.shared ?? typeof SharedArrayBuffer === 'function') {
    const handle = createSharedMailbox(format);
    return { writer: new SharedMailboxWriter(handle, format), handle, transfer: [] };
  }
  const { port1, port2 } = new MessageChannel();
  return {
    writer: new TransferMailboxWriter(portLink(port1), format),
    handle: { kind: 'transfer', port: port2, slotBytes: format.byteLength },
    transfer: [port2],
  };
}

/**
 * Opens the reading end of a mailbox. Once a mailbox.
 *
 * @throws EclipticError `render-sync/mailbox-format` when the format has another size than the writer's
 */
export function openMailbox<T>(handle: MailboxHandle, format: SlotFormat<T>): MailboxReader<T> {
  return handle.kind === 'shared'
    ? new SharedMailboxReader(handle, format)
    : new TransferMailboxReader(portLink(handle.port), format);
}
