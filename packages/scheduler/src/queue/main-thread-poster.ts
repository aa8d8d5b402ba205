import { encodeMessage, type MessagePayload } from './message-codec.js';
import { SlotRing, type SlotRingMemory } from './slot-ring.js';

/**
 * Way into a {@link MainThreadQueue} for one worker; send it there with `postMessage` (a `port` one
 * with its port in the transfer list) and hand it to {@link connectMainThreadQueue}.
 */
export type MainThreadQueueEndpoint =
  | { readonly transport: 'shared'; readonly memory: SlotRingMemory }
  | {
      readonly transport: 'port';
      readonly port: MessagePort;
      readonly window: number;
      readonly slotBytes: number;
    };

/** Posts to the main thread; see {@link connectMainThreadQueue}. */
export interface MainThreadPoster {
  /**
   * Has the handler of `topic` called in the main thread's next `drain`.
   *
   * @param payload - JSON data or bytes, at most a slot (1,024 bytes by default) with the topic
   * @returns false when the queue is full or closed: nothing was posted, try again later or drop it
   * @throws EclipticError `scheduler/message-too-large`, `scheduler/message-not-serializable`
   */
  post(topic: string, payload?: MessagePayload): boolean;
  /** Lets go of the port, if there is one. */
  close(): void;
}

/**
 * Worker side of the main-thread queue. Posting never blocks. Through shared memory a post is in the
 * queue when `post` returns; through a port it is on its way, and as many as the endpoint's window may
 * be on their way, or in the queue, until the main thread has run them and this thread has come back
 * to its event loop to hear of it.
 *
 * @example
 * ```ts
 * const main = connectMainThreadQueue(workerData.queue);
 * if (!main.post('import.progress', { done: 3, total: 9 })) skipped++;
 * ```
 */
export function connectMainThreadQueue(endpoint: MainThreadQueueEndpoint): MainThreadPoster {
  return endpoint.transport === 'shared'
    ? new SharedPoster(endpoint.memory)
    : new PortPoster(endpoint.port, endpoint.window, endpoint.slotBytes);
}

class SharedPoster implements MainThreadPoster {
  readonly #ring: SlotRing;

  constructor(memory: SlotRingMemory) {
    this.#ring = new SlotRing(memory);
  }

  post(topic: string, payload?: MessagePayload): boolean {
    const bytes = encodeMessage(topic, payload, this.#ring.slotBytes);
    const position = this.#ring.claim();
    return position !== undefined && this.#ring.publish(position, bytes);
  }

  close(): void {}
}

class PortPoster implements MainThreadPoster {
  readonly #port: MessagePort;
  readonly #slotBytes: number;
  #credit: number;

  constructor(port: MessagePort, window: number, slotBytes: number) {
    this.#port = port;
    this.#slotBytes = slotBytes;
    this.#credit = window;
    port.onmessage = ({ data }: MessageEvent<number>) => {
      this.#credit = data < 0 ? 0 : this.#credit + data;
    };
    unref(port);
  }

  post(topic: string, payload?: MessagePayload): boolean {
    const bytes = encodeMessage(topic, payload, this.#slotBytes);
    if (this.#credit === 0) return false;
    this.#credit--;
    this.#port.postMessage(bytes);
    return true;
  }

  close(): void {
    this.#port.close();
  }
}

/** In Node a port that is listened to keeps the process alive; ours must not. */
export function unref(port: MessagePort): void {
  (port as MessagePort & { unref?: () => void }).unref?.();
}
