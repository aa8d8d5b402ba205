import { EclipticError, type EclipticErrorDetails } from '@ecliptic/core';

/**
 * Every code that a {@link VFSError} can carry.
 *
 * - `vfs/path-*`: a text that is no legal path; `vfs/uri-*`: a reference that names no file here;
 * - `vfs/not-found`, `vfs/exists`, `vfs/is-folder`, `vfs/not-folder`, `vfs/not-empty`: the state of the tree;
 * - `vfs/not-mounted`, `vfs/mounted-twice`, `vfs/read-only`, `vfs/unsupported`, `vfs/disposed`: the mount table;
 * - `vfs/escape`: a link that leads out of a backend's root;
 * - `vfs/permission`, `vfs/no-space`, `vfs/too-many-open`, `vfs/busy`, `vfs/network`, `vfs/corrupt`,
 *   `vfs/too-large`, `vfs/io`: what the storage itself reported;
 * - `vfs/range-invalid`, `vfs/meta-invalid`: a wrong argument or a wrong sidecar.
 */
export type VFSErrorCode =
  | 'vfs/path-empty'
  | 'vfs/path-escapes'
  | 'vfs/path-character'
  | 'vfs/path-drive'
  | 'vfs/path-too-long'
  | 'vfs/path-too-deep'
  | 'vfs/uri-empty'
  | 'vfs/uri-scheme'
  | 'vfs/uri-data'
  | 'vfs/uri-encoding'
  | 'vfs/not-found'
  | 'vfs/exists'
  | 'vfs/is-folder'
  | 'vfs/not-folder'
  | 'vfs/not-empty'
  | 'vfs/not-mounted'
  | 'vfs/mounted-twice'
  | 'vfs/read-only'
  | 'vfs/unsupported'
  | 'vfs/disposed'
  | 'vfs/escape'
  | 'vfs/permission'
  | 'vfs/no-space'
  | 'vfs/too-many-open'
  | 'vfs/busy'
  | 'vfs/network'
  | 'vfs/corrupt'
  | 'vfs/too-large'
  | 'vfs/io'
  | 'vfs/range-invalid'
  | 'vfs/meta-invalid';

/** Base of every error of this package. Its `code` is one of {@link VFSErrorCode}. */
export class VFSError extends EclipticError {
  declare readonly code: VFSErrorCode;

  constructor(code: VFSErrorCode, message: string, details: EclipticErrorDetails = {}) {
    super(code, message, details);
  }

  /** Whether `error` is a {@link VFSError} with one of `codes` (with any code when none is given). */
  static is(error: unknown, ...codes: readonly VFSErrorCode[]): error is VFSError {
    return error instanceof VFSError && (codes.length === 0 || codes.includes(error.code));
  }
}
