/** The thread that renders, as its platform presents it. */
export interface RenderScope {
  /** Whether this is a worker at all, and not a page or a main thread that imported the same module. */
  readonly isWorker: boolean;
  /** Hears the owner's messages. */
  onMessage(listener: (message: unknown) => void): void;
  post(message: unknown): void;
  /**
   * Calls back when the next frame is due: with the display where there is one to follow, else after
   * `delay` milliseconds. The event loop turns in between.
   */
  nextFrame(callback: () => void, delay: number): void;
  /** Ends this worker. */
  close(): void;
}
