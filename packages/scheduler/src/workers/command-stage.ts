import { EclipticError } from '@ecliptic/core';
import { CommandRecorder, RecordedCommands, type Component, type RecordedRun } from '@ecliptic/ecs';
import { GrowingBuffer } from './growing-buffer.js';
import { MAX_JOBS, type Job } from './job-board.js';
import { layoutOf } from './worker-system.js';

/** What one job recorded. */
export interface StagedRun extends RecordedRun {
  readonly system: number;
  readonly part: number;
  readonly start: number;
  readonly recorded: RecordedCommands;
}

/** A component as another thread knows it. */
export interface ComponentName {
  readonly name: string;
  /** Its fields as text. */
  readonly layout: string;
}

const RUNS = 0;
const NAME_BYTES = 1;
const HEADER_WORDS = 2;
const RUN_WORDS = 7;
const MAX_NAME_BYTES = 65_536;
const DIRECTORY_WORDS = HEADER_WORDS + MAX_JOBS * RUN_WORDS;

/** Bytes of a stage beside its records. */
export const STAGE_BYTES: number = DIRECTORY_WORDS * 4 + MAX_NAME_BYTES;

/**
 * The structural changes that jobs on one thread asked for in this wave: packed records in shared memory that grows,
 * and a directory of which job wrote where. Written by that thread; taken by the owner when the wave is over.
 *
 * Records name components by numbers; what these mean is written down when a number is first used, and stays, also for a worker
 * that takes the place of another.
 */
export class CommandStage {
  readonly #words: Int32Array;
  readonly #names: Uint8Array;
  readonly #recorded: RecordedCommands;
  /** What jobs are given. */
  readonly commands: CommandRecorder;
  readonly #known: ComponentName[] = [];
  readonly #components: Component[] = [];
  #nameBytes = 0;
  /** Where the records of the present job begin, and those of the last that went well end. */
  #from = 0;
  #firstPlaceholder = 0;

  /**
   * @param buffer - where the directory is, in the `STAGE_BYTES` from `offset` on
   * @param records - made by {@link GrowingBuffer.allocate}
   * @param find - the component of a name; only the owner has it
   * @param development - refuse values that don't fit the schema
   */
  constructor(
    buffer: ArrayBufferLike,
    offset: number,
    records: SharedArrayBuffer,
    find: (name: ComponentName) => Component,
    development: boolean,
  ) {
    this.#words = new Int32Array(buffer, offset, DIRECTORY_WORDS);
    this.#names = new Uint8Array(buffer, offset + DIRECTORY_WORDS * 4, MAX_NAME_BYTES);
    this.#recorded = new RecordedCommands(
      records,
      (number) => (this.#components[number] ??= find(this.#nameOf(number))),
    );
    this.commands = new CommandRecorder(
      new GrowingBuffer(records),
      (component) => this.#numberOf(component),
      development,
    );
  }

  /** What is recorded from now on is of one job. What the last one recorded is taken back unless it went well. */
  begin(): void {
    if (this.#words[RUNS] === 0) {
      this.commands.reset();
      this.#from = 0;
    } else {
      this.commands.rewind(this.#from);
    }
    this.#firstPlaceholder = this.commands.nextPlaceholder;
  }

  /** The job went well: what it recorded is to be taken. */
  end(job: Job): void {
    const { end, nextPlaceholder } = this.commands;
    if (end === this.#from) return;
    const words = this.#words;
    const runs = words[RUNS] ?? 0;
    const at = HEADER_WORDS + runs * RUN_WORDS;
    words[at] = job.system;
    words[at + 1] = job.part;
    words[at + 2] = job.start;
    words[at + 3] = this.#from;
    words[at + 4] = end;
    words[at + 5] = this.#firstPlaceholder;
    words[at + 6] = nextPlaceholder - this.#firstPlaceholder;
    words[RUNS] = runs + 1;
    this.#from = end;
  }

  /** Owner: whether there is anything. */
  get isEmpty(): boolean {
    return this.#words[RUNS] === 0;
  }

  /** Owner: takes all; their records stay where they are until the next wave. */
  drain(): StagedRun[] {
    const runs = Array.from({ length: this.#words[RUNS] ?? 0 }, (_, i): StagedRun => {
      const at = HEADER_WORDS + i * RUN_WORDS;
      const [system = 0, part = 0, start = 0, from = 0, to = 0, firstPlaceholder = 0, created = 0] =
        this.#words.subarray(at, at + RUN_WORDS);
      return { system, part, start, from, to, firstPlaceholder, created, recorded: this.#recorded };
    });
    this.#words[RUNS] = 0;
    return runs;
  }

  #nameOf(number: number): ComponentName {
    this.#readNames();
    const name = this.#known[number];
    if (name === undefined) throw new RangeError(`Component ${number} has no name`);
    return name;
  }

  #numberOf(component: Component): number {
    this.#readNames();
    const name = { name: component.name, layout: layoutOf(component) };
    const known = this.#known.findIndex(
      (each) => each.name === name.name && each.layout === name.layout,
    );
    return known >= 0 ? known : this.#writeName(name);
  }

  /** Reads what was written down since, by this thread's predecessor or, for the owner, by the worker. */
  #readNames(): void {
    const bytes = this.#words[NAME_BYTES] ?? 0;
    if (bytes === this.#nameBytes) return;
    // A text decoder refuses shared memory: it gets a copy.
    const text = new TextDecoder().decode(this.#names.slice(this.#nameBytes, bytes));
    for (const line of text.trimEnd().split('\n'))
      this.#known.push(JSON.parse(line) as ComponentName);
    this.#nameBytes = bytes;
  }

  #writeName(name: ComponentName): number {
    const line = new TextEncoder().encode(`${JSON.stringify(name)}\n`);
    if (this.#nameBytes + line.length > MAX_NAME_BYTES) {
      throw new EclipticError(
        'scheduler/command-components',
        `Worker systems add too many different components for "${name.name}" to be one more`,
        {
          subjects: { component: name.name },
          fix: 'Let systems without worker: true add some of them.',
        },
      );
    }
    this.#names.set(line, this.#nameBytes);
    this.#nameBytes += line.length;
    this.#words[NAME_BYTES] = this.#nameBytes;
    return this.#known.push(name) - 1;
  }
}
