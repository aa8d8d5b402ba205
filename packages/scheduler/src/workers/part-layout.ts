import { GrowingBuffer } from './growing-buffer.js';
import { RowRuns } from './row-runs.js';

/** Any column that workers can see. */
export type SharedColumn =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

const CONSTRUCTORS = [
  Float32Array,
  Float64Array,
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
] as const;

type ColumnConstructor = new (
  buffer: ArrayBufferLike,
  offset: number,
  length: number,
) => SharedColumn;

/** Version, rows, first run of selected rows, number of these runs. */
const PART_HEADER = 4;
const COLUMN_WORDS = 3;
const ABSENT = 0xffff_ffff;

/** What can be cloned to a worker to give it a {@link PartLayout} over the same memory. */
export interface PartLayoutMemory {
  readonly buffer: SharedArrayBuffer;
  /** Columns of each query of all systems together, one after the other. */
  readonly columns: readonly number[];
  readonly maxParts: number;
  /** Of each query that does not visit all rows of its tables: those that it does. */
  readonly runs: readonly (SharedArrayBuffer | undefined)[];
}

/**
 * Where the columns of tables lie in the arena, in shared memory: for each query the tables it matches
 * ("parts"), for each part the number of rows and of each column the place. The owner keeps it up to date
 * between waves; workers read it while they run a job.
 */
export class PartLayout {
  readonly memory: PartLayoutMemory;
  readonly #words: Uint32Array;
  readonly #starts: readonly number[];
  /** Selected rows, of queries that don't visit all. */
  readonly runs: readonly (RowRuns | undefined)[];

  /** Maps `memory`, which {@link PartLayout.allocate} made. */
  constructor(memory: PartLayoutMemory) {
    this.memory = memory;
    this.#words = new Uint32Array(memory.buffer);
    this.runs = memory.runs.map((buffer) => buffer && new RowRuns(buffer));
    const starts: number[] = [];
    let start = 0;
    for (const columns of memory.columns) {
      starts.push(start);
      start += 1 + memory.maxParts * partWords(columns);
    }
    this.#starts = starts;
  }

  /**
   * @param columns - of each query
   * @param filtered - whether it does not visit all rows of its tables, of each query
   * @param maxParts - most tables of a query that workers can be given
   */
  static allocate(
    columns: readonly number[],
    filtered: readonly boolean[],
    maxParts: number,
  ): PartLayout {
    const words = columns.reduce((sum, count) => sum + 1 + maxParts * partWords(count), 1);
    const runs = filtered.map((each) => (each ? GrowingBuffer.allocate() : undefined));
    return new PartLayout({ buffer: new SharedArrayBuffer(words * 4), columns, maxParts, runs });
  }

  /** Parts of a query. */
  partsOf(query: number): number {
    return this.#words[this.#starts[query] ?? 0] ?? 0;
  }

  setParts(query: number, parts: number): void {
    this.#words[this.#starts[query] ?? 0] = parts;
  }

  rowsOf(query: number, part: number): number {
    return this.#words[this.#at(query, part) + 1] ?? 0;
  }

  /** Rises whenever a column of the part moves. */
  versionOf(query: number, part: number): number {
    return this.#words[this.#at(query, part)] ?? 0;
  }

  setRows(query: number, part: number, rows: number): void {
    this.#words[this.#at(query, part) + 1] = rows;
  }

  /** Owner: which runs of selected rows are of the part; `undefined` where it is not visited at all. */
  setRuns(query: number, part: number, first: number, count: number | undefined): void {
    const start = this.#at(query, part);
    this.#words[start + 2] = first;
    this.#words[start + 3] = count ?? ABSENT;
  }

  /** First of the part's runs of selected rows. */
  firstRunOf(query: number, part: number): number {
    return this.#words[this.#at(query, part) + 2] ?? 0;
  }

  /** How many there are; `undefined` where the part is not visited at all. */
  runsOf(query: number, part: number): number | undefined {
    const count = this.#words[this.#at(query, part) + 3];
    return count === ABSENT ? undefined : count;
  }

  /** Owner: writes down where the columns are now; `undefined` for those that the table has not. */
  setColumns(query: number, part: number, columns: readonly (SharedColumn | undefined)[]): void {
    const start = this.#at(query, part);
    let word = start + PART_HEADER;
    for (const column of columns) {
      this.#words[word] = column === undefined ? ABSENT : column.byteOffset;
      this.#words[word + 1] = column?.length ?? 0;
      this.#words[word + 2] = CONSTRUCTORS.findIndex((each) => column instanceof each);
      word += COLUMN_WORDS;
    }
    this.#words[start] = (this.#words[start] ?? 0) + 1;
  }

  /** Worker: the part's columns over `buffer`, the arena's. */
  columnsOf(query: number, part: number, buffer: SharedArrayBuffer): (SharedColumn | undefined)[] {
    const columns: (SharedColumn | undefined)[] = [];
    let word = this.#at(query, part) + PART_HEADER;
    for (let i = 0; i < (this.memory.columns[query] ?? 0); i++) {
      const offset = this.#words[word] ?? ABSENT;
      const length = this.#words[word + 1] ?? 0;
      const Constructor = CONSTRUCTORS[this.#words[word + 2] ?? 0] as ColumnConstructor | undefined;
      const absent = offset === ABSENT || Constructor === undefined;
      columns.push(absent ? undefined : new Constructor(buffer, offset, length));
      word += COLUMN_WORDS;
    }
    return columns;
  }

  #at(query: number, part: number): number {
    const start = this.#starts[query] ?? 0;
    return start + 1 + part * partWords(this.memory.columns[query] ?? 0);
  }
}

function partWords(columns: number): number {
  return PART_HEADER + columns * COLUMN_WORDS;
}
