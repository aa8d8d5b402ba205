import { EclipticError } from '@ecliptic/core';

/**
 * Something that is no snapshot, or not one for this scene. The scene is as it was. By code:
 *
 * - `ecs/snapshot-invalid`: truncated, corrupt, or not a snapshot at all
 * - `ecs/snapshot-format`: of another format version
 * - `ecs/snapshot-component`: it has a component that the scene does not know
 * - `ecs/snapshot-schema`: a component had other fields, or another version or storage, when it was captured
 * - `ecs/snapshot-budget`: it does not fit into the budgets of the scene
 * - `ecs/snapshot-row-order`: the scene is `ordered`, and the snapshot is not
 * - `ecs/snapshot-base`: a delta without its base, or with another one
 */
export class SnapshotError extends EclipticError {}

/** For bytes that can't be a snapshot. */
export function invalidSnapshot(problem: string, cause?: unknown): SnapshotError {
  return new SnapshotError('ecs/snapshot-invalid', `Not a whole snapshot: ${problem}`, {
    subjects: { problem },
    fix: 'Pass the bytes that captureSnapshot returned, all of them, unchanged.',
    ...(cause === undefined ? {} : { cause }),
  });
}
