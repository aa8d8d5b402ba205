import { scope } from '#system-scope';
import { attachArena, EclipticError, NANOSECONDS_PER_MILLISECOND, packError } from '@ecliptic/core';
import type { System } from '../system/system.js';
import type { ComponentName } from './command-stage.js';
import { FrameBlock } from './frame-block.js';
import { JobBoard, type Job } from './job-board.js';
import { JobRunner, type RunnableSystem } from './job-runner.js';
import { PartLayout } from './part-layout.js';
import type { WorkerAnswer, WorkerStart } from './worker-protocol.js';
import { runnable, signatureOf } from './worker-system.js';

/** Milliseconds that a worker looks for more jobs before it goes to sleep. */
const SPIN = 0.08;
/** Looks between two at the clock. */
const LOOKS = 32;

/**
 * Makes this worker run systems for a `WorldTick`: called once, in a module of its own that the application
 * gives to its `workers` option. Imported elsewhere it does nothing, so a test may import the module too.
 *
 * @example
 * ```ts
 * // systems.worker.ts
 * import { serveSystems } from '@ecliptic/scheduler/worker';
 * import { orbit, spin } from './systems.js';
 * serveSystems([orbit, spin]);
 * ```
 */
export function serveSystems(systems: readonly System[]): void {
  if (!scope.isWorker) return;
  scope.onStart((message) => {
    const start = message as WorkerStart;
    if (start?.kind !== 'ecliptic:systems') return;
    let work: () => void;
    try {
      work = prepare(systems, start);
    } catch (error) {
      answer({ kind: 'ecliptic:failed', error: packError(error) });
      scope.close();
      return;
    }
    answer({ kind: 'ecliptic:ready' });
    work();
    scope.close();
  });
}

function answer(message: WorkerAnswer): void {
  scope.post(message);
}

/** Maps the shared memory; returns the loop that works until the board is stopped. */
function prepare(systems: readonly System[], start: WorkerStart): () => void {
  const { worker } = start;
  const arena = attachArena(start.arena);
  const frame = new FrameBlock(start.frame);
  const runner = new JobRunner(
    new PartLayout(start.layout),
    frame,
    arena.buffer,
    linkSystems(systems, start),
    frame.commandsOf(worker, findNothing, start.validates),
    frame.touchesOf(worker),
    frame.usesOf(worker),
    start.development,
  );
  const board = new JobBoard(start.board);
  const failures = frame.failuresOf(worker);
  const job: Job = { system: 0, part: 0, start: 0, end: 0 };
  return () => {
    while (!board.stopped) {
      const { signal } = board;
      let begin = -1;
      while (board.claim(job)) {
        board.report(worker, job.system);
        // The end of one job is the begin of the next: reading a clock takes half a microsecond in a browser.
        if (begin < 0) begin = performance.now();
        try {
          runner.run(job);
        } catch (error) {
          failures.write(job, error);
        }
        const end = performance.now();
        const busy = Math.round((end - begin) * NANOSECONDS_PER_MILLISECOND);
        frame.addBusy(worker, job.system, busy);
        begin = end;
        // In this order: a job that is not done is always that of a worker which says that it runs one.
        board.finish();
        board.report(worker, -1);
      }
      const until = performance.now() + SPIN;
      for (let look = 1; board.allClaimed; look++) {
        if (look % LOOKS === 0 && performance.now() >= until) break;
      }
      if (board.allClaimed) board.sleep(signal);
    }
  };
}

/** Workers only write commands. */
function findNothing({ name }: ComponentName): never {
  throw new Error(`Component "${name}" is looked for on a worker`);
}

/** Finds the owner's systems among those served here. */
function linkSystems(
  served: readonly System[],
  { systems: links }: WorkerStart,
): Map<number, RunnableSystem> {
  requireSystems(served);
  const linked = new Map<number, RunnableSystem>();
  for (const { name, index, firstQuery, signature } of links) {
    const system = served.find((each) => each.name === name);
    if (system === undefined) {
      throw new EclipticError(
        'scheduler/worker-system-missing',
        `The worker does not serve system "${name}", only ${served.map((s) => s.name).join(', ') || 'none'}`,
        {
          subjects: { system: name, served: served.map((each) => each.name) },
          fix: 'Add it to the serveSystems() call of the worker module.',
        },
      );
    }
    if (signatureOf(system) !== signature) {
      throw new EclipticError(
        'scheduler/worker-system-differs',
        `System "${name}" has other queries in the worker than here`,
        {
          subjects: { system: name, here: signature, worker: signatureOf(system) },
          fix: 'Import the system from the same module on both sides, and rebuild both bundles.',
        },
      );
    }
    linked.set(index, runnable(system, firstQuery));
  }
  return linked;
}

/** Fails unless these are systems, each name once. */
function requireSystems(served: readonly System[]): void {
  const list: readonly unknown[] = Array.isArray(served) ? served : [undefined];
  if (list.some((each) => (each as System | undefined)?.hooks === undefined)) {
    throw new EclipticError(
      'scheduler/invalid-system',
      'The worker module gives serveSystems() something that is no system',
      { fix: 'Write serveSystems([a, b]), with what defineSystem() returned.' },
    );
  }
  for (const system of served) {
    if (served.every((each) => each === system || each.name !== system.name)) continue;
    throw new EclipticError(
      'scheduler/duplicate-system',
      `The worker serves two systems "${system.name}"`,
      { subjects: { system: system.name }, fix: 'Give one of them another name.' },
    );
  }
}
