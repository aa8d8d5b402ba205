import { lstatSync, unlinkSync } from 'node:fs';
import { isStaleTemporary, isTemporaryName } from '../../backends/temporary-file.js';
import { systemCode } from '../system-code.js';
import type { FolderLister } from '../watch/folder-lister.js';

/** A lister that removes what crashed writes left behind, and lists none of it. */
export function removeStaleTemporaries(lister: FolderLister, now: () => number): FolderLister {
  return {
    ...lister,
    list(folder, known) {
      const listing = lister.list(folder, known);
      const temporaries = listing.entries.filter(({ name }) => isTemporaryName(name));
      if (temporaries.length === 0) return listing;
      for (const { name, mtime } of temporaries) {
        if (isStaleTemporary(mtime, now())) remove(`${folder}/${name}`, mtime);
      }
      const entries = listing.entries.filter(({ name }) => !isTemporaryName(name));
      // To be read again, though unchanged: those that are young will be stale.
      return { ...listing, changedAt: NaN, entries };
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
