import { lstatSync, unlinkSync } from 'node:fs';
import { isStaleTemporary, isTemporaryName } from '../../backends/temporary-file.js';
import { systemCode } from '../system-code.js';
import type { FolderLister } from './folder-lister.js';

/** A lister that removes what crashed writes left behind, and lists none of it. */
export function removeStaleTemporaries(lister: FolderLister, now: () => number): FolderLister {
  return {
    ...lister,
    list(folder, unchangedSince) {
      const listing = lister.list(folder, unchangedSince);
      const entries = listing.entries?.filter(({ name, mtime }) => {
        if (!isTemporaryName(name)) return true;
        if (isStaleTemporary(mtime, now())) remove(`${folder}/${name}`, mtime);
        return false;
      });
      return { ...listing, entries };
    },
  };
}

function remove(path: string, mtime: number): void {
  try {
    if (lstatSync(path).mtimeMs === mtime) unlinkSync(path);
  } catch (error) {
    // Gone already, or not ours to remove.
    if (systemCode(error) === '') throw error;
  }
}
