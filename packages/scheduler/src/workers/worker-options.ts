import { EclipticError } from '@ecliptic/core';
import type { SystemsWorker } from './systems-worker.js';

/** How a schedule uses workers. */
export interface WorkerOptions {
  /**
   * Makes one worker, whose module calls `serveSystems`. Write the URL as a literal, so that bundlers see it:
   * `() => new Worker(new URL('./systems.worker.js', import.meta.url), { type: 'module' })`.
   */
  readonly create: () => SystemsWorker;
  /** How many, at most 256. Default one less than the machine has cores; 0 runs everything on this thread. */
  readonly count?: number;
  /**
   * Nanoseconds that a wave waits for workers when this thread has done its part; one that is still busy then is taken for
   * hung, named, ended and replaced. Default 30 s.
   */
  readonly timeout?: number;
  /**
   * Nanoseconds that a worker has to load its module and answer; one that does not is ended, and
   * `workersReady` rejects. Default 30 s.
   */
  readonly startTimeout?: number;
  /**
   * Which worker systems are shared out: those where it pays, by measured cost (`auto`, the default), all
   * (`always`) or none (`never`).
   */
  readonly offload?: 'auto' | 'always' | 'never';
}

/** Most workers of a schedule. */
export const MAX_WORKERS = 256;

/** @throws EclipticError `scheduler/invalid-worker-count`, `scheduler/invalid-worker-options` */
export function requireValidOptions(options: WorkerOptions): void {
  const { create, count = 0, timeout = 1, startTimeout = 1, offload = 'auto' } = options;
  if (!Number.isSafeInteger(count) || count < 0 || count > MAX_WORKERS) {
    throw new EclipticError('scheduler/invalid-worker-count', `There can't be ${count} workers`, {
      subjects: { count },
      fix: `Use a whole number from 0 to ${MAX_WORKERS}, or leave it out.`,
    });
  }
  const refuse = (option: string, fix: string): never => {
    throw new EclipticError(
      'scheduler/invalid-worker-options',
      `Option ${option} of the workers won't do`,
      { subjects: { option }, fix },
    );
  };
  if (typeof create !== 'function') {
    refuse(
      'create',
      "Use a function that makes one: workers: () => new Worker(new URL('./systems.worker.js', import.meta.url), { type: 'module' }).",
    );
  }
  if (!(timeout > 0)) refuse('timeout', 'Use nanoseconds, more than 0, or leave it out.');
  if (!(startTimeout > 0)) refuse('startTimeout', 'Use nanoseconds, more than 0, or leave it out.');
  if (!OFFLOADS.includes(offload)) refuse('offload', `Use one of ${OFFLOADS.join(', ')}.`);
}

const OFFLOADS: readonly string[] = ['auto', 'always', 'never'];
