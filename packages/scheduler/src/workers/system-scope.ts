/** The thread that serves systems, as its platform presents it. */
export interface SystemScope {
  /** Whether this is a worker at all, and not a page or a main thread that imported the same module. */
  readonly isWorker: boolean;
  /** Threads that this machine runs at once. */
  readonly cores: number;
  /** Hears the owner's first message. */
  onStart(listener: (message: unknown) => void): void;
  post(message: unknown): void;
  /** Ends this worker. */
  close(): void;
}
