import { VFSPath, type VFSBackend } from '@ecliptic/vfs';

/** All files of a back end, depth first, hidden ones left out. */
export async function listFiles(
  backend: VFSBackend,
  folder: VFSPath = VFSPath.root,
): Promise<VFSPath[]> {
  const files: VFSPath[] = [];
  for (const { name, kind } of (await backend.list(folder)).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    if (name.startsWith('.')) continue;
    const path = folder.join(name);
    if (kind === 'folder') files.push(...(await listFiles(backend, path)));
    else files.push(path);
  }
  return files;
}
