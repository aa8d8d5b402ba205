import type { StagedRun } from './command-stage.js';
import type { FailureLog, JobFailure } from './failure-log.js';
import type { TouchLog, TouchRecord } from './touch-log.js';
import type { CommandStage } from './command-stage.js';

/** What jobs on one thread left behind in a wave, until it is drained. */
interface Drainable<T> {
  readonly isEmpty: boolean;
  drain(): T[];
}

/** Where jobs on one thread leave what they ask for, report and throw. */
export interface ThreadLogs {
  readonly commands: CommandStage;
  readonly touches: TouchLog;
  readonly failures: FailureLog | LocalFailures;
}

/** What jobs on the owner's thread threw: as it is, not as text. */
export class LocalFailures {
  #failures: JobFailure[] = [];

  get isEmpty(): boolean {
    return this.#failures.length === 0;
  }

  add(failure: JobFailure): void {
    this.#failures.push(failure);
  }

  drain(): JobFailure[] {
    return this.#failures.splice(0);
  }
}

/** What the jobs of a wave left behind on all threads. */
export class WaveLogs {
  readonly #threads: readonly ThreadLogs[];

  /** @param threads - the owner's first */
  constructor(threads: readonly ThreadLogs[]) {
    this.#threads = threads;
  }

  /** Takes what all jobs threw, in order of their rows. */
  takeFailures(): JobFailure[] {
    return this.#take(({ failures }) => failures).sort(byRows);
  }

  /** Takes what all jobs asked for, in order of their rows: whichever thread ran which. */
  takeCommands(): StagedRun[] {
    return this.#take(({ commands }) => commands).sort(byRows);
  }

  /** Takes what all jobs reported as changed. */
  takeTouches(): TouchRecord[] {
    return this.#take(({ touches }) => touches);
  }

  #take<T>(logOf: (logs: ThreadLogs) => Drainable<T>): T[] {
    const all: T[] = [];
    for (const logs of this.#threads) {
      const log = logOf(logs);
      if (!log.isEmpty) all.push(...log.drain());
    }
    return all;
  }
}

interface OfRows {
  readonly part: number;
  readonly start: number;
}

function byRows(a: OfRows, b: OfRows): number {
  return a.part - b.part || a.start - b.start;
}
