import type { Clock, EventLog } from '@ecliptic/core';
import type { WorkerOptions } from '../workers/worker-options.js';
import type { ConflictPolicy } from './committed-schedule.js';

/** The phases of a schedule that names none, in order. */
export const DEFAULT_PHASES: readonly string[] = [
  'prePhysics',
  'physics',
  'postPhysics',
  'render',
  'lateUpdate',
];

/** Options of a `WorldTick`. */
export interface WorldTickOptions {
  /** Names of the phases, in order. Default {@link DEFAULT_PHASES}. */
  readonly phases?: readonly string[];
  /** Most systems. Default 64. */
  readonly maxSystems?: number;
  /**
   * What an unordered conflict is at commit: an `error` (default), a `warn`ing, or nothing. Tolerated ones
   * are run one after the other, by `order`, then by registration.
   */
  readonly conflicts?: ConflictPolicy;
  /** Measures systems. */
  readonly clock?: Clock;
  readonly log?: EventLog;
  /** Checks that systems touch only what they declare; on by default. Turn off in shipped builds. */
  readonly development?: boolean;
  /**
   * Lets systems with `worker: true` run on workers too: a function that makes one, or how to use them. Without
   * shared memory, on one core, and until the workers are ready, everything runs on this thread, with the
   * same result.
   */
  readonly workers?: WorkerOptions | WorkerOptions['create'];
  /**
   * For tests: runs the systems of each tick one by one in a random order that the schedule allows, the
   * same for the same seed. Whatever the seed, a simulation must come to the same state.
   */
  readonly shuffleSeed?: number;
}
