/**
 * What stands between the simulation and a renderer: hierarchy, retained render scene, latest-state
 * mailboxes, the reliable queue and the render loop. No GPU code and no DOM.
 *
 * @packageDocumentation
 */
export type {
  MailboxReader,
  MailboxStats,
  MailboxWriter,
  SlotFormat,
  SlotState,
} from './mailbox/mailbox.js';
export {
  createSharedMailbox,
  sharedMailboxBytes,
  SharedMailboxReader,
  SharedMailboxWriter,
  sharedSlotStates,
  type SharedMailboxHandle,
} from './mailbox/shared-mailbox.js';
export { TransferMailboxReader, TransferMailboxWriter } from './mailbox/transfer-mailbox.js';
export {
  createMailbox,
  openMailbox,
  type Mailbox,
  type MailboxHandle,
  type MailboxOptions,
  type TransferMailboxHandle,
} from './mailbox/create-mailbox.js';
export { memoryLinks, portLink, type MessageLink } from './queue/message-link.js';
export {
  DEFAULT_QUEUE_CAPACITY,
  ReliableReceiver,
  ReliableSender,
} from './queue/reliable-queue.js';
