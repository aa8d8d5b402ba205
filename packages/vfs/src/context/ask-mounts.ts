import type { EventLog } from '@ecliptic/core';
import { VFSError, type VFSErrorCode } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import type { Mount, ResolvedPath } from './mount.js';

/** A backend that could not answer, and was passed over. */
export interface VFSFailure {
  readonly mount: Mount;
  /** What was asked, as `read` or `list`. */
  readonly operation: string;
  /** The path in the context. */
  readonly path: VFSPath;
  readonly error: VFSError;
}

/** Answers about the tree itself, as opposed to failures of the storage. */
const ANSWERS: readonly VFSErrorCode[] = [
  'vfs/is-folder',
  'vfs/not-folder',
  'vfs/range-invalid',
  'vfs/read-only',
];

/**
 * Asks the mounts of `path` in order until one has it. One that says that it isn't there is passed
 * over; one that fails is passed over and reported; an answer, an abort or a defect ends the search.
 *
 * @returns the first answer, or the first failure when nobody has it, or `undefined` when all agree
 * that it isn't there
 */
export async function askMounts<T>(
  candidates: readonly ResolvedPath[],
  operation: string,
  path: VFSPath,
  report: (failure: VFSFailure) => void,
  ask: (candidate: ResolvedPath) => Promise<T>,
): Promise<{ value: T; candidate: ResolvedPath } | VFSError | undefined> {
  let failed: VFSError | undefined;
  for (const candidate of candidates) {
    try {
      return { value: await ask(candidate), candidate };
    } catch (cause) {
      if (!(cause instanceof VFSError)) throw cause;
      if (cause.code === 'vfs/not-found') continue;
      const error = located(cause, operation, path, candidate.mount);
      if (ANSWERS.includes(cause.code)) throw error;
      if (cause.code !== 'vfs/unsupported') {
        report({ mount: candidate.mount, operation, path, error });
      }
      failed ??= error;
    }
  }
  return failed;
}

/** `cause`, which names a path of the backend, with the path and the mount that the caller knows. */
export function located(cause: VFSError, operation: string, path: VFSPath, mount: Mount): VFSError {
  return new VFSError(
    cause.code,
    `Can't ${operation} ${path.text} in ${mount.label}: ${cause.message}`,
    {
      subjects: { ...cause.subjects, path: path.text, mount: mount.label },
      cause,
    },
  );
}

/** Logs each backend's failures once a kind, and hands them on. */
export function failureReporter(
  log: EventLog,
  listener: ((failure: VFSFailure) => void) | undefined,
): (failure: VFSFailure) => void {
  return (failure) => {
    const { mount, operation, path, error } = failure;
    log.warnOnce('backend_failed', `${mount.label} ${error.code}`, {
      operation,
      path: path.text,
      error,
    });
    listener?.(failure);
  };
}
