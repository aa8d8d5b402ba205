import { EclipticError } from '@ecliptic/core';
import type { Job } from './job-board.js';

/** What a record asks for. */
export const RecordKind = { create: 0, destroy: 1, add: 2, set: 3, remove: 4 } as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];

/** One structural change that a job asked for. */
export interface CommandRecord {
  readonly kind: RecordKind;
  readonly system: number;
  readonly part: number;
  readonly start: number;
  /** The target; what `create` gives is a placeholder of this job. */
  readonly entity: number;
  /** Name of the component, or empty. */
  readonly component: string;
  readonly value: object | undefined;
}

const HEADER_BYTES = 4;
const RECORD_HEADER_BYTES = 28;

/**
 * The structural changes that jobs on one thread asked for in this wave, in order: written by that thread,
 * read and emptied by the owner when the wave is over.
 */
export class CommandLog {
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();

  /** Maps `byteLength` bytes of `buffer`. */
  constructor(buffer: ArrayBufferLike, offset: number, byteLength: number) {
    this.#words = new Int32Array(buffer, offset, 1);
    this.#bytes = new Uint8Array(buffer, offset + HEADER_BYTES, byteLength - HEADER_BYTES);
    this.#view = new DataView(buffer, offset + HEADER_BYTES, byteLength - HEADER_BYTES);
  }

  /** Owner: whether there is anything. */
  get isEmpty(): boolean {
    return this.#words[0] === 0;
  }

  /**
   * Adds a record.
   *
   * @throws EclipticError `scheduler/command-log-full`
   */
  write(job: Job, kind: RecordKind, entity: number, component: string, value?: object): void {
    const used = this.#words[0] ?? 0;
    const name = component === '' ? NOTHING : this.#encoder.encode(component);
    const body = value === undefined ? NOTHING : this.#encoder.encode(toText(value));
    const end = used + RECORD_HEADER_BYTES + name.length + body.length;
    if (end > this.#bytes.length) {
      throw new EclipticError(
        'scheduler/command-log-full',
        `Worker systems asked for more than ${this.#bytes.length} bytes of commands on one thread in one wave`,
        { fix: 'Spread the changes over several ticks, or drop worker.' },
      );
    }
    const view = this.#view;
    view.setInt32(used, kind);
    view.setInt32(used + 4, job.system);
    view.setInt32(used + 8, job.part);
    view.setInt32(used + 12, job.start);
    view.setInt32(used + 16, entity);
    view.setInt32(used + 20, name.length);
    view.setInt32(used + 24, body.length);
    this.#bytes.set(name, used + RECORD_HEADER_BYTES);
    this.#bytes.set(body, used + RECORD_HEADER_BYTES + name.length);
    this.#words[0] = end;
  }

  /** Owner: takes all records, in order of writing. */
  drain(): CommandRecord[] {
    const used = this.#words[0] ?? 0;
    const records: CommandRecord[] = [];
    for (let at = 0; at < used;) {
      const view = this.#view;
      const nameStart = at + RECORD_HEADER_BYTES;
      const bodyStart = nameStart + view.getInt32(at + 20);
      const end = bodyStart + view.getInt32(at + 24);
      records.push({
        kind: view.getInt32(at) as RecordKind,
        system: view.getInt32(at + 4),
        part: view.getInt32(at + 8),
        start: view.getInt32(at + 12),
        entity: view.getInt32(at + 16),
        component: this.#text(nameStart, bodyStart),
        value: bodyStart === end ? undefined : fromText(this.#text(bodyStart, end)),
      });
      at = end;
    }
    this.#words[0] = 0;
    return records;
  }

  /** A text decoder refuses shared memory: it gets a copy. */
  #text(start: number, end: number): string {
    return start === end ? '' : this.#decoder.decode(this.#bytes.slice(start, end));
  }
}

const NOTHING = new Uint8Array(0);

/** Numbers that JSON has not, by their names. */
const ODD_NUMBERS = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity, '-0': -0 } as const;

function toText(value: object): string {
  return JSON.stringify(value, (_, each: unknown) => {
    if (ArrayBuffer.isView(each)) return Array.from(each as Float32Array);
    if (typeof each !== 'number') return each;
    if (Object.is(each, -0)) return { $number: '-0' };
    return Number.isFinite(each) ? each : { $number: String(each) };
  });
}

function fromText(text: string): object {
  // Looking at each value is what takes long, and few texts need it.
  if (!text.includes('"$number"')) return JSON.parse(text) as object;
  return JSON.parse(text, (_, each: unknown) => {
    const odd = (each as { $number?: keyof typeof ODD_NUMBERS } | null)?.$number;
    return odd === undefined ? each : ODD_NUMBERS[odd];
  }) as object;
}
