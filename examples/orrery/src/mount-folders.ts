import { access, constants } from 'node:fs/promises';
import type { MountSpec } from '@ecliptic/engine';
import { memoryBackend } from '@ecliptic/vfs';
import { diskBackend } from '@ecliptic/vfs/node';
import type { TargetFolder } from './open-target.js';

/** Folders as mounts of an engine. In one that can't be written, the identities of its models are kept in memory for the run. */
export async function mountFolders(folders: readonly TargetFolder[]): Promise<MountSpec[]> {
  const mounts = folders.map(async ({ at, folder }): Promise<MountSpec[]> => {
    const disk = { at, backend: diskBackend(folder) };
    return (await isWritable(folder))
      ? [disk]
      : [disk, { at, backend: memoryBackend(), priority: 1 }];
  });
  return (await Promise.all(mounts)).flat();
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}
