import type { AnyMethod } from '../inspector-method.js';
import { toRpcError } from '../protocol/rpc-error.js';

/** A question that is asked again and again, and answered when the answer has changed. */
export class LiveQuery {
  readonly id: number;
  /** When it is to be asked next, nanoseconds of the inspector's clock. */
  due = 0;
  /** It failed, and its client was told. */
  ended = false;
  readonly #method: AnyMethod;
  readonly #interval: number;
  #params: unknown;
  #last = '';

  /** @param interval - nanoseconds */
  constructor(id: number, method: AnyMethod, params: unknown, interval: number) {
    this.id = id;
    this.#method = method;
    this.#params = params;
    this.#interval = interval;
  }

  /** Asks. @returns the message for the client, or `undefined` where nothing has changed */
  ask(now: number, client: string): string | undefined {
    this.due = now + this.#interval;
    try {
      const result = this.#method.run(this.#params, client);
      return this.#isNew(result) ? this.#message('result', this.#last) : undefined;
    } catch (error) {
      this.ended = true;
      return this.#message('error', JSON.stringify(toRpcError(error)));
    }
  }

  #isNew(result: unknown): boolean {
    const { advance } = this.#method;
    const next = advance?.(this.#params, result);
    if (advance !== undefined && next === undefined) return false;
    this.#params = next ?? this.#params;
    const text = JSON.stringify(result);
    if (text === this.#last) return false;
    this.#last = text;
    return true;
  }

  #message(kind: 'result' | 'error', json: string): string {
    return `{"jsonrpc":"2.0","method":"inspector.update","params":{"subscription":${this.id},"${kind}":${json}}}`;
  }
}
