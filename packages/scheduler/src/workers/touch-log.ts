import { EclipticError } from '@ecliptic/core';
import { GrowingBuffer } from './growing-buffer.js';

const RECORD_WORDS = 5;

/** Rows `from` to `to - 1` of a component in a part, which a system reports as changed. */
export interface TouchRecord {
  readonly system: number;
  readonly part: number;
  /** Position among the components of the system's first query. */
  readonly component: number;
  readonly from: number;
  readonly to: number;
}

/**
 * The rows that jobs on one thread reported as changed in this wave, for components that track rows: written by
 * that thread, read and emptied by the owner when the wave is over. Neighbouring rows are one record. Grows.
 */
export class TouchLog {
  readonly #memory: GrowingBuffer;
  #words: Int32Array;

  /** @param buffer - made by {@link GrowingBuffer.allocate} */
  constructor(buffer: SharedArrayBuffer) {
    this.#memory = new GrowingBuffer(buffer);
    this.#words = wordsOf(buffer);
  }

  /** Owner: whether there is anything. */
  get isEmpty(): boolean {
    return this.#words[0] === 0;
  }

  /**
   * Adds a row.
   *
   * @throws EclipticError `scheduler/touch-log-full` at a GiB of records
   */
  write(system: number, part: number, component: number, row: number): void {
    const words = this.#words;
    const count = words[0] ?? 0;
    const last = 1 + (count - 1) * RECORD_WORDS;
    const isNext =
      count > 0 &&
      words[last] === system &&
      words[last + 1] === part &&
      words[last + 2] === component &&
      words[last + 4] === row;
    if (isNext) {
      words[last + 4] = row + 1;
      return;
    }
    const next = last + RECORD_WORDS;
    if (next + RECORD_WORDS > words.length) {
      this.#grow((next + RECORD_WORDS) * 4, count);
      this.write(system, part, component, row);
      return;
    }
    words[next] = system;
    words[next + 1] = part;
    words[next + 2] = component;
    words[next + 3] = row;
    words[next + 4] = row + 1;
    words[0] = count + 1;
  }

  /** Owner: takes all records. */
  drain(): TouchRecord[] {
    const { buffer } = this.#memory;
    if (buffer.byteLength > this.#words.byteLength) this.#words = wordsOf(buffer);
    const records = Array.from({ length: this.#words[0] ?? 0 }, (_, i): TouchRecord => {
      const at = 1 + i * RECORD_WORDS;
      const [system = 0, part = 0, component = 0, from = 0, to = 0] = this.#words.subarray(
        at,
        at + RECORD_WORDS,
      );
      return { system, part, component, from, to };
    });
    this.#words[0] = 0;
    return records;
  }

  #grow(bytes: number, count: number): void {
    if (!this.#memory.grow(bytes)) {
      throw new EclipticError(
        'scheduler/touch-log-full',
        `Worker systems reported more than ${count} separate rows as changed on one thread in one wave`,
        { fix: "Use trackChanges: 'chunks' for the component, or drop worker." },
      );
    }
    this.#words = wordsOf(this.#memory.buffer);
  }
}

/** Of fixed length, however the memory grows. */
function wordsOf(buffer: SharedArrayBuffer): Int32Array {
  return new Int32Array(buffer, 0, buffer.byteLength / 4);
}
