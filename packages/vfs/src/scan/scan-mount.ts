import type { VFSBackend, VFSBackendScanEntry, VFSOptions } from '../backends/vfs-backend.js';
import { VFSError } from '../errors/vfs-error.js';
import { VFSPath } from '../paths/vfs-path.js';
import { ignoreRules } from './ignore.js';
import { isIgnored } from './ignore-rules.js';

/** What one backend is scanned with. */
export interface MountScanOptions extends VFSOptions {
  readonly ignore: readonly string[];
  /** Most calls at once to a backend that has no scan of its own. */
  readonly concurrency: number;
  readonly onProgress: (folders: number) => void;
  /** A folder or file below the first that could not be asked. */
  readonly onFailure: (path: VFSPath, error: VFSError) => void;
}

/**
 * All that is below `root` in one backend, part by part, parents before children: by the backend's own
 * scan where it has one and everything is wanted, else by asking for folder after folder.
 *
 * @throws VFSError when `root` itself can't be listed
 */
export async function* scanMount(
  backend: VFSBackend,
  root: VFSPath,
  options: MountScanOptions,
): AsyncGenerator<readonly VFSBackendScanEntry[]> {
  if (backend.scan && root.isRoot) {
    yield* backend.scan(options);
    return;
  }
  const rules = ignoreRules(options.ignore);
  let found: VFSBackendScanEntry[] = [];
  let folders = 0;

  const visit = async (folder: VFSPath): Promise<VFSPath[]> => {
    options.signal?.throwIfAborted();
    const below: VFSPath[] = [];
    for (const { name, kind } of await backend.list(folder, options)) {
      const path = legal(folder, name, options);
      if (path === undefined || isIgnored(rules, path.text)) continue;
      const { size, modified } = await backend.stat(path, options).catch(asMissing);
      if (size === GONE) continue;
      found.push({ path, kind, size, modified });
      if (kind === 'folder') below.push(path);
    }
    options.onProgress(++folders);
    return below;
  };

  let level = await visit(root);
  yield found;
  while (level.length > 0) {
    found = [];
    const next: VFSPath[] = [];
    const queue = level.values();
    const work = async (): Promise<void> => {
      for (const folder of queue) {
        try {
          next.push(...(await visit(folder)));
        } catch (error) {
          // Gone since it was listed, or another kind of thing by now.
          if (VFSError.is(error, 'vfs/not-found', 'vfs/not-folder')) continue;
          if (!VFSError.is(error)) throw error;
          options.onFailure(folder, error);
        }
      }
    };
    const workers = Math.min(options.concurrency, level.length);
    await Promise.all(Array.from({ length: workers }, work));
    yield found;
    level = next;
  }
}

const GONE = -1;

function asMissing(error: unknown): { size: number; modified: undefined } {
  if (VFSError.is(error, 'vfs/not-found')) return { size: GONE, modified: undefined };
  throw error;
}

function legal(folder: VFSPath, name: string, options: MountScanOptions): VFSPath | undefined {
  try {
    return folder.child(name);
  } catch (error) {
    if (!VFSError.is(error)) throw error;
    options.onFailure(folder, error);
    return undefined;
  }
}
