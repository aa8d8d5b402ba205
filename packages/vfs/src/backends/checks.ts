import { VFSError, type VFSErrorCode } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import type { VFSBackend, VFSOptions, VFSRange, VFSStat } from './vfs-backend.js';

/** A {@link VFSError} about `path` in a backend. */
export function pathError(
  code: VFSErrorCode,
  path: VFSPath,
  what: string,
  fix?: string,
  cause?: unknown,
): VFSError {
  return new VFSError(code, `${path.text} ${what}`, {
    subjects: { path: path.text },
    ...(fix === undefined ? {} : { fix }),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** `vfs/not-found` for `path`. */
export function notFound(path: VFSPath, cause?: unknown): VFSError {
  return pathError('vfs/not-found', path, 'does not exist', undefined, cause);
}

/** The rejection of every changing method of a read-only backend. */
export function readOnly(backend: string): Promise<never> {
  return Promise.reject(
    new VFSError('vfs/read-only', `The ${backend} backend can't be written to`, {
      subjects: { backend },
      fix: 'Mount a writable backend above it, or wrap it in overlayBackend().',
    }),
  );
}

/**
 * First byte and end of `range` in a file of `size` bytes, clipped to it.
 *
 * @throws VFSError `vfs/range-invalid`
 */
export function clipRange(
  range: VFSRange | undefined,
  size: number,
): { start: number; end: number } {
  if (range === undefined) return { start: 0, end: size };
  const { offset, length = Number.MAX_SAFE_INTEGER - offset } = range;
  if (!Number.isSafeInteger(offset) || offset < 0 || !Number.isSafeInteger(length) || length < 0) {
    throw new VFSError('vfs/range-invalid', `No bytes ${offset} + ${range.length} in a file`, {
      subjects: { offset, length: range.length },
      fix: 'Pass whole numbers that are 0 or more.',
    });
  }
  const start = Math.min(offset, size);
  return { start, end: Math.min(size, start + length) };
}

/** What is at `path`, or `undefined` when nothing is. */
export async function statOf(
  backend: VFSBackend,
  path: VFSPath,
  options?: VFSOptions,
): Promise<VFSStat | undefined> {
  try {
    return await backend.stat(path, options);
  } catch (error) {
    if (VFSError.is(error, 'vfs/not-found')) return undefined;
    throw error;
  }
}
