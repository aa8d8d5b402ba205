import { lstatSync, unlinkSync } from 'node:fs';
import { systemCode } from '../system-code.js';
import type { FolderLister } from './folder-lister.js';

/** What `atomicWrite` calls its temporaries. */
const TEMPORARY = /^\.ecliptic-[0-9a-f-]{36}\.tmp$/;
/** How old a temporary must be to be nobody's. No write takes that long without touching it. */
const STALE = 60_000;

/** A lister that removes what crashed writes left behind, and lists none of it. */
export function removeStaleTemporaries(lister: FolderLister, now: () => number): FolderLister {
  return {
    ...lister,
    list(folder, unchangedSince) {
      const listing = lister.list(folder, unchangedSince);
      const entries = listing.entries?.filter(({ name, mtime }) => {
        if (!TEMPORARY.test(name)) return true;
        if (now() - mtime > STALE) remove(`${folder}/${name}`, mtime);
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
