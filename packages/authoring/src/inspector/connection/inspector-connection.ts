/** What is told of an {@link InspectorConnection}. */
export interface ConnectionListener {
  message(text: string): void;
  /** The other end is gone, or this one closed it; nothing comes after. */
  closed(reason: string): void;
}

/**
 * One end of a line that carries texts in order, over a `MessagePort`, a WebSocket, or whatever you write one for. The inspector
 * looks at `unread` before it sends, so an end that doesn't count it buffers without bound.
 */
export interface InspectorConnection {
  /** Characters or bytes sent that the other end has not read, as far as this end knows. */
  readonly unread: number;
  /** Has messages told, from the first one on. Called once. */
  open(listener: ConnectionListener): void;
  send(text: string): void;
  /** Stops reading until {@link InspectorConnection.resume}, where the line can; what has arrived may still be told. */
  pause(): void;
  resume(): void;
  /** Ends it, and tells both listeners why. Harmless when it has ended. */
  close(reason: string): void;
}
