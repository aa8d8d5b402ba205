import {
  isStaleTemporary,
  isTemporaryName,
  VFSError,
  type VFSContext,
  type VFSPath,
} from '@ecliptic/vfs';

/**
 * Removes what crashed writes left in a folder.
 *
 * @param now - milliseconds since 1970
 * @returns whether none is left; a young one may still be written, by another engine
 */
export async function removeStaleTemporaries(
  folder: VFSPath,
  vfs: Pick<VFSContext, 'stat' | 'list' | 'remove'>,
  now: number,
): Promise<boolean> {
  let isClean = true;
  try {
    for (const { name } of await vfs.list(folder)) {
      if (!isTemporaryName(name)) continue;
      const path = folder.join(name);
      const { modified = now } = await vfs.stat(path);
      if (isStaleTemporary(modified, now)) await vfs.remove(path);
      else isClean = false;
    }
  } catch (error) {
    // No such folder, or another engine was quicker.
    if (!VFSError.is(error, 'vfs/not-found')) throw error;
  }
  return isClean;
}
