import type { MessageLimits } from './protocol/rpc-message.js';

/** What one client may use. */
export interface InspectorLimits extends MessageLimits {
  /** Subscriptions at once. */
  readonly subscriptions: number;
  /** Characters sent and not read, above which nothing more is answered or sent. */
  readonly unread: number;
  /** Seconds for which a client may leave them unread before it is cut off. */
  readonly stall: number;
  /** Messages that wait to be answered, above which no more are read from a line that can be paused. */
  readonly waiting: number;
  /** Messages that wait to be answered, above which a client is cut off, whose line can't be paused. */
  readonly flood: number;
}

/** What clients may use unless it is said otherwise. */
export const INSPECTOR_LIMITS: InspectorLimits = {
  size: 256 * 1024,
  depth: 32,
  batch: 32,
  subscriptions: 32,
  unread: 256 * 1024,
  stall: 10,
  waiting: 64,
  flood: 4_096,
};
