import { access, constants } from 'node:fs/promises';
import type { MountSpec } from '@ecliptic/engine';
import { memoryBackend } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import { INPUT } from './input-mount.js';
import type { TargetFolder } from './open-target.js';

/**
 * Folders as mounts of an engine. Into a project sidecars are written; over anything else, and over what can't be written, there is
 * memory that takes them.
 */
export async function mountFolders(folders: readonly TargetFolder[]): Promise<MountSpec[]> {
  const mounts = folders.map(async ({ at, folder }): Promise<MountSpec[]> => {
    const disk = { at, backend: diskBackend(folder) };
    const isOurs = at !== INPUT && (await isWritable(folder));
    return isOurs ? [disk] : [disk, { at, backend: memoryBackend(), priority: 1 }];
  });
  return (await Promise.all(mounts)).flat();
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
