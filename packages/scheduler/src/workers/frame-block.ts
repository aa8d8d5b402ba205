import { MutableTimeStep, type TimeStep } from '../time/time-step.js';
import type { Component } from '@ecliptic/ecs';
import { CommandStage, STAGE_BYTES, type ComponentName } from './command-stage.js';
import { FailureLog, failureLogBytes } from './failure-log.js';
import { GrowingBuffer } from './growing-buffer.js';
import { QueryUses } from './query-uses.js';
import { TouchLog } from './touch-log.js';

const TIME_BYTES = 64;

/** What can be cloned to a worker to give it a {@link FrameBlock} over the same memory. */
export interface FrameMemory {
  readonly buffer: SharedArrayBuffer;
  readonly workers: number;
  readonly systems: number;
  /** Queries of all systems together. */
  readonly queries: number;
  /** Commands of each thread, the owner's last. */
  readonly commands: readonly SharedArrayBuffer[];
  /** Rows that each thread reports as changed. */
  readonly touches: readonly SharedArrayBuffer[];
}

/**
 * What owner and workers tell each other about a wave beside its jobs, in shared memory: its time (from the
 * owner), how long each system ran, what it threw and what it asked for (from the workers). The owner is the thread behind
 * the last worker.
 */
export class FrameBlock {
  readonly memory: FrameMemory;
  readonly #time: Float64Array;
  readonly #busy: Float64Array;
  /** Where failures begin. */
  readonly #failures: number;
  /** Where the stages begin. */
  readonly #stages: number;

  /** Maps `memory`, which {@link FrameBlock.allocate} made. */
  constructor(memory: FrameMemory) {
    const { buffer, workers, systems } = memory;
    this.memory = memory;
    this.#time = new Float64Array(buffer, 0, TIME_BYTES / 8);
    this.#busy = new Float64Array(buffer, TIME_BYTES, workers * systems);
    this.#failures = TIME_BYTES + workers * systems * 8;
    this.#stages = this.#failures + workers * failureLogBytes(systems);
  }

  static allocate(workers: number, systems: number, queries: number): FrameBlock {
    const threads = workers + 1;
    const bytes =
      TIME_BYTES +
      workers * systems * 8 +
      workers * failureLogBytes(systems) +
      threads * (STAGE_BYTES + queries);
    const growing = (): SharedArrayBuffer[] =>
      Array.from({ length: threads }, () => GrowingBuffer.allocate());
    return new FrameBlock({
      buffer: new SharedArrayBuffer(bytes),
      workers,
      systems,
      queries,
      commands: growing(),
      touches: growing(),
    });
  }

  /** Owner: before a wave. */
  writeTime(time: TimeStep): void {
    const words = this.#time;
    words[0] = time.delta;
    words[1] = time.fixedDelta;
    words[2] = time.alpha;
    words[3] = time.frameCount;
    words[4] = time.totalSeconds;
    words[5] = time.smoothedDelta;
    words[6] = time.isFixedStep ? 1 : 0;
    words[7] = time.dropped;
  }

  /** Worker: during a job. */
  readTime(into: MutableTimeStep): void {
    const words = this.#time;
    into.delta = words[0] ?? 0;
    into.fixedDelta = words[1] ?? 0;
    into.alpha = words[2] ?? 0;
    into.frameCount = words[3] ?? 0;
    into.totalSeconds = words[4] ?? 0;
    into.smoothedDelta = words[5] ?? 0;
    into.isFixedStep = words[6] === 1;
    into.dropped = words[7] ?? 0;
  }

  /** Worker: adds nanoseconds that a system ran on it. */
  addBusy(worker: number, system: number, duration: number): void {
    const at = worker * this.memory.systems + system;
    this.#busy[at] = (this.#busy[at] ?? 0) + duration;
  }

  /** Owner: takes the nanoseconds that a system ran on a worker since last asked. */
  takeBusy(worker: number, system: number): number {
    const at = worker * this.memory.systems + system;
    const busy = this.#busy[at] ?? 0;
    this.#busy[at] = 0;
    return busy;
  }

  /**
   * What jobs on a thread ask for.
   *
   * @param find - the component of a name; only the owner has it
   * @param development - refuse values that don't fit the schema
   */
  commandsOf(
    thread: number,
    find: (name: ComponentName) => Component,
    development: boolean,
  ): CommandStage {
    const { buffer, commands } = this.memory;
    const start = this.#stages + thread * STAGE_BYTES;
    return new CommandStage(buffer, start, own(commands, thread), find, development);
  }

  /** What jobs on a thread report as changed. */
  touchesOf(thread: number): TouchLog {
    return new TouchLog(own(this.memory.touches, thread));
  }

  /** How jobs on a thread use their queries. */
  usesOf(thread: number): QueryUses {
    const { buffer, workers, queries } = this.memory;
    const start = this.#stages + (workers + 1) * STAGE_BYTES + thread * queries;
    return new QueryUses(buffer, start, queries);
  }

  /** What one worker's jobs threw. */
  failuresOf(worker: number): FailureLog {
    const { buffer, systems } = this.memory;
    return new FailureLog(buffer, this.#failures + worker * failureLogBytes(systems), systems);
  }
}

function own(buffers: readonly SharedArrayBuffer[], thread: number): SharedArrayBuffer {
  const buffer = buffers[thread];
  if (buffer === undefined) throw new RangeError(`There is no thread ${thread}`);
  return buffer;
}
