import { VFSPath } from '../paths/vfs-path.js';
import type { VFSEntry, VFSKind } from './vfs-backend.js';

/** The folders that a list of files implies. */
export interface FileTree {
  /** @returns `undefined` when there is nothing */
  find(path: VFSPath): VFSKind | undefined;
  /** A file's path as the list spells it. @returns `undefined` when it isn't in the list */
  spelled(path: VFSPath): VFSPath | undefined;
  /** @returns `undefined` when there is no such folder */
  list(path: VFSPath): VFSEntry[] | undefined;
}

/** The tree of `files`; what is a file and a folder at once counts as a folder. */
export function fileTree(files: readonly VFSPath[]): FileTree {
  const folders = new Map<string, Map<string, VFSEntry>>([[VFSPath.root.key, new Map()]]);
  const add = (path: VFSPath, kind: VFSKind): void => {
    if (path.isRoot) return;
    const { parent, name } = path;
    if (!folders.has(parent.key)) add(parent, 'folder');
    if (kind === 'folder' && !folders.has(path.key)) folders.set(path.key, new Map());
    const known = folders.get(parent.key);
    if (known?.get(path.key)?.kind !== 'folder') known?.set(path.key, { name, kind });
  };
  for (const file of files) add(file, 'file');
  const byKey = new Map(files.map((file) => [file.key, file]));
  return {
    spelled: (path) => byKey.get(path.key),
    find: (path) =>
      folders.has(path.key) ? 'folder' : folders.get(path.parent.key)?.get(path.key)?.kind,
    list(path) {
      const entries = folders.get(path.key);
      return entries && [...entries.values()];
    },
  };
}
