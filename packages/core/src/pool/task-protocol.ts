import type { RemoteError } from '../errors/remote-error.js';

/** What a worker is told to do. */
export interface TaskCall {
  /** Its name. */
  readonly task: string;
  /** What the caller passed. */
  readonly input: unknown;
  /** Whether anyone listens to its progress. */
  readonly reports: boolean;
}

/** A worker's answer to a call. */
export type TaskReply =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: RemoteError }
  | { readonly kind: 'unknown'; readonly served: readonly string[] }
  | { readonly kind: 'output-not-cloneable'; readonly error: RemoteError };

/** All that a worker says. */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'progress'; readonly value: unknown }
  | { readonly kind: 'reply'; readonly reply: TaskReply };

/** A {@link WorkerMessage} on its way, told apart from what tasks may post by themselves. */
export interface PostedMessage {
  readonly eclipticPool: WorkerMessage;
}

/** @returns what the worker said, or `undefined` for messages that are not the pool's */
export function readMessage(data: unknown): WorkerMessage | undefined {
  if (typeof data !== 'object' || data === null || !('eclipticPool' in data)) return undefined;
  return (data as PostedMessage).eclipticPool;
}
