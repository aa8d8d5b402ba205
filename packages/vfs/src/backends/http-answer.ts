import { type Clock, NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import { abortable } from './abortable.js';
import { pathError } from './checks.js';

/** Which bytes of an answer are wanted, and how many it must have. */
export interface AnswerPart {
  readonly skip: number;
  readonly take: number;
  readonly least: number;
  readonly most: number;
}

/**
 * One request and its answer, given up when nothing comes for `timeout` milliseconds, or when `signal` is
 * aborted. Every one must be read to its end, or closed.
 */
export class HttpAnswer {
  readonly #path: VFSPath;
  readonly #clock: Clock;
  readonly #timeout: number;
  readonly #signal: AbortSignal | undefined;
  readonly #controller = new AbortController();
  #response = new Response();

  constructor(path: VFSPath, clock: Clock, timeout: number, signal: AbortSignal | undefined) {
    this.#path = path;
    this.#clock = clock;
    this.#timeout = timeout;
    this.#signal = signal;
  }

  get response(): Response {
    return this.#response;
  }

  /** Whether there is no point in asking again: it was aborted, or took too long. */
  get over(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Sends the request. @throws VFSError `vfs/network`, the signal's reason */
  async ask(request: typeof fetch, url: string, init: RequestInit): Promise<void> {
    this.#signal?.throwIfAborted();
    this.#signal?.addEventListener('abort', this.#stop, { once: true });
    try {
      this.#response = await this.#heard(
        request(url, { ...init, signal: this.#controller.signal }),
      );
    } catch (cause) {
      this.#signal?.removeEventListener('abort', this.#stop);
      throw this.#failure("can't be reached", cause);
    }
  }

  /** The wanted bytes, piece by piece. @throws VFSError `vfs/network`, the signal's reason */
  async *pieces({ skip, take, least, most }: AnswerPart): AsyncGenerator<Uint8Array, void> {
    const reader = this.#response.body?.getReader();
    let at = 0;
    try {
      // Where the length is certain the end is waited for, to see that it is right.
      while (reader && (most !== Infinity || at < skip + take)) {
        const { done, value } = await this.#heard(reader.read());
        if (done) break;
        const piece = value.subarray(Math.max(0, skip - at), Math.max(0, skip + take - at));
        at += value.length;
        if (at > most) throw network(this.#path, `came with more than the ${most} bytes asked for`);
        if (piece.length > 0) yield piece;
      }
      if (at < least) throw network(this.#path, `came with ${at} bytes, not ${least}`);
    } catch (cause) {
      throw this.#failure('broke off', cause);
    } finally {
      this.close();
    }
  }

  /** The wanted bytes. Errors as {@link HttpAnswer.pieces}. */
  async bytes(part: AnswerPart): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this.pieces(part)) {
      pieces.push(piece);
      length += piece.length;
    }
    const [only] = pieces;
    if (only?.length === length && only.buffer.byteLength === length) return only;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  /** Lets go of the connection. What was not read is not wanted. */
  close(): void {
    this.#signal?.removeEventListener('abort', this.#stop);
    this.#controller.abort();
  }

  readonly #stop = (): void => {
    this.#controller.abort(this.#signal?.reason);
  };

  /** `work`, unless it takes too long. Only the server's time counts, not that of a slow reader. */
  async #heard<T>(work: Promise<T>): Promise<T> {
    const cancel = this.#clock.schedule(this.#timeout * NANOSECONDS_PER_MILLISECOND, () => {
      this.#controller.abort(network(this.#path, `was silent for ${this.#timeout} ms`));
    });
    try {
      return await abortable(work, this.#controller.signal);
    } finally {
      cancel();
    }
  }

  #failure(what: string, cause: unknown): unknown {
    if (this.over) return this.#controller.signal.reason;
    return cause instanceof VFSError ? cause : network(this.#path, what, cause);
  }
}

/** A {@link VFSError} of the connection. */
export function network(path: VFSPath, what: string, cause?: unknown): VFSError {
  return pathError('vfs/network', path, what, 'Check the connection and the server.', cause);
}
