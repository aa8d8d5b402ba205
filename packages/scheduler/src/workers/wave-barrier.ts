import { EclipticError } from '@ecliptic/core';
import type { SystemEntry } from '../tick/system-entry.js';
import { yieldToEventLoop } from '../time/yield-to-event-loop.js';
import type { JobFailure } from './failure-log.js';
import type { Job, JobBoard } from './job-board.js';
import type { WorkerSeats } from './worker-seats.js';

/** Milliseconds of looking before the thread goes to sleep. */
const SPIN = 0.08;
/** Looks between two at the clock. */
const LOOKS = 32;
/** Milliseconds of blocking, after which waiting goes on in the event loop, where deaths of workers are heard. */
const BLOCK = 50;
/** Milliseconds of yielding, after which waiting goes on with timers. */
const YIELD = 4;

/** Waits until a wave is over, and finds workers that died or hang in it. */
export class WaveBarrier {
  readonly #board: JobBoard;
  readonly #seats: WorkerSeats;
  readonly #timeout: number;
  readonly #mayBlock = canBlock();
  /** What became of the systems that lost jobs, by system. */
  readonly #losses = new Map<number, { readonly worker: number; readonly cause: unknown }>();
  /** When this thread began to wait. */
  #begun = 0;

  /** @param timeout - milliseconds */
  constructor(board: JobBoard, seats: WorkerSeats, timeout: number) {
    this.#board = board;
    this.#seats = seats;
    this.#timeout = timeout;
  }

  /** Waits for the wave; returns a promise if that can't be done here and now. */
  wait(): Promise<void> | undefined {
    this.#begun = performance.now();
    const until = this.#begun + SPIN;
    // Reading a clock costs as much as ten looks or more, and a look that comes late is time lost.
    for (let look = 1; !this.#board.waveDone; look++) {
      if (look % LOOKS === 0 && performance.now() >= until) break;
    }
    if (this.#board.waveDone) return undefined;
    if (this.#mayBlock && this.#board.waitForWave(Math.min(BLOCK, this.#timeout))) {
      return undefined;
    }
    return this.#waitInLoop();
  }

  /** Takes the failures of systems whose worker died or hung in this wave. */
  takeLosses(entries: readonly SystemEntry[]): readonly JobFailure[] {
    if (this.#losses.size === 0) {
      this.#seats.settle();
      return NONE;
    }
    const losses = [...this.#losses].map(([system, { worker, cause }]): JobFailure => {
      const name = entries[system]?.name;
      const error = lossError(worker, name, cause, this.#timeout);
      return { system, part: 0, start: 0, error };
    });
    this.#losses.clear();
    return losses;
  }

  async #waitInLoop(): Promise<void> {
    const begun = performance.now();
    while (!this.#board.waveDone) {
      if (performance.now() - begun < YIELD) await yieldToEventLoop();
      else await new Promise((resolve) => setTimeout(resolve, 1));
      this.#noteDeaths();
      if (performance.now() - this.#begun > this.#timeout) await this.#endHung();
      if (this.#losses.size > 0 && this.#isQuiet()) break;
    }
    if (this.#losses.size === 0) return;
    this.#board.abandonWave();
    for (let worker = 0; worker < this.#seats.count; worker++) {
      if (this.#seats.at(worker).state !== 'gone') continue;
      this.#board.report(worker, -1);
      this.#seats.replace(worker);
    }
  }

  /** Notes the systems of workers that are gone, and lets nobody begin the jobs that are left. */
  #noteDeaths(): void {
    for (let worker = 0; worker < this.#seats.count; worker++) {
      const seat = this.#seats.at(worker);
      const system = this.#board.runningOn(worker);
      if (system < 0 || seat.state !== 'gone' || this.#losses.has(system)) continue;
      this.#losses.set(system, { worker, cause: seat.cause });
      this.#withdraw();
    }
  }

  /** Ends the workers that are still busy, and waits until they have stopped. */
  async #endHung(): Promise<void> {
    this.#withdraw();
    for (let worker = 0; worker < this.#seats.count; worker++) {
      const system = this.#board.runningOn(worker);
      const seat = this.#seats.at(worker);
      if (system < 0 || seat.state === 'gone') continue;
      this.#losses.set(system, { worker, cause: undefined });
      await seat.terminate();
    }
  }

  #withdraw(): void {
    const job: Job = { system: 0, part: 0, start: 0, end: 0 };
    while (this.#board.claim(job)) this.#board.finish();
  }

  /** All jobs that are not done are those of workers that are gone, one each. */
  #isQuiet(): boolean {
    let lost = 0;
    let running = 0;
    for (let worker = 0; worker < this.#seats.count; worker++) {
      if (this.#board.runningOn(worker) < 0) continue;
      if (this.#seats.at(worker).state === 'gone') lost++;
      else running++;
    }
    if (this.#board.outstanding <= lost) return true;
    // A worker that went in the instant between taking a job and saying so.
    return running === 0 && performance.now() - this.#begun > this.#timeout;
  }
}

const NONE: readonly JobFailure[] = [];

function lossError(
  worker: number,
  system: string | undefined,
  cause: unknown,
  timeout: number,
): EclipticError {
  const subjects = { system, worker };
  return cause === undefined
    ? new EclipticError(
        'scheduler/worker-hung',
        `Worker ${worker} was still running system "${system}" after ${timeout} ms, and was replaced`,
        { subjects, fix: 'Look for an endless loop, or raise the timeout of the workers.' },
      )
    : new EclipticError(
        'scheduler/worker-died',
        `Worker ${worker} died while it ran system "${system}", and was replaced`,
        { subjects, cause, fix: 'A system must not end the thread that it runs on.' },
      );
}

/** Whether this thread may sleep: not that of a page. */
function canBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}
