import { VFSError, type VFSErrorCode } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import { systemCode } from './system-code.js';

const CODES: Readonly<Record<string, readonly [VFSErrorCode, string, string?]>> = {
  ENOENT: ['vfs/not-found', 'does not exist'],
  ENOTDIR: ['vfs/not-folder', 'has a file where a folder is needed'],
  EISDIR: ['vfs/is-folder', 'is a folder'],
  EEXIST: ['vfs/exists', 'exists'],
  ENOTEMPTY: ['vfs/not-empty', 'is not empty', 'Pass { recursive: true }.'],
  ELOOP: ['vfs/not-found', 'is a link that leads in a circle', 'Repair the link.'],
  EACCES: ['vfs/permission', 'may not be accessed', 'Check its permissions.'],
  EPERM: ['vfs/permission', 'may not be accessed', 'Check its permissions.'],
  EROFS: ['vfs/read-only', 'is on a read-only disk'],
  ENOSPC: ['vfs/no-space', 'needs more space than the disk has', 'Free some space.'],
  EDQUOT: ['vfs/no-space', 'needs more space than the quota leaves', 'Free some space.'],
  EMFILE: ['vfs/too-many-open', 'can not be opened: too many files are open', 'Raise `ulimit -n`.'],
  ENFILE: ['vfs/too-many-open', 'can not be opened: too many files are open on this machine'],
  EBUSY: ['vfs/busy', 'is in use by another program', 'Close it there and try again.'],
  ETXTBSY: ['vfs/busy', 'is in use by another program', 'Close it there and try again.'],
  ENAMETOOLONG: ['vfs/path-too-long', 'is too long for the disk', 'Shorten the names.'],
  EXDEV: ['vfs/unsupported', 'can not be moved to another disk', 'Use copy() and then remove().'],
};

/**
 * The {@link VFSError} for what a call of `node:fs` threw about `path`; other errors stay as they are.
 *
 * @param root - the folder on disk that is mounted, which is named where the error is about it
 */
export function diskError(error: unknown, path: VFSPath, root?: string): unknown {
  const code = systemCode(error);
  if (error instanceof VFSError || code === '' || code.startsWith('ERR_') || code === 'ABORT_ERR') {
    return error;
  }
  const [vfsCode, what, fix] = CODES[code] ?? ['vfs/io', `failed on disk with ${code}`];
  if (path.isRoot && root !== undefined) {
    return new VFSError(vfsCode, `The folder ${root} ${what}`, {
      subjects: { path: path.text, folder: root, system: code },
      fix: fix ?? 'Make that folder, or give the disk back end the one that you mean.',
      cause: error,
    });
  }
  return new VFSError(vfsCode, `${path.text} ${what}`, {
    subjects: { path: path.text, system: code },
    ...(fix === undefined ? {} : { fix }),
    cause: error,
  });
}
