import { EclipticError, EventLog, systemClock, type Clock } from '@ecliptic/core';
import { unref, type MainThreadQueueEndpoint } from './main-thread-poster.js';
import { decodeMessage, type Message, type MessagePayload } from './message-codec.js';
import { SlotRing } from './slot-ring.js';

/** Nanoseconds after which a slot that a worker claimed and never filled is given up. */
const STALL_TIMEOUT = 1_000_000_000;

/** Options of a {@link MainThreadQueue}. */
export interface MainThreadQueueOptions {
  /** Slots: a power of two from 2 to 65,536. Default 512. */
  readonly capacity?: number;
  /** Most bytes of a worker's message with its topic: 16 to 65,536. Default 1,024. */
  readonly slotBytes?: number;
  /** Gives up slots of workers that died while posting. */
  readonly clock?: Clock;
  readonly log?: EventLog;
  /** Told of what a callback threw or rejected with; by default it is logged. */
  readonly onError?: (error: EclipticError) => void;
}

/** An endpoint for one worker, and what must be transferred with it. */
export interface MainThreadQueueConnection {
  readonly endpoint: MainThreadQueueEndpoint;
  readonly transfer: MessagePort[];
}

/** What a post of this thread left in a slot. */
type Local = (() => unknown) | (Message & { readonly port?: MessagePort });

/**
 * Work for the main thread, from itself and from any worker: bounded, in the order of posting, run
 * once a frame by {@link MainThreadQueue.drain}. Posting takes no lock and never waits; when all
 * slots are taken the poster is told so.
 *
 * Not for data that flows every frame (use shared memory) nor for a call that wants an answer.
 *
 * @example
 * ```ts
 * const queue = new MainThreadQueue();
 * queue.on('import.progress', (progress) => panel.show(progress));
 * const { endpoint, transfer } = queue.connect();
 * worker.postMessage({ queue: endpoint }, transfer); // there: connectMainThreadQueue(queue).post(…)
 * queue.post(() => panel.refresh()); // from this thread, a function
 * queue.drain(); // once a frame
 * ```
 */
export class MainThreadQueue {
  readonly #ring: SlotRing;
  readonly #shared: boolean;
  readonly #clock: Clock;
  readonly #log: EventLog;
  readonly #onError: (error: EclipticError) => void;
  readonly #locals: (Local | undefined)[];
  readonly #handlers = new Map<string, (payload: MessagePayload) => unknown>();
  readonly #ports = new Set<MessagePort>();
  /** Slots that are not kept for ports. */
  #limit: number;
  #stalledSince: number | undefined;

