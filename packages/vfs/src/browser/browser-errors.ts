import { VFSError, type VFSErrorCode } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import { pathError } from '../backends/checks.js';

const CODES: Readonly<Record<string, readonly [VFSErrorCode, string, string?]>> = {
  NotFoundError: ['vfs/not-found', 'does not exist'],
  TypeMismatchError: [
    'vfs/not-folder',
    'is a file where a folder is needed, or the other way round',
  ],
  QuotaExceededError: [
    'vfs/no-space',
    'needs more space than the browser gives',
    'Free some space.',
  ],
  NoModificationAllowedError: ['vfs/busy', 'is being written by another tab or worker'],
  InvalidModificationError: ['vfs/not-empty', 'is not empty', 'Pass { recursive: true }.'],
  InvalidStateError: ['vfs/busy', 'changed meanwhile', 'Try again.'],
  NotAllowedError: ['vfs/permission', 'may not be accessed', 'Ask the user for permission.'],
  SecurityError: ['vfs/permission', 'may not be accessed here', 'Serve the page over HTTPS.'],
};

/** The {@link VFSError} for what the file system API threw about `path`; other errors stay as they are. */
export function browserError(error: unknown, path: VFSPath): unknown {
  if (error instanceof VFSError) return error;
  // Chromium says so of names that its disk can't store.
  if (error instanceof TypeError && /name is not allowed/i.test(error.message)) {
    return pathError(
      'vfs/path-character',
      path,
      "has a name that the browser can't store",
      'Rename it.',
      error,
    );
  }
  if (!(error instanceof DOMException) || error.name === 'AbortError') return error;
  const [code, what, fix] = CODES[error.name] ?? ['vfs/io', `failed with ${error.name}`];
  return pathError(code, path, what, fix, error);
}
