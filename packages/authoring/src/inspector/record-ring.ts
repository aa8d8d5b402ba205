/** Records of a `RecordRing` after a number. */
export interface RecordPage<T> {
  readonly records: readonly T[];
  /** Number of the last of them, to ask for those after it. */
  readonly next: number;
  /** Records after the number asked for that are gone already. */
  readonly lost: number;
}

/** The newest records of a stream, numbered from 1. */
export class RecordRing<T> {
  readonly #records: (T | undefined)[];
  #count = 0;

  /** @param capacity - records kept */
  constructor(capacity: number) {
    this.#records = Array.from({ length: capacity });
  }

  push(record: T): void {
    this.#records[this.#count++ % this.#records.length] = record;
  }

  /** At most `limit` records after number `after`, oldest first. */
  read(after: number, limit: number): RecordPage<T> {
    const known = Math.min(after, this.#count);
    const first = Math.max(known, this.#count - this.#records.length);
    const next = Math.min(first + limit, this.#count);
    const records: T[] = [];
    for (let i = first; i < next; i++) {
      const record = this.#records[i % this.#records.length];
      if (record !== undefined) records.push(record);
    }
    return { records, next, lost: first - known };
  }
}
