import { EclipticError } from '../errors/ecliptic-error.js';
import { NANOSECONDS_PER_SECOND } from '../clock/nanoseconds.js';

/** Which task of which pool an error is about. */
export type TaskSubject = { readonly pool: string; readonly task: string };

const seconds = (nanoseconds: number): string => `${nanoseconds / NANOSECONDS_PER_SECOND} s`;

export function poolOptionsError(
  pool: string,
  option: string,
  value: unknown,
  fix: string,
): EclipticError {
  return new EclipticError(
    'core/pool-options',
    `Pool "${pool}" can't have ${option} ${String(value)}`,
    {
      subjects: { pool, option, value },
      fix,
    },
  );
}

export function transferredInputError(subjects: TaskSubject): EclipticError {
  return new EclipticError(
    'core/pool-options',
    `The input of task "${subjects.task}" is wrapped in transfer(), which is for results`,
    { subjects, fix: 'Pass the input itself, and what is to be moved as { transfer: […] }.' },
  );
}

export function poolClosedError(subjects: TaskSubject): EclipticError {
  return new EclipticError(
    'core/pool-closed',
    `Task "${subjects.task}" was not finished, because pool "${subjects.pool}" was closed`,
    {
      subjects,
      fix: 'Run tasks before close(), or close with { drain: true } to let them finish.',
    },
  );
}

export function workerStartError(
  subjects: TaskSubject,
  worker: string,
  cause: unknown,
): EclipticError {
  return new EclipticError(
    'core/pool-worker-start',
    `A worker of pool "${subjects.pool}" did not start (${worker})`,
    {
      subjects: { ...subjects, worker },
      fix: 'See the cause; the module must exist, import without an error, and have `export default serveTasks({…})`.',
      cause,
    },
  );
}

export function startTimeoutCause(timeout: number): Error {
  return new Error(`It served no tasks within ${seconds(timeout)}`);
}

export function workerDiedError(subjects: TaskSubject, cause: unknown): EclipticError {
  return new EclipticError(
    'core/pool-worker-died',
    `The worker died that ran task "${subjects.task}" of pool "${subjects.pool}"`,
    { subjects, fix: 'See the cause; the worker was replaced, and other tasks go on.', cause },
  );
}

export function taskTimeoutError(subjects: TaskSubject, timeout: number): EclipticError {
  return new EclipticError(
    'core/pool-task-timeout',
    `Task "${subjects.task}" of pool "${subjects.pool}" ran for more than ${seconds(timeout)}`,
    {
      subjects: { ...subjects, timeout },
      fix: 'Its worker was replaced. Raise the time-out, or split the task.',
    },
  );
}

export function taskFailedError(subjects: TaskSubject, cause: Error): EclipticError {
  return new EclipticError(
    'core/pool-task-failed',
    `Task "${subjects.task}" of pool "${subjects.pool}" failed: ${cause.message}`,
    { subjects, cause },
  );
}

export function unknownTaskError(subjects: TaskSubject, served: readonly string[]): EclipticError {
  return new EclipticError(
    'core/pool-task-unknown',
    `No worker of pool "${subjects.pool}" serves "${subjects.task}"`,
    {
      subjects: { ...subjects, served },
      fix: `It serves ${served.map((name) => `"${name}"`).join(', ') || 'nothing'}.`,
    },
  );
}

export function inputError(subjects: TaskSubject, cause: unknown): EclipticError {
  return new EclipticError(
    'core/pool-input-not-cloneable',
    `The input of task "${subjects.task}" can't be sent to a worker of pool "${subjects.pool}"`,
    {
      subjects,
      fix: 'Pass data without functions and class instances, and transfer only what is transferable and not yet transferred.',
      cause,
    },
  );
}

export function outputError(subjects: TaskSubject, cause: unknown): EclipticError {
  return new EclipticError(
    'core/pool-output-not-cloneable',
    `The result of task "${subjects.task}" can't be sent from a worker of pool "${subjects.pool}"`,
    { subjects, fix: 'Return data without functions and class instances.', cause },
  );
}

/** @throws EclipticError `core/pool-options` unless it is more than 0, or left out */
export function checkTimeout(pool: string, option: string, timeout: number | undefined): void {
  if (timeout === undefined || timeout > 0) return;
  throw poolOptionsError(
    pool,
    option,
    timeout,
    'Use nanoseconds, more than 0; Infinity for no limit.',
  );
}
