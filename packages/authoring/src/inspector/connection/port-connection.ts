import type { ConnectionListener, InspectorConnection } from './inspector-connection.js';

/** What is needed of a `MessagePort`, of a browser's or of Node's. */
export interface PortLike {
  postMessage(message: string | number | { readonly closed: string }): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  start(): void;
  close(): void;
}

/**
 * A line over one end of a `MessageChannel`. Texts are posted as they are. Ports don't tell how much waits in them, so each end
 * posts a number when it has read something: the characters that it has read so far. `{ closed: reason }` ends the line.
 */
export function portConnection(port: PortLike): InspectorConnection {
  return new PortConnection(port);
}

class PortConnection implements InspectorConnection {
  readonly #port: PortLike;
  #listener: ConnectionListener | undefined;
  #closed = false;
  #sent = 0;
  #acknowledged = 0;
  #read = 0;

  constructor(port: PortLike) {
    this.#port = port;
  }

  get unread(): number {
    return this.#sent - this.#acknowledged;
  }

  open(listener: ConnectionListener): void {
    this.#listener = listener;
    this.#port.addEventListener('message', ({ data }) => this.#receive(data));
    this.#port.start();
  }

  send(text: string): void {
    if (this.#closed) return;
    this.#sent += text.length;
    this.#port.postMessage(text);
  }

  /** A port can't: whoever floods one is cut off by what waits at this end. */
  pause(): void {}

  resume(): void {}

  close(reason: string): void {
    if (this.#closed) return;
    this.#port.postMessage({ closed: reason });
    this.#end(reason);
  }

  #receive(data: unknown): void {
    if (this.#closed) return;
    if (typeof data === 'string') {
      this.#read += data.length;
      this.#port.postMessage(this.#read);
      this.#listener?.message(data);
    } else if (typeof data === 'number') {
      // What the other end says it has read can't be more than it was sent.
      if (data > this.#acknowledged && data <= this.#sent) this.#acknowledged = data;
    } else if (typeof data === 'object' && data !== null && 'closed' in data) {
      this.#end(String(data.closed));
    }
  }

  #end(reason: string): void {
    this.#closed = true;
    this.#port.close();
    this.#listener?.closed(reason);
  }
}
