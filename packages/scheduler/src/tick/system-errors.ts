import { EclipticError, messageOf } from '@ecliptic/core';
import type { SystemEntry } from './system-entry.js';

/** Several systems failed in one tick; `errors` are theirs, in order of registration. */
export class SystemsFailedError extends AggregateError {
  /** Always `scheduler/systems-failed`. */
  readonly code = 'scheduler/systems-failed';
  declare readonly errors: EclipticError[];

  constructor(errors: readonly EclipticError[]) {
    super(errors, `${errors.length} systems failed: ${errors.map((e) => e.message).join('; ')}`);
    this.name = 'SystemsFailedError';
  }
}

/** `scheduler/system-failed` around what a system threw; errors that name the system already stay. */
export function systemError(entry: SystemEntry, cause: unknown): EclipticError {
  if (cause instanceof EclipticError && cause.subjects['system'] === entry.name) return cause;
  const reason = messageOf(cause);
  return new EclipticError('scheduler/system-failed', `System "${entry.name}" failed: ${reason}`, {
    subjects: { system: entry.name, phase: entry.phase },
    cause,
  });
}

/** What a tick throws for the failures of its systems. */
export function tickError(errors: readonly EclipticError[]): Error {
  const [first] = errors;
  return errors.length === 1 && first !== undefined ? first : new SystemsFailedError(errors);
}
