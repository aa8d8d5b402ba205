import { VFSPath, type VFSBackend } from '@ecliptic/vfs';
import { packProject, type PackedFile } from '../project-pack.js';
import type { ListedFile, ProjectListing } from '../project-protocol.js';

const LARGEST_FILE = 2 ** 20;
const LARGEST_PACK = 2 ** 25;

/**
 * What is listed as one block, with sizes as they were read. Files above 1 MiB, and those after the first 32 MiB, are only named: a page
 * asks for them one by one.
 */
export async function readPack(
  backend: VFSBackend,
  { files, watch }: ProjectListing,
): Promise<Uint8Array<ArrayBuffer>> {
  let total = 0;
  const read = files.map(async (listed): Promise<PackedFile> => {
    const { path, size } = listed;
    if (size > LARGEST_FILE || total + size > LARGEST_PACK) return { listed };
    total += size;
    const bytes = await backend.read(VFSPath.parse(path));
    const known: ListedFile = { ...listed, size: bytes.length };
    return { listed: known, bytes };
  });
  return packProject({ files: await Promise.all(read), watch });
}
