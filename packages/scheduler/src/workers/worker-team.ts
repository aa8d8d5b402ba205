import { scope } from '#system-scope';
import { type Clock, type EventLog, NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import type { Scene } from '@ecliptic/ecs';
import type { SystemEntry } from '../tick/system-entry.js';
import type { EntryWaves } from '../tick/wave-executor.js';
import type { TraceRecorder } from '../tick/trace.js';
import type { TimeStep } from '../time/time-step.js';
import { FrameBlock } from './frame-block.js';
import { JobBoard, MAX_JOBS, type Job } from './job-board.js';
import { JobRunner, type RunnableSystem } from './job-runner.js';
import { JobWriter } from './job-writer.js';
import { PartLayout } from './part-layout.js';
import { settleSystems, type SystemFailure } from './settle-systems.js';
import { WaveBarrier } from './wave-barrier.js';
import { ComponentFinder } from './component-finder.js';
import { WaveChanges } from './wave-changes.js';
import { LocalFailures, WaveLogs, type ThreadLogs } from './wave-logs.js';
import { WorkerLink } from './worker-link.js';
import { MAX_WORKERS, requireValidOptions, type WorkerOptions } from './worker-options.js';
import { WorkerSeats } from './worker-seats.js';
import { columnCount, runnable, shapesOf, signatureOf } from './worker-system.js';
import type { SystemLink, WorkerStart } from './worker-protocol.js';

/** Most tables of a query that are shared out; with more, the system runs inline. */
const MAX_PARTS = 256;
const DEFAULT_TIMEOUT = 30_000_000_000;

/**
 * The workers of a committed schedule, and this thread among them: shares out the rows of worker systems,
 * does its part, and waits until all is done.
 */
export class WorkerTeam {
  readonly #clock: Clock;
  readonly #offload: 'auto' | 'always' | 'never';
  readonly #entries: readonly SystemEntry[];
  readonly #board: JobBoard;
  readonly #frame: FrameBlock;
  readonly #writer: JobWriter;
  readonly #runner: JobRunner;
  readonly #seats: WorkerSeats;
  readonly #barrier: WaveBarrier;
  readonly #shared: SystemEntry[] = [];
  /** What jobs on this thread threw. */
  readonly #failures = new LocalFailures();
  readonly #logs: WaveLogs;
  readonly #changes: WaveChanges;
  readonly #job: Job = { system: 0, part: 0, start: 0, end: 0 };
  /** When the first system of this wave was prepared for sharing. */
  #prepared = 0;
  /** When the wave was published. */
  #started = 0;
  /** Nanoseconds that it took to wake the workers at the begin of this tick. */
  #waking = 0;
  trace: TraceRecorder | undefined = undefined;

  /** @param entries - all systems, in order of registration */
  constructor(
    scene: Scene,
    entries: readonly SystemEntry[],
    options: WorkerOptions,
    count: number,
    development: boolean,
    clock: Clock,
    log: EventLog,
  ) {
    this.#clock = clock;
    this.#offload = options.offload ?? 'auto';
    this.#entries = entries;
    const arena = scene.arena.describe();
    const links: SystemLink[] = [];
    const systems = new Map<number, RunnableSystem>();
    const columns: number[] = [];
    const filtered: boolean[] = [];
    for (const entry of entries) {
      const { system, index, name } = entry;
      entry.link = system.worker ? new WorkerLink(entry, columns.length) : undefined;
      if (!system.worker) continue;
      links.push({ name, index, firstQuery: columns.length, signature: signatureOf(system) });
      systems.set(index, runnable(system, columns.length));
      for (const shape of shapesOf(system)) {
        columns.push(columnCount(shape));
        filtered.push(shape.filter !== 'none');
      }
    }
    this.#board = JobBoard.allocate(MAX_JOBS, count);
    const layout = PartLayout.allocate(columns, filtered, MAX_PARTS);
    this.#frame = FrameBlock.allocate(count, entries.length, columns.length);
    const validates = scene.development;
    const { find } = new ComponentFinder(scene, { entries });
    const logsOf = (thread: number, failures: ThreadLogs['failures']): ThreadLogs => ({
      commands: this.#frame.commandsOf(thread, find, validates),
      touches: this.#frame.touchesOf(thread),
      failures,
    });
    const own = logsOf(count, this.#failures);
    this.#logs = new WaveLogs([
      own,
      ...Array.from({ length: count }, (_, i) => logsOf(i, this.#frame.failuresOf(i))),
    ]);
    this.#changes = new WaveChanges(this.#frame, entries);
    this.#writer = new JobWriter(this.#board, layout);
    this.#runner = new JobRunner(
      layout,
      this.#frame,
      arena.buffer,
      systems,
      own.commands,
      own.touches,
      this.#frame.usesOf(count),
      development,
    );
    const start: WorkerStart = {
      kind: 'ecliptic:systems',
      worker: 0,
      arena,
      board: this.#board.memory,
      layout: layout.memory,
      frame: this.#frame.memory,
      systems: links,
      development,
      validates,
    };
    const patience = (options.startTimeout ?? DEFAULT_TIMEOUT) / NANOSECONDS_PER_MILLISECOND;
    this.#seats = new WorkerSeats(options.create, count, log, start, patience);
    const timeout = (options.timeout ?? DEFAULT_TIMEOUT) / NANOSECONDS_PER_MILLISECOND;
    this.#barrier = new WaveBarrier(this.#board, this.#seats, timeout);
  }

  /**
   * How many workers a schedule is to have: 0 where there can be none.
   *
   * @throws EclipticError `scheduler/invalid-worker-count`, `scheduler/invalid-worker-options`
   */
  static count(options: WorkerOptions, scene: Scene, log: EventLog): number {
    const { count = scope.cores - 1 } = options;
    requireValidOptions(options);
    if (count > 0 && scene.arena.backing === 'plain') {
      log.info('no_shared_memory', { scene: scene.name });
      return 0;
    }
    return Math.min(count, MAX_WORKERS);
  }

  /** Settles when all workers are ready; rejects with the reason when one could not start. */
  get ready(): Promise<void> {
    return this.#seats.ready;
  }

  /** Gets workers out of their sleep, if these waves are likely to need them. */
  wake(waves: EntryWaves): void {
    this.#waking = 0;
    if (this.#offload === 'never') return;
    for (let w = 0; w < waves.length; w++) {
      const wave = waves[w] ?? [];
      for (let i = 0; i < wave.length; i++) {
        const entry = wave[i];
        if (entry?.link === undefined || !entry.active) continue;
        if (this.#offload !== 'always' && !entry.link.cost.sharing) continue;
        if (!this.#board.asleep) return;
        const begun = this.#clock.now();
        this.#board.wake();
        this.#waking = this.#clock.now() - begun;
        return;
      }
    }
  }

  /**
   * Shares out the systems of a wave that are worth it, and sets their `link.shared`.
   *
   * @returns whether there were any; then `join` is to be called
   */
  start(wave: readonly SystemEntry[], time: TimeStep): boolean {
    if (this.#offload === 'never') return false;
    // A light system in a tick without a look costs a test here, no more.
    for (let i = 0; i < wave.length; i++) {
      const entry = wave[i];
      if (entry?.link === undefined || !entry.active) continue;
      entry.link.rows = 0;
      if (this.#offload === 'auto' && !entry.link.cost.isAwake) continue;
      this.#share(entry, entry.link);
    }
    if (this.#shared.length === 0) return false;
    this.#frame.writeTime(time);
    this.#writer.publish();
    this.#started = this.#clock.now();
    return true;
  }

  /**
   * Works on the wave's jobs until none is left, and waits for the workers.
   *
   * @param busyUntil - when this thread ended what it had to do besides; 0 if there was nothing
   * @returns what failed, or a promise of it where waiting would block too long or may not block
   */
  join(busyUntil: number): readonly SystemFailure[] | Promise<readonly SystemFailure[]> {
    const joined = busyUntil === 0 ? this.#started : busyUntil;
    let now = joined;
    while (this.#board.claim(this.#job)) now = this.#runJob(now);
    const before = this.#waking + this.#started - this.#prepared;
    this.#waking = 0;
    if (this.#board.waveDone) return this.#collect(before + now - joined);
    const waiting = this.#barrier.wait();
    const collect = (): readonly SystemFailure[] =>
      this.#collect(before + this.#clock.now() - joined);
    return waiting === undefined ? collect() : waiting.then(collect);
  }

  /** Learns what a worker system costs that ran inline. */
  ranInline({ rows, cost }: WorkerLink, duration: number): void {
    cost.ranInline(rows, duration);
  }

  /** Sends the workers home; settles when they have stopped. */
  async dispose(): Promise<void> {
    this.#board.stop();
    await this.#seats.dispose();
  }

  #share(entry: SystemEntry, link: WorkerLink): void {
    const threads = this.#seats.readyCount + 1;
    if (threads === 1) return;
    const { queries, cost } = link;
    const [first] = queries;
    if (first === undefined) return;
    if (this.#offload === 'auto' && !link.looks()) return;
    link.rows = this.#writer.select(link.firstQuery, first.query);
    if (link.rows === 0) return;
    if (this.#offload === 'auto' && !cost.decide(link.rows)) return;
    if (this.#shared.length === 0) this.#prepared = this.#clock.now();
    for (let i = 0; i < queries.length; i++) {
      const each = queries[i];
      if (each === undefined) continue;
      const number = link.firstQuery + i;
      if (!this.#writer.describe(number, each.shape, each.query.matches())) return;
      if (i > 0 && each.shape.filter !== 'none') this.#writer.select(number, each.query);
    }
    const tables = first.query.matches();
    const { index } = entry;
    if (!this.#writer.write(index, link.firstQuery, tables, link.rows, threads, cost.perRow)) {
      return;
    }
    link.shared = true;
    link.busy = 0;
    this.#shared.push(entry);
  }

  /** Runs the claimed job on this thread, from `start` on; returns when it ended. */
  #runJob(start: number): number {
    const { system, part, start: row } = this.#job;
    try {
      this.#runner.run(this.#job);
    } catch (error) {
      this.#failures.add({ system, part, start: row, error });
    }
    const end = this.#clock.now();
    const duration = end - start;
    const link = this.#entries[system]?.link;
    if (link !== undefined) link.busy += duration;
    this.trace?.record(system, 0, start, duration);
    this.#board.finish();
    return end;
  }

  /** @param spent - nanoseconds that this wave has kept this thread, without what it did for itself */
  #collect(spent: number): readonly SystemFailure[] {
    let expected = 0;
    for (const { link } of this.#shared) if (link !== undefined) expected += link.expected;
    for (const entry of this.#shared) this.#measure(entry, expected > 0 ? spent / expected : 0);
    const losses = this.#barrier.takeLosses(this.#entries);
    const thrown = this.#logs.takeFailures();
    const failures = losses.length === 0 ? thrown : losses.concat(thrown);
    for (const { link } of this.#shared) if (link !== undefined) this.#changes.endRuns(link);
    this.#changes.touch(this.#logs.takeTouches());
    const staged = this.#logs.takeCommands();
    for (const { link } of this.#shared) if (link !== undefined) link.shared = false;
    const failed = settleSystems(this.#shared, failures, staged);
    this.#shared.length = 0;
    return failed;
  }

  /** @param spent - nanoseconds of this thread for each that the wave takes inline; 0 if that is not known */
  #measure(entry: SystemEntry, spent: number): void {
    const { link } = entry;
    if (link === undefined) return;
    let onWorkers = 0;
    for (let worker = 0; worker < this.#seats.count; worker++) {
      const busy = this.#frame.takeBusy(worker, entry.index);
      if (busy === 0) continue;
      onWorkers += busy;
      this.trace?.record(entry.index, worker + 1, this.#started, busy);
    }
    const total = onWorkers + link.busy;
    entry.durations.record(total);
    entry.workerShare = total === 0 ? 0 : onWorkers / total;
    link.cost.ranShared(link.rows, total, spent * link.expected);
  }
}