  /** @throws EclipticError `scheduler/invalid-queue-size` */
  constructor(options: MainThreadQueueOptions = {}) {
    const { capacity = 512, slotBytes = 1_024 } = options;
    const capacityFits =
      capacity >= 2 && capacity <= 65_536 && Number.isInteger(Math.log2(capacity));
    if (!capacityFits || !Number.isInteger(slotBytes) || slotBytes < 16 || slotBytes > 65_536) {
      throw new EclipticError(
        'scheduler/invalid-queue-size',
        `A queue of ${capacity} slots of ${slotBytes} bytes is not possible`,
        {
          subjects: { capacity, slotBytes },
          fix: 'Use a power of two from 2 to 65,536 slots, of 16 to 65,536 bytes.',
        },
      );
    }
    this.#shared = typeof SharedArrayBuffer === 'function';
    this.#ring = SlotRing.allocate(capacity, slotBytes, this.#shared);
    this.#clock = options.clock ?? systemClock();
    this.#log = options.log ?? new EventLog('scheduler');
    this.#onError =
      options.onError ??
      ((error) => this.#log.error('main_thread_callback_failed', { ...error.subjects, error }));
    this.#locals = Array.from({ length: capacity });
    this.#limit = capacity;
  }

  /** Slots. */
  get capacity(): number {
    return this.#ring.capacity;
  }

  /** Posts that wait for a drain. */
  get pending(): number {
    return this.#ring.pending;
  }

  /**
   * Makes `handler` the one that gets what is posted on `topic`.
   *
   * @returns a function that removes it again
   * @throws EclipticError `scheduler/duplicate-topic`
   */
  on(topic: string, handler: (payload: MessagePayload) => unknown): () => void {
    if (this.#handlers.has(topic)) {
      throw new EclipticError('scheduler/duplicate-topic', `"${topic}" has a handler already`, {
        subjects: { topic },
        fix: 'Remove the other handler first, or use a topic of your own.',
      });
    }
    this.#handlers.set(topic, handler);
    return () => {
      if (this.#handlers.get(topic) === handler) this.#handlers.delete(topic);
    };
  }

  /**
   * Has a function called, or a topic's handler, in the next {@link MainThreadQueue.drain}. From this
   * thread only; a payload is handed on as it is.
   *
   * @returns false when the queue is full or closed: nothing was posted
   */
  post(callback: () => unknown): boolean;
  post(topic: string, payload?: MessagePayload): boolean;
  post(what: string | (() => unknown), payload?: MessagePayload): boolean {
    return this.#postLocal(typeof what === 'string' ? { topic: what, payload } : what, this.#limit);
  }

  /**
   * Makes a way in for one worker.
   *
   * @param options - `transport`: `shared` memory where it exists, else a `port`, of whose posts at
   *   most `window` (default 64) may be pending, for which slots are set aside
   * @throws EclipticError `scheduler/no-shared-memory`, `scheduler/queue-window`
   */
  connect(
    options: { readonly transport?: 'shared' | 'port'; readonly window?: number } = {},
  ): MainThreadQueueConnection {
    const { transport = this.#shared ? 'shared' : 'port', window = 64 } = options;
    if (transport === 'shared') {
      if (!this.#shared) {
        throw new EclipticError(
          'scheduler/no-shared-memory',
          'There is no SharedArrayBuffer here',
          {
            fix: 'Serve the page cross-origin isolated, or connect with transport "port".',
          },
        );
      }
      return { endpoint: { transport, memory: this.#ring.memory }, transfer: [] };
    }
    if (!Number.isInteger(window) || window < 1 || window >= this.#limit) {
      throw new EclipticError(
        'scheduler/queue-window',
        `${window} slots can't be set aside, ${this.#limit} are left`,
        { subjects: { window, left: this.#limit }, fix: 'Use a smaller window or a larger queue.' },
      );
    }
    this.#limit -= window;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
      this.#postLocal({ ...decodeMessage(data), port: port1 }, this.capacity);
    };
    unref(port1);
    this.#ports.add(port1);
    return {
      endpoint: { transport, port: port2, window, slotBytes: this.#ring.slotBytes },
      transfer: [port2],
    };
  }

  /**
   * Runs what was posted before this call, in order, each once; what callbacks post runs in the next
   * drain. One that throws or rejects is reported and does not stop the others.
   *
   * @param limit - most callbacks to run; the rest waits for the next drain
   * @returns how many ran
   */
  drain(limit: number = this.capacity): number {
    const end = this.#ring.tail;
    const acknowledgements = new Map<MessagePort, number>();
    let ran = 0;
    while (ran < limit && this.#ring.head !== end) {
      if (!this.#ring.ready) {
        if (!this.#giveUpStalled()) break;
        continue;
      }
      const work = this.#take();
      if (typeof work === 'object' && work.port !== undefined) {
        acknowledgements.set(work.port, (acknowledgements.get(work.port) ?? 0) + 1);
      }
      this.#run(work);
      ran++;
    }
    for (const [port, count] of acknowledgements) port.postMessage(count);
    return ran;
  }

  /**
   * Turns all further posts away and forgets what is pending.
   *
   * @returns how many were forgotten
   */
  close(): number {
    this.#ring.close();
    const discarded = this.#ring.pending;
    while (this.#ring.pending > 0) {
      this.#locals[this.#ring.slotOf(this.#ring.head)] = undefined;
      this.#ring.release();
    }
    for (const port of this.#ports) {
      port.postMessage(-1);
      port.close();
    }
    this.#ports.clear();
    this.#handlers.clear();
    this.#log.flush();
    return discarded;
  }

  #postLocal(work: Local, limit: number): boolean {
    const position = this.#ring.claim(limit);
    if (position === undefined) return false;
    this.#locals[this.#ring.slotOf(position)] = work;
    return this.#ring.publish(position);
  }

  #take(): Local {
    const slot = this.#ring.slotOf(this.#ring.head);
    const work = this.#locals[slot] ?? decodeMessage(this.#ring.read());
    this.#locals[slot] = undefined;
    this.#stalledSince = undefined;
    this.#ring.release();
    return work;
  }

  #run(work: Local): void {
    const topic = typeof work === 'function' ? undefined : work.topic;
    try {
      const result = typeof work === 'function' ? work() : this.#dispatch(work);
      if (result instanceof Promise) {
        result.catch((error: unknown) => this.#report(topic, error));
      }
    } catch (error) {
      this.#report(topic, error);
    }
  }

  #dispatch({ topic, payload }: Message): unknown {
    const handler = this.#handlers.get(topic);
    if (handler !== undefined) return handler(payload);
    this.#log.warnOnce('unhandled_topic', topic);
    return undefined;
  }

  #report(topic: string | undefined, cause: unknown): void {
    const what = topic === undefined ? 'A posted callback' : `The handler of "${topic}"`;
    this.#onError(
      new EclipticError('scheduler/main-thread-callback', `${what} failed`, {
        subjects: { topic },
        cause,
      }),
    );
  }

  /** A worker that is terminated while it posts leaves a claimed slot that nobody will fill. */
  #giveUpStalled(): boolean {
    const now = this.#clock.now();
    this.#stalledSince ??= now;
    if (now - this.#stalledSince < STALL_TIMEOUT) return false;
    this.#stalledSince = undefined;
    this.#log.warn('post_abandoned', { position: this.#ring.head });
    this.#ring.release();
    return true;
  }
}
