import type { SystemEntry } from '../tick/system-entry.js';
import type { StagedRun } from './command-stage.js';
import type { JobFailure } from './failure-log.js';

/** Why one worker system failed in a wave. */
export interface SystemFailure {
  readonly entry: SystemEntry;
  readonly error: unknown;
}

const NONE: readonly SystemFailure[] = [];

/**
 * Takes over what the jobs of these systems asked for, or finds that they failed. Allocates nothing where all is well.
 *
 * @param failures - what jobs threw, in order of their rows: the first of a system is its failure
 * @param staged - what jobs asked for, in order of their rows
 */
export function settleSystems(
  entries: readonly SystemEntry[],
  failures: readonly JobFailure[],
  staged: readonly StagedRun[],
): readonly SystemFailure[] {
  let failed: SystemFailure[] | undefined;
  for (const entry of entries) {
    const failure = settle(entry, failures, staged);
    if (failure !== undefined) (failed ??= []).push(failure);
  }
  return failed ?? NONE;
}

function settle(
  entry: SystemEntry,
  failures: readonly JobFailure[],
  staged: readonly StagedRun[],
): SystemFailure | undefined {
  for (const { system, error } of failures) {
    if (system === entry.index) return { entry, error };
  }
  try {
    for (const run of staged) {
      if (run.system === entry.index) entry.context.commands.append(run.recorded, run);
    }
    entry.failing = false;
    return undefined;
  } catch (error) {
    return { entry, error };
  }
}
