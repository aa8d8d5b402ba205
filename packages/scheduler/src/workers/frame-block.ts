import { MutableTimeStep, type TimeStep } from '../time/time-step.js';
import { CommandLog } from './command-log.js';
import { FailureLog } from './failure-log.js';
import { TouchLog } from './touch-log.js';

const TIME_BYTES = 64;
const FAILURE_BYTES = 16_384;
/** Commands of one thread in one wave; pages are committed when touched. */
export const COMMAND_BYTES = 524_288;
/** Rows that one thread reports as changed in one wave. */
export const TOUCH_BYTES = 262_144;

/** What can be cloned to a worker to give it a {@link FrameBlock} over the same memory. */
export interface FrameMemory {
  readonly buffer: SharedArrayBuffer;
  readonly workers: number;
  readonly systems: number;
}

/**
 * What owner and workers tell each other about a wave beside its jobs, in shared memory: its time (from the
 * owner), how long each system ran, what it threw and what it asked for (from the workers).
 */
export class FrameBlock {
  readonly memory: FrameMemory;
  readonly #time: Float64Array;
  readonly #busy: Float64Array;
  readonly #failures: readonly FailureLog[];
  readonly #commands: readonly CommandLog[];
  readonly #touches: readonly TouchLog[];

  /** Maps `memory`, which {@link FrameBlock.allocate} made. */
  constructor(memory: FrameMemory) {
    const { buffer, workers, systems } = memory;
    this.memory = memory;
    this.#time = new Float64Array(buffer, 0, TIME_BYTES / 8);
    this.#busy = new Float64Array(buffer, TIME_BYTES, workers * systems);
    const start = TIME_BYTES + workers * systems * 8;
    this.#failures = Array.from(
      { length: workers },
      (_, worker) => new FailureLog(buffer, start + worker * FAILURE_BYTES, FAILURE_BYTES),
    );
    const next = start + workers * FAILURE_BYTES;
    this.#commands = Array.from(
      { length: workers },
      (_, worker) => new CommandLog(buffer, next + worker * COMMAND_BYTES, COMMAND_BYTES),
    );
    const last = next + workers * COMMAND_BYTES;
    this.#touches = Array.from(
      { length: workers },
      (_, worker) => new TouchLog(buffer, last + worker * TOUCH_BYTES, TOUCH_BYTES),
    );
  }

  static allocate(workers: number, systems: number): FrameBlock {
    const bytes =
      TIME_BYTES + workers * systems * 8 + workers * (FAILURE_BYTES + COMMAND_BYTES + TOUCH_BYTES);
    return new FrameBlock({ buffer: new SharedArrayBuffer(bytes), workers, systems });
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

  /** What one worker's jobs asked for. */
  commandsOf(worker: number): CommandLog {
    const log = this.#commands[worker];
    if (log === undefined) throw new RangeError(`There is no worker ${worker}`);
    return log;
  }

  /** What one worker's jobs reported as changed. */
  touchesOf(worker: number): TouchLog {
    const log = this.#touches[worker];
    if (log === undefined) throw new RangeError(`There is no worker ${worker}`);
    return log;
  }

  /** What one worker's jobs threw. */
  failuresOf(worker: number): FailureLog {
    const log = this.#failures[worker];
    if (log === undefined) throw new RangeError(`There is no worker ${worker}`);
    return log;
  }
}
