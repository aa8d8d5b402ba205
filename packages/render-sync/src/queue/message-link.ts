/**
 * A two-way channel of ordered messages between two threads, or within one. Hides what
 * `MessagePort`s of Node and browsers have different names for.
 */
export interface MessageLink {
  /** Sends a message; what is in `transfer` moves and is unusable here afterwards. */
  post(message: unknown, transfer?: readonly Transferable[]): void;
  /** Receives from now on; only one listener. Messages that came before are kept for it. */
  listen(handler: (message: unknown) => void): void;
  /** Whether waiting for messages keeps the process alive; it doesn't, unless told. Nothing in a browser. */
  hold?(alive: boolean): void;
  /** Told when the other end was closed, where that can be told: within one thread. Of another thread its owner knows. One listener. */
  onClose?(listener: () => void): void;
  /** Ends both directions. Messages on their way may be lost. */
  close(): void;
}

/** What ports of Node have and those of browsers don't. */
interface NodePort {
  ref(): void;
  unref(): void;
}

/** A link over one end of a `MessageChannel`. In Node, an open link keeps no process alive unless it is told to. */
export function portLink(port: MessagePort): MessageLink {
  const node = 'unref' in port ? (port as unknown as NodePort) : undefined;
  return {
    hold: (alive) => (alive ? node?.ref() : node?.unref()),
    post: (message, transfer) => port.postMessage(message, [...(transfer ?? [])]),
    listen(handler) {
      port.onmessage = (event: MessageEvent<unknown>) => handler(event.data);
      node?.unref();
    },
    close: () => port.close(),
  };
}

/**
 * Both ends of a link inside one thread: messages arrive during `post`, as they are, uncopied. For a
 * render loop that runs inline, and for tests.
 */
export function memoryLinks(): readonly [MessageLink, MessageLink] {
  const first = new MemoryEnd();
  const second = new MemoryEnd();
  first.other = second;
  second.other = first;
  return [first, second];
}

class MemoryEnd implements MessageLink {
  other: MemoryEnd | undefined;
  #waiting: unknown[] = [];
  #handler: ((message: unknown) => void) | undefined;
  #onClose: (() => void) | undefined;

  post(message: unknown): void {
    this.other?.receive(message);
  }

  receive(message: unknown): void {
    if (this.#handler) this.#handler(message);
    else this.#waiting.push(message);
  }

  listen(handler: (message: unknown) => void): void {
    this.#handler = handler;
    for (const message of this.#waiting.splice(0)) handler(message);
  }

  onClose(listener: () => void): void {
    this.#onClose = listener;
  }

  close(): void {
    const { other } = this;
    this.other = undefined;
    if (other?.other === this) other.leave();
  }

  /** The other end is closed. */
  leave(): void {
    this.other = undefined;
    this.#onClose?.();
  }
}
