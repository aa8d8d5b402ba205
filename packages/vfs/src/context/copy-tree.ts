import type { VFSOptions, VFSStat } from '../backends/vfs-backend.js';
import { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import type { VFSListEntry } from './router.js';

/** What is asked of a context. */
interface Tree {
  stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat>;
  list(path: VFSPath, options?: VFSOptions): Promise<VFSListEntry[]>;
  readFile(path: VFSPath, options?: VFSOptions): Promise<Uint8Array>;
  writeFile(path: VFSPath, content: Uint8Array, options?: VFSOptions): Promise<void>;
  createFolder(path: VFSPath, options?: VFSOptions): Promise<void>;
}

/** Copies a file, or a folder with all that is listed in it. @throws VFSError `vfs/unsupported` for a folder into itself */
export async function copyTree(
  tree: Tree,
  source: VFSPath,
  target: VFSPath,
  options?: VFSOptions,
): Promise<void> {
  if ((await tree.stat(source, options)).kind === 'file') {
    return tree.writeFile(target, await tree.readFile(source, options), options);
  }
  if (target.isWithin(source)) {
    throw new VFSError(
      'vfs/unsupported',
      `Can't copy ${source.text} into itself, to ${target.text}`,
      {
        subjects: { from: source.text, to: target.text },
        fix: 'Copy it to a place outside of itself.',
      },
    );
  }
  await tree.createFolder(target, options);
  for (const { name, path } of await tree.list(source, options)) {
    await copyTree(tree, path, target.join(name), options);
  }
}
