import type { ConnectionListener, InspectorConnection } from './inspector-connection.js';

/** What is needed of a `WebSocket`, of a browser's or of the package `ws`, whose sockets can also stop reading and be cut off. */
export interface WebSocketLike {
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  pause?(): void;
  resume?(): void;
  terminate?(): void;
}

/** Most bytes of the reason in a close frame. */
const REASON_BYTES = 120;
/** The code of ends that are neither mistakes nor the other side's. */
const NORMAL = 1_000;

/** A line over an open WebSocket: one text frame a message. */
export function webSocketConnection(socket: WebSocketLike): InspectorConnection {
  return new WebSocketConnection(socket);
}

class WebSocketConnection implements InspectorConnection {
  readonly #socket: WebSocketLike;
  #listener: ConnectionListener | undefined;
  #closed = false;

  constructor(socket: WebSocketLike) {
    this.#socket = socket;
  }

  get unread(): number {
    return this.#socket.bufferedAmount;
  }

  open(listener: ConnectionListener): void {
    this.#listener = listener;
    this.#socket.addEventListener('message', ({ data }) => {
      if (this.#closed) return;
      if (typeof data === 'string') listener.message(data);
      else this.close('binary messages are not part of the protocol');
    });
    this.#socket.addEventListener('close', ({ code, reason }) => {
      this.#end(reason === '' ? `the other end closed the connection (${code})` : reason);
    });
  }

  send(text: string): void {
    if (!this.#closed) this.#socket.send(text);
  }

  pause(): void {
    this.#socket.pause?.();
  }

  resume(): void {
    this.#socket.resume?.();
  }

  close(reason: string): void {
    if (this.#closed) return;
    // One that doesn't read would not read the reason either.
    if (this.unread > 0 && this.#socket.terminate) this.#socket.terminate();
    else this.#socket.close(NORMAL, closeReason(reason));
    this.#end(reason);
  }

  #end(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#listener?.closed(reason);
  }
}

/** As much of it as fits a close frame, in characters of one byte. */
function closeReason(reason: string): string {
  return reason.replaceAll(/[^ -~]/g, '?').slice(0, REASON_BYTES);
}
