import type { InspectorConnection } from '../connection/inspector-connection.js';
import type { InspectorLimits } from '../inspector-limits.js';

/** Messages of one client that wait to be answered: a bounded queue that makes a client who sends too many wait. */
export class Inbox {
  readonly #connection: InspectorConnection;
  readonly #limits: InspectorLimits;
  readonly #texts: string[] = [];
  #size = 0;
  #paused = false;

  constructor(connection: InspectorConnection, limits: InspectorLimits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  push(text: string): void {
    const { flood, waiting, size } = this.#limits;
    this.#texts.push(text);
    this.#size += text.length;
    if (this.#texts.length > flood || this.#size > size * waiting) {
      this.#connection.close('it sends more than can be answered');
    } else if (this.#texts.length > waiting && !this.#paused) {
      this.#paused = true;
      this.#connection.pause();
    }
  }

  /** The oldest one. */
  take(): string | undefined {
    const text = this.#texts.shift();
    this.#size -= text?.length ?? 0;
    if (this.#paused && this.#texts.length === 0) {
      this.#paused = false;
      this.#connection.resume();
    }
    return text;
  }

  clear(): void {
    this.#texts.length = 0;
    this.#size = 0;
  }
}
