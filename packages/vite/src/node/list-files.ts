import { VFSError, VFSPath, type VFSBackend } from '@ecliptic/vfs';
import type { ListedFile } from '../project-protocol.js';

/** All files of a back end, depth first, hidden ones left out. */
export async function listFiles(
  backend: VFSBackend,
  folder: VFSPath = VFSPath.root,
): Promise<ListedFile[]> {
  const entries = await backend.list(folder);
  const listed = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .filter(({ name }) => !name.startsWith('.'))
    .map(({ name, kind }) => {
      const path = folder.join(name);
      return kind === 'folder' ? listFiles(backend, path) : listFile(backend, path);
    });
  return (await Promise.all(listed)).flat();
}

/** None if it was removed since its folder was listed. */
async function listFile(backend: VFSBackend, path: VFSPath): Promise<ListedFile[]> {
  try {
    const { size = 0, modified } = await backend.stat(path);
    return [{ path: path.toString(), size, ...(modified === undefined ? {} : { modified }) }];
  } catch (error) {
    if (VFSError.is(error, 'vfs/not-found')) return [];
    throw error;
  }
}
