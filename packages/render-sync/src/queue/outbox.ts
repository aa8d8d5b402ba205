import { EclipticError } from '@ecliptic/core';
import { DEFAULT_QUEUE_CAPACITY, type ReliableSender } from './reliable-queue.js';

/**
 * What waits on the sender's side while a reliable queue is full. Keeps the order, is flushed once a
 * frame, and is bounded too: whoever posts more is told.
 */
export class Outbox<M> {
  readonly capacity: number;
  #sender: ReliableSender<M>;
  #waiting: { readonly message: M; readonly transfer: readonly Transferable[] }[] = [];

  constructor(sender: ReliableSender<M>, capacity: number = DEFAULT_QUEUE_CAPACITY) {
    this.capacity = capacity;
    this.#sender = sender;
  }

  /** Messages that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * Sends a message as soon as there is room, behind those that wait.
   *
   * @returns false, and does nothing, when `capacity` messages wait already
   * @throws EclipticError `render-sync/queue-closed`
   */
  tryPost(message: M, transfer: readonly Transferable[] = []): boolean {
    if (this.flush() && this.#sender.tryPost(message, transfer)) return true;
    if (this.#waiting.length >= this.capacity) return false;
    this.#waiting.push({ message, transfer });
    return true;
  }

  /** As {@link Outbox.tryPost}. @throws EclipticError `render-sync/queue-full` instead of returning false */
  post(message: M, transfer: readonly Transferable[] = []): void {
    if (this.tryPost(message, transfer)) return;
    throw new EclipticError(
      'render-sync/queue-full',
      `The renderer is behind: ${this.capacity} messages wait to be sent`,
      {
        subjects: { capacity: this.capacity },
        fix: 'Post less a frame, or keep it and try again when outbox.waiting has gone down.',
      },
    );
  }

  /** Sends what waits, as far as there is room. @returns whether nothing waits any more */
  flush(): boolean {
    let sent = 0;
    for (const { message, transfer } of this.#waiting) {
      if (!this.#sender.tryPost(message, transfer)) break;
      sent++;
    }
    if (sent > 0) this.#waiting = this.#waiting.slice(sent);
    return this.#waiting.length === 0;
  }

  /** Sends to another receiver from now on. What waits was for the one before, and is dropped. */
  attach(sender: ReliableSender<M>): void {
    this.#sender = sender;
    this.clear();
  }

  /** Drops what waits. */
  clear(): void {
    this.#waiting = [];
  }
}
