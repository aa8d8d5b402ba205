import { EclipticError } from '@ecliptic/core';
import type {
  ReadBackAnswer,
  ReadBackRequest,
  ReadBackResult,
  Screenshot,
} from '../messages/read-back.js';
import type { RenderMessage } from '../messages/render-message.js';
import type { Outbox } from '../queue/outbox.js';
import type { ReliableSender } from '../queue/reliable-queue.js';

interface Waiting {
  readonly resolve: (result: ReadBackResult) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Asks the renderer about its image: which instance is at a pixel, its colour, all of it. The answer is about the first frame
 * that is drawn after the request arrives, so it takes a frame or more, and as long as nothing is drawn: give a signal
 * where that matters. Nothing for every frame: each answer is a copy out of the device.
 *
 * Promises reject with `render-sync/read-back-failed` when the backend can't, when the coordinates are outside the image, or
 * when the renderer ends; with `render-sync/queue-full` when it is far behind; and with the signal's reason.
 *
 * @example
 * ```ts
 * const { width, height, pixels } = await sync.readBacks.screenshot();
 * ```
 */
export class ReadBacks {
  readonly #outbox: Outbox<RenderMessage>;
  #messages: ReliableSender<RenderMessage>;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: Error | undefined;

  constructor(outbox: Outbox<RenderMessage>, messages: ReliableSender<RenderMessage>) {
    this.#outbox = outbox;
    this.#messages = messages;
    this.#listen();
  }

  /** Asks another renderer from now on; what waits is rejected. The outbox has to be attached to the same. */
  attach(messages: ReliableSender<RenderMessage>): void {
    this.dispose();
    this.#messages = messages;
    this.#ended = undefined;
    this.#listen();
  }

  /** Requests without an answer. */
  get pending(): number {
    return this.#waiting.size;
  }

  /**
   * The instance that is seen at a pixel; see `RenderSync.pick` for its entity.
   *
   * @param x - physical pixels from the left
   * @param y - physical pixels from the top
   */
  async pick(x: number, y: number, signal?: AbortSignal): Promise<number | undefined> {
    const result = await this.#ask({ kind: 'pick', x: Math.floor(x), y: Math.floor(y) }, signal);
    return result.kind === 'pick' ? result.instance : undefined;
  }

  /**
   * The colour of a pixel: red, green, blue, alpha, 0 to 255, sRGB.
   *
   * @param x - physical pixels from the left
   * @param y - physical pixels from the top
   */
  async pixel(
    x: number,
    y: number,
    signal?: AbortSignal,
  ): Promise<readonly [number, number, number, number]> {
    const result = await this.#ask({ kind: 'pixel', x: Math.floor(x), y: Math.floor(y) }, signal);
    if (result.kind !== 'pixel') throw failed(`The answer is a ${result.kind}`);
    return result.color;
  }

  /** The whole image, as it was shown. */
  async screenshot(signal?: AbortSignal): Promise<Screenshot> {
    const result = await this.#ask({ kind: 'screenshot' }, signal);
    if (result.kind !== 'screenshot') throw failed(`The answer is a ${result.kind}`);
    const { width, height, pixels } = result;
    return { width, height, pixels };
  }

  /** Rejects what waits, and whatever is asked from now on. */
  dispose(cause?: Error): void {
    this.#ended ??= failed('The renderer has ended', cause);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
    this.#messages.holdForAnswers(false);
  }

  #listen(): void {
    const messages = this.#messages;
    messages.onAnswer((answer) => this.#hear(answer as ReadBackAnswer));
    messages.onEnd((cause) => {
      if (messages === this.#messages) this.dispose(cause);
    });
  }

  #ask(request: ReadBackRequest, signal: AbortSignal | undefined): Promise<ReadBackResult> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#ended) throw this.#ended;
      const id = ++this.#asked;
      this.#outbox.post({ kind: 'read-back', id, request });
      const onAbort = (): void => {
        this.#take(id);
        reject(signal?.reason as Error);
      };
      const settle = <T>(then: (value: T) => void) => {
        return (value: T): void => {
          signal?.removeEventListener('abort', onAbort);
          then(value);
        };
      };
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      signal?.addEventListener('abort', onAbort);
      this.#messages.holdForAnswers(true);
    });
  }

  #hear(answer: ReadBackAnswer): void {
    const waiting = this.#take(answer.id);
    if ('result' in answer) waiting?.resolve(answer.result);
    else waiting?.reject(failed(answer.problem));
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#messages.holdForAnswers(false);
    return waiting;
  }
}

function failed(problem: string, cause?: Error): EclipticError {
  return new EclipticError('render-sync/read-back-failed', problem, {
    ...(cause === undefined ? {} : { cause }),
    fix: 'Ask for pixels inside the image, of a backend that reads back, while it runs.',
  });
}
