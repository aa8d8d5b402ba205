import type { EventLog } from '@ecliptic/core';

/** Who wants to know of something. One that throws is logged, and stops nobody else. */
export class ListenerSet<Event> {
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #log: EventLog;

  constructor(log: EventLog) {
    this.#log = log;
  }

  /** @returns a function that ends it */
  add(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** @param subject - what a failure is logged with */
  tell(event: Event, subject: Readonly<Record<string, unknown>>): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#log.error('listener_threw', { ...subject, error });
      }
    }
  }
}
