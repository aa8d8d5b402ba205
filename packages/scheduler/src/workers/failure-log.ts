import { EclipticError } from '@ecliptic/core';
import type { Job } from './job-board.js';

const HEADER_BYTES = 4;
const ENTRY_HEADER_BYTES = 16;

/** An error on its way from a worker to the owner. */
interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code?: string;
  readonly subjects?: Readonly<Record<string, unknown>>;
}

/** What a job threw. */
export interface JobFailure {
  readonly system: number;
  readonly part: number;
  readonly start: number;
  readonly error: unknown;
}

/**
 * What jobs on one worker threw in this wave, in shared memory: written by the worker before it calls the job
 * done, read and emptied by the owner when the wave is over. What does not fit is cut or left out; the first
 * always fits.
 */
export class FailureLog {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;

  /** Maps `byteLength` bytes of `buffer`. */
  constructor(buffer: SharedArrayBuffer, offset: number, byteLength: number) {
    this.#words = new Int32Array(buffer, offset, 1);
    this.#bytes = new Uint8Array(buffer, offset + HEADER_BYTES, byteLength - HEADER_BYTES);
  }

  /** Worker: adds what a job threw. */
  write(job: Job, error: unknown): void {
    const used = this.#words[0] ?? 0;
    const room = this.#bytes.length - used - ENTRY_HEADER_BYTES;
    const encoded = encode(error, room);
    if (encoded === undefined) return;
    const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + used);
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
      const view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset + at);
      const length = view.getInt32(0);
      const start = at + ENTRY_HEADER_BYTES;
      // A text decoder refuses shared memory: decode a copy.
      const text = new TextDecoder().decode(this.#bytes.slice(start, start + length));
      failures.push({
        system: view.getInt32(4),
        part: view.getInt32(8),
        start: view.getInt32(12),
        error: unpackError(JSON.parse(text)),
      });
      at = start + length;
    }
    this.#words[0] = 0;
    return failures;
  }
}

/** What of an error survives JSON and structured cloning. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  const { name, message, stack = '' } = error;
  if (!(error instanceof EclipticError)) return { name, message, stack };
  const { code, subjects } = error;
  return { name, message, stack, code, ...(isJson(subjects) && { subjects }) };
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

/** The error again, with the stack it had where it was thrown. */
export function unpackError({ name, message, stack, code, subjects = {} }: PackedError): Error {
  const error =
    code === undefined ? new Error(message) : new EclipticError(code, message, { subjects });
  error.name = name;
  if (stack !== '') error.stack = stack;
  return error;
}

/** The error as JSON of at most `room` bytes, with less stack and message if need be. */
function encode(error: unknown, room: number): Uint8Array | undefined {
  const packed = packError(error);
  const { stack, message } = packed;
  const { name, code } = packed;
  const shorter: PackedError[] = [packed, { ...packed, stack: stack.slice(0, 1_000) }];
  shorter.push({ name, stack: '', message: message.slice(0, 500), ...(code && { code }) });
  for (const attempt of shorter) {
    const bytes = new TextEncoder().encode(JSON.stringify(attempt));
    if (bytes.length <= room) return bytes;
  }
  return undefined;
}
