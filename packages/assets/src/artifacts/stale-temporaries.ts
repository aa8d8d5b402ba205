import { VFSError, type VFSContext, type VFSPath } from '@ecliptic/vfs';

/** What a disk backend calls a file that it is still writing. */
const TEMPORARY = /^\.ecliptic-[0-9a-f-]{36}\.tmp$/;
/** How old a temporary must be to be nobody's, in milliseconds. No write takes that long without touching it. */
const STALE = 60_000;

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
      if (!TEMPORARY.test(name)) continue;
      const path = folder.join(name);
      const { modified = now } = await vfs.stat(path);
      if (now - modified > STALE) await vfs.remove(path);
      else isClean = false;
    }
  } catch (error) {
    // No such folder, or another engine was quicker.
    if (!VFSError.is(error, 'vfs/not-found')) throw error;
  }
  return isClean;
}
