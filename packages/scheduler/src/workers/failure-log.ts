import { packError, unpackError, type RemoteError } from '@ecliptic/core';
import type { Job } from './job-board.js';

const HEADER_BYTES = 4;
const ENTRY_HEADER_BYTES = 16;
const TEXT_BYTES = 16_384;
const NO_TEXT = 'Too many systems failed on one worker for this one to say why';

/** What a job threw. */
export interface JobFailure {
  readonly system: number;
  readonly part: number;
  readonly start: number;
  readonly error: unknown;
}

/** Bytes of a log of up to `systems` systems, with some KiB of text. */
export function failureLogBytes(systems: number): number {
  return HEADER_BYTES + systems * ENTRY_HEADER_BYTES + TEXT_BYTES;
}

/**
 * What jobs on one worker threw in this wave, in shared memory: written by the worker before it calls the job
 * done, read and emptied by the owner when the wave is over. Of each system the first failure is kept, be it
 * without its text: one that were left out would leave the system half done without a word.
 */
export class FailureLog {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #systems: number;

  /** Maps {@link failureLogBytes} of `buffer` from `offset` on. */
  constructor(buffer: SharedArrayBuffer, offset: number, systems: number) {
    const bytes = failureLogBytes(systems) - HEADER_BYTES;
    this.#words = new Int32Array(buffer, offset, 1);
    this.#bytes = new Uint8Array(buffer, offset + HEADER_BYTES, bytes);
    this.#systems = systems;
  }

  /** Worker: adds what a job threw, if it is the first of its system. Jobs come in order of their rows. */
  write(job: Job, error: unknown): void {
    const used = this.#words[0] ?? 0;
    let others = 0;
    for (let at = 0; at < used; others++) {
      const view = this.#viewOf(at);
      if (view.getInt32(4) === job.system) return;
      at += ENTRY_HEADER_BYTES + view.getInt32(0);
    }
    // Half of what is left, so that others have room for texts, too.
    const reserved = (this.#systems - others) * ENTRY_HEADER_BYTES;
    const encoded = encode(error, Math.floor((this.#bytes.length - used - reserved) / 2));
    const view = this.#viewOf(used);
    view.setInt32(0, encoded.length);
    view.setInt32(4, job.system);
    view.setInt32(8, job.part);
    view.setInt32(12, job.start);
    this.#bytes.set(encoded, used + ENTRY_HEADER_BYTES);
    this.#words[0] = used + ENTRY_HEADER_BYTES + encoded.length;
  }

  /** Owner: whether there is anything. */
  get isEmpty(): boolean {
    return this.#words[0] === 0;
  }

  /** Owner: takes all, in order of writing. */
  drain(): JobFailure[] {
    const used = this.#words[0] ?? 0;
    const failures: JobFailure[] = [];
    for (let at = 0; at < used;) {
      const view = this.#viewOf(at);
      const length = view.getInt32(0);
      const start = at + ENTRY_HEADER_BYTES;
      // A text decoder refuses shared memory: decode a copy.
      const text = new TextDecoder().decode(this.#bytes.slice(start, start + length));
      failures.push({
        system: view.getInt32(4),
        part: view.getInt32(8),
        start: view.getInt32(12),
        error: length === 0 ? new Error(NO_TEXT) : unpackError(JSON.parse(text)),
      });
      at = start + length;
    }
    this.#words[0] = 0;
    return failures;
  }

  #viewOf(entry: number): DataView {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + entry);
  }
}

/** The error as JSON of at most `room` bytes, with less of it if need be; empty if nothing fits. */
function encode(error: unknown, room: number): Uint8Array {
  const packed = packError(error);
  const { name, message, stack, ecliptic } = packed;
  const bare = ecliptic && { code: ecliptic.code, subjects: {}, fix: undefined };
  const shorter: RemoteError[] = [
    packed,
    { ...packed, stack: stack?.slice(0, 1_000) },
    { name, message, stack, ...(bare && { ecliptic: bare }) },
    { name, message: message.slice(0, 500), stack: undefined, ...(bare && { ecliptic: bare }) },
  ];
  for (const attempt of shorter) {
    const text = toJson(attempt);
    if (text === undefined) continue;
    const bytes = new TextEncoder().encode(text);
    if (bytes.length <= room) return bytes;
  }
  return new Uint8Array();
}

/** `undefined` where subjects are what JSON has no text for: a cycle, a big integer. */
function toJson(error: RemoteError): string | undefined {
  try {
    return JSON.stringify(error);
  } catch {
    return undefined;
  }
}
