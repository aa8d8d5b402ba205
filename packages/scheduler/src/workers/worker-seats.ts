import type { EventLog } from '@ecliptic/core';
import { WorkerSeat, type SystemsWorker } from './systems-worker.js';
import type { WorkerStart } from './worker-protocol.js';

/** Replacements of one seat without a wave in between, after which it stays empty. */
const MAX_REPLACEMENTS = 3;

/** The seats of a team: starts workers, replaces those that go. */
export class WorkerSeats {
  readonly count: number;
  /** Settles when all first workers are ready; rejects with the reason when one could not start. */
  readonly ready: Promise<void>;
  readonly #create: () => SystemsWorker;
  readonly #log: EventLog;
  readonly #start: WorkerStart;
  readonly #patience: number;
  readonly #seats: WorkerSeat[];
  readonly #replacements: number[];
  #disposed = false;

  /** @param patience - milliseconds that a worker has to start */
  constructor(
    create: () => SystemsWorker,
    count: number,
    log: EventLog,
    start: WorkerStart,
    patience: number,
  ) {
    this.count = count;
    this.#create = create;
    this.#log = log;
    this.#start = start;
    this.#patience = patience;
    this.#seats = Array.from({ length: count }, (_, index) => this.#seat(index));
    this.#replacements = this.#seats.map(() => 0);
    this.ready = Promise.all(this.#seats.map(({ started }) => started)).then(() => undefined);
    this.ready.catch(() => undefined);
  }

  /** Workers that can take jobs. */
  get readyCount(): number {
    let count = 0;
    for (const { state } of this.#seats) if (state === 'ready') count++;
    return count;
  }

  at(index: number): WorkerSeat {
    const seat = this.#seats[index];
    if (seat === undefined) throw new RangeError(`There is no worker ${index}`);
    return seat;
  }

  /** Puts a new worker in the place of one that is gone; not again and again. */
  replace(index: number): void {
    const replacements = (this.#replacements[index] ?? 0) + 1;
    this.#replacements[index] = replacements;
    if (this.#disposed || replacements > MAX_REPLACEMENTS) return;
    this.#log.warn('worker_replaced', { worker: index, cause: this.at(index).cause });
    this.#seats[index] = this.#seat(index);
  }

  /** A wave went well: the workers are sound. */
  settle(): void {
    this.#replacements.fill(0);
  }

  /** Waits until all workers, whose board was stopped, have ended. */
  async dispose(): Promise<void> {
    this.#disposed = true;
    await Promise.all(this.#seats.map((seat) => seat.stop()));
  }

  #seat(index: number): WorkerSeat {
    const start = { ...this.#start, worker: index };
    const seat = new WorkerSeat(index, this.#create, start, this.#patience);
    seat.started.catch((error: unknown) => {
      if (!this.#disposed) this.#log.error('worker_start_failed', { worker: index, error });
    });
    return seat;
  }
}
