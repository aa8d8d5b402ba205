import { EclipticError } from '@ecliptic/core';
import type { MessageLink } from './message-link.js';

/** Messages that may wait unprocessed at the receiver; see {@link ReliableSender}. */
export const DEFAULT_QUEUE_CAPACITY = 1_024;

/**
 * Sending end of the channel for what may not be lost: creation and destruction of instances,
 * uploads, debug drawing, read-back requests. First-in first-out and bounded: the receiver
 * acknowledges what it has processed, and when `capacity` messages are unacknowledged the queue
 * refuses more until it does. Nothing is dropped as long as there is a receiver; when it has ended, messages are taken and lead
 * nowhere, so that who sends can go on.
 *
 * Not for per-frame state, where only the newest counts: that is what a mailbox is for.
 *
 * @example
 * ```ts
 * if (!sender.tryPost(upload)) await sender.ready(signal); // back-pressure: produce less
 * ```
 */
export class ReliableSender<M> {
  readonly capacity: number;
  readonly #link: MessageLink;
  #sent = 0;
  #processed = 0;
  #refused = 0;
  #closed = false;
  #ended: Error | undefined;
  #onAnswer: ((answer: unknown) => void) | undefined;
  #onEnd: ((cause: Error) => void) | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(link: MessageLink, capacity: number = DEFAULT_QUEUE_CAPACITY) {
    this.capacity = capacity;
    this.#link = link;
    link.onClose?.(() => this.end(closedError()));
    link.listen((message) => {
      if (typeof message !== 'number') {
        this.#onAnswer?.(message);
        return;
      }
      this.#processed = message;
      this.#wake();
    });
  }

  /** Messages sent so far; a frame state carries it, so that the receiver knows what it relies on. */
  get sent(): number {
    return this.#sent;
  }

  /** Messages sent and not yet processed; none when the receiver has ended. */
  get pending(): number {
    return this.#ended ? 0 : this.#sent - this.#processed;
  }

  /** Messages refused because the queue was full. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Sends a message, or, when the queue is full, does nothing.
   *
   * @param transfer - buffers that move with the message; untouched when it is refused
   * @returns false when the queue is full
   * @throws EclipticError `render-sync/queue-closed`
   */
  tryPost(message: M, transfer: readonly Transferable[] = []): boolean {
    if (this.#closed) throw closedError();
    if (this.#ended) return true;
    if (this.pending >= this.capacity) {
      this.#refused++;
      return false;
    }
    this.#sent++;
    this.#link.post(message, transfer);
    return true;
  }

  /**
   * Sends a message.
   *
   * @throws EclipticError `render-sync/queue-full` when `capacity` messages are unprocessed,
   * `render-sync/queue-closed`
   */
  post(message: M, transfer: readonly Transferable[] = []): void {
    if (this.tryPost(message, transfer)) return;
    throw new EclipticError(
      'render-sync/queue-full',
      `The render queue is full: ${this.capacity} messages are unprocessed`,
      {
        subjects: { capacity: this.capacity },
        fix: 'Wait for ready(), or keep the message and post it in a later frame (tryPost).',
      },
    );
  }

  /** Resolves when there is room for a message, at once if there is; rejects on abort or close. */
  ready(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (signal?.aborted) settle(() => reject(signal.reason as Error));
        else if (this.#closed) settle(() => reject(closedError()));
        else if (this.pending < this.capacity) settle(resolve);
      };
      const settle = (then: () => void): void => {
        this.#waiting.delete(check);
        signal?.removeEventListener('abort', check);
        then();
      };
      this.#waiting.add(check);
      signal?.addEventListener('abort', check);
      check();
    });
  }

  /** Hears what the receiver answers; see {@link ReliableReceiver.answer}. One listener. */
  onAnswer(listener: (answer: unknown) => void): void {
    this.#onAnswer = listener;
  }

  /** Whether answers are waited for: in Node, waiting keeps the process alive. */
  holdForAnswers(waiting: boolean): void {
    this.#link.hold?.(waiting);
  }

  /** Told, once, when no answers will come any more. One listener. */
  onEnd(listener: (cause: Error) => void): void {
    this.#onEnd = listener;
    if (this.#ended) listener(this.#ended);
  }

  /** The receiver is gone: nothing will be answered, and messages lead nowhere. */
  end(cause: Error): void {
    if (this.#ended) return;
    this.#ended = cause;
    this.#onEnd?.(cause);
    this.#wake();
  }

  /** Ends the queue; messages on their way may be lost. */
  dispose(): void {
    this.#closed = true;
    this.end(closedError());
    this.#wake();
    this.#link.close();
  }

  #wake(): void {
    for (const check of this.#waiting) check();
  }
}

/**
 * Receiving end of a {@link ReliableSender}: messages wait until {@link ReliableReceiver.drain}.
 */
export class ReliableReceiver<M> {
  readonly #link: MessageLink;
  #inbox: M[] = [];
  #processed = 0;

  constructor(link: MessageLink) {
    this.#link = link;
    link.listen((message) => this.#inbox.push(message as M));
  }

  /** Messages processed so far; compare with the sender's `sent`. */
  get processed(): number {
    return this.#processed;
  }

  /** Messages that have arrived and wait. */
  get waiting(): number {
    return this.#inbox.length;
  }

  /**
   * Hands every message that has arrived to `handle`, in the order of sending, then makes room at the
   * sender. Messages that arrive meanwhile stay for the next call. A handler that throws doesn't
   * lose the messages behind: they are handled first.
   *
   * @returns how many were handled
   * @throws what the handler threw; an `AggregateError` in order if more than one did
   */
  drain(handle: (message: M) => void): number {
    const batch = this.#inbox;
    if (batch.length === 0) return 0;
    this.#inbox = [];
    const errors: unknown[] = [];
    for (const message of batch) {
      try {
        handle(message);
      } catch (error) {
        errors.push(error);
      }
    }
    this.#processed += batch.length;
    this.#link.post(this.#processed);
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) {
      throw new AggregateError(errors, `${errors.length} render messages could not be handled`);
    }
    return batch.length;
  }

  /**
   * Sends something back, as the result of a request. Not bounded by itself: answer each request once.
   *
   * @param answer - anything but a number
   * @param transfer - buffers that move with it
   */
  answer(answer: object, transfer: readonly Transferable[] = []): void {
    this.#link.post(answer, transfer);
  }

  /** Drops what waits and ends the queue. */
  dispose(): void {
    this.#inbox = [];
    this.#link.close();
  }
}

function closedError(): EclipticError {
  return new EclipticError('render-sync/queue-closed', 'The render queue is closed', {
    fix: 'Stop posting before the queue is disposed.',
  });
}
