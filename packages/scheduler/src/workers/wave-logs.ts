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
  takeFailures(): readonly JobFailure[] {
    return inOrder(this.#take(failuresOf));
  }

  /** Takes what all jobs asked for, in order of their rows: whichever thread ran which. */
  takeCommands(): readonly StagedRun[] {
    return inOrder(this.#take(commandsOf));
  }

  /** Takes what all jobs reported as changed. */
  takeTouches(): readonly TouchRecord[] {
    return this.#take(touchesOf);
  }

  /** What nobody left allocates nothing. */
  #take<T>(logOf: (logs: ThreadLogs) => Drainable<T>): readonly T[] {
    let all: readonly T[] = NOTHING;
    for (let i = 0; i < this.#threads.length; i++) {
      const logs = this.#threads[i];
      const log = logs && logOf(logs);
      if (log === undefined || log.isEmpty) continue;
      all = all.length === 0 ? log.drain() : all.concat(log.drain());
    }
    return all;
  }
}

const NOTHING: readonly never[] = [];

const failuresOf = ({ failures }: ThreadLogs): Drainable<JobFailure> => failures;
const commandsOf = ({ commands }: ThreadLogs): Drainable<StagedRun> => commands;
const touchesOf = ({ touches }: ThreadLogs): Drainable<TouchRecord> => touches;

interface OfRows {
  readonly part: number;
  readonly start: number;
}

function inOrder<T extends OfRows>(all: readonly T[]): readonly T[] {
  return all.length > 1 ? all.toSorted(byRows) : all;
}

function byRows(a: OfRows, b: OfRows): number {
  return a.part - b.part || a.start - b.start;
}
