import type { VFSKind, VFSOptions, VFSStat } from '../backends/vfs-backend.js';
import { notFound } from '../backends/checks.js';
import { VFSError } from '../errors/vfs-error.js';
import type { VFSPath } from '../paths/vfs-path.js';
import { askMounts, located, type VFSFailure } from './ask-mounts.js';
import type { Mount, ResolvedPath } from './mount.js';
import type { MountTable } from './mount-table.js';

/** One name in a merged listing. */
export interface VFSListEntry {
  readonly name: string;
  readonly kind: VFSKind;
  readonly path: VFSPath;
  /** Who serves it; `undefined` for a folder that is there only because something is mounted below it. */
  readonly mount: Mount | undefined;
}

const FOLDER: VFSStat = { kind: 'folder', size: 0, modified: undefined };

/** Decides which mount answers for a path, and which one is written to. */
export class Router {
  readonly #table: MountTable;
  readonly #report: (failure: VFSFailure) => void;

  constructor(table: MountTable, report: (failure: VFSFailure) => void) {
    this.#table = table;
    this.#report = report;
  }

  /**
   * The answer of the first mount that has `path`.
   *
   * @throws VFSError `vfs/not-found`, `vfs/not-mounted`, or the first failure when nobody has it
   */
  async serve<T>(
    path: VFSPath,
    operation: string,
    ask: (mount: Mount, own: VFSPath) => Promise<T>,
  ): Promise<T> {
    const candidates = this.#table.resolveAll(path);
    if (candidates.length === 0) throw notMounted(path);
    const answer = await askMounts(candidates, operation, path, this.#report, (candidate) =>
      ask(candidate.mount, candidate.path),
    );
    if (answer === undefined) throw notFound(path);
    if (answer instanceof VFSError) throw answer;
    return answer.value;
  }

  /** What is at `path`; a place above a mount is a folder. */
  async stat(path: VFSPath, options?: VFSOptions): Promise<VFSStat> {
    options?.signal?.throwIfAborted();
    const above = this.#table.namesBelow(path).size > 0;
    try {
      const stat = await this.serve(path, 'stat', (mount, own) => mount.backend.stat(own, options));
      return above && stat.kind === 'file' ? FOLDER : stat;
    } catch (error) {
      if (above && VFSError.is(error)) return FOLDER;
      throw error;
    }
  }

  /** The merged listing of `path`, sorted. */
  async list(path: VFSPath, options?: VFSOptions): Promise<VFSListEntry[]> {
    options?.signal?.throwIfAborted();
    const byKey = new Map<string, VFSListEntry>();
    for (const name of this.#table.namesBelow(path)) {
      const at = path.join(name);
      byKey.set(at.key, { name, kind: 'folder', path: at, mount: undefined });
    }
    let answered = byKey.size > 0;
    let failed: VFSError | undefined;
    for (const { mount, path: own } of this.#table.resolveAll(path)) {
      const answer = await askMounts([{ mount, path: own }], 'list', path, this.#report, () =>
        mount.backend.list(own, options),
      ).catch((error: unknown) => {
        // A folder hides a file of its name further down.
        if (answered && VFSError.is(error, 'vfs/not-folder')) return undefined;
        throw error;
      });
      if (answer instanceof VFSError) failed ??= answer;
      if (answer === undefined || answer instanceof VFSError) continue;
      answered = true;
      for (const { name, kind } of answer.value) {
        const at = this.#child(path, name, mount);
        if (at !== undefined) addEntry(byKey, { name, kind, path: at, mount });
      }
    }
    if (!answered) {
      if (this.#table.resolve(path) === undefined) throw notMounted(path);
      throw failed ?? notFound(path);
    }
    return [...byKey.values()].sort((a, b) => a.path.compare(b.path));
  }

  /**
   * The mount that has `path`, when it can be written to.
   *
   * @throws VFSError `vfs/not-found`, `vfs/read-only`, `vfs/busy`
   */
  async owner(path: VFSPath, operation: string, options?: VFSOptions): Promise<ResolvedPath> {
    this.#refusePlaces(path, operation);
    return this.serve(path, operation, async (mount, own) => {
      await mount.backend.stat(own, options);
      if (!mount.writable) throw readOnly(path, operation);
      return { mount, path: own };
    });
  }

  /**
   * The mount that a write to `path` goes to: the first writable one.
   *
   * @throws VFSError `vfs/not-mounted`, `vfs/read-only`
   */
  target(path: VFSPath, operation: string): ResolvedPath {
    const candidates = this.#table.resolveAll(path);
    if (candidates.length === 0) throw notMounted(path);
    const target = candidates.find(({ mount }) => mount.writable);
    if (target === undefined) throw readOnly(path, operation);
    return target;
  }

  /** The mount whose `path` is seen instead of that of `target`: it is asked before, and has it. */
  async hiddenBy(path: VFSPath, target: Mount, options?: VFSOptions): Promise<Mount | undefined> {
    for (const { mount, path: own } of this.#table.resolveAll(path)) {
      if (mount === target) return undefined;
      try {
        await mount.backend.stat(own, options);
        return mount;
      } catch (error) {
        if (!VFSError.is(error)) throw error; // Not there, or broken: it hides nothing.
      }
    }
    return undefined;
  }

  /** As {@link Router.target}, for something that may not be a place where something is mounted. */
  free(path: VFSPath, operation: string): ResolvedPath {
    this.#refusePlaces(path, operation);
    return this.target(path, operation);
  }

  /** The path of `name` in `folder`; one that is no legal path can't be asked for, and is reported. */
  #child(path: VFSPath, name: string, mount: Mount): VFSPath | undefined {
    try {
      return path.child(name);
    } catch (error) {
      if (!(error instanceof VFSError)) throw error;
      this.#report({ mount, operation: 'list', path, error });
      return undefined;
    }
  }

  #refusePlaces(path: VFSPath, operation: string): void {
    if (this.#table.at(path).length === 0 && this.#table.namesBelow(path).size === 0) return;
    throw new VFSError('vfs/busy', `Can't ${operation} ${path.text}: something is mounted there`, {
      subjects: { path: path.text },
      fix: 'Unmount it first.',
    });
  }
}

/** Runs a change in `mount` and lets its errors name the context's path. */
export async function changing(
  operation: string,
  path: VFSPath,
  mount: Mount,
  change: Promise<void>,
): Promise<void> {
  try {
    await change;
  } catch (error) {
    throw error instanceof VFSError ? located(error, operation, path, mount) : error;
  }
}

/** `vfs/not-mounted` for `path`. */
export function notMounted(path: VFSPath): VFSError {
  return new VFSError('vfs/not-mounted', `Nothing is mounted at or above ${path.text}`, {
    subjects: { path: path.text },
    fix: 'Mount a backend with VFSContext.mount().',
  });
}

function readOnly(path: VFSPath, operation: string): VFSError {
  return new VFSError('vfs/read-only', `Can't ${operation} ${path.text}: its mount is read-only`, {
    subjects: { path: path.text },
    fix: 'Mount a writable backend above it, or wrap it in overlayBackend().',
  });
}

/** Adds a name to a merged listing, unless a mount above has it. */
function addEntry(byKey: Map<string, VFSListEntry>, entry: VFSListEntry): void {
  const known = byKey.get(entry.path.key);
  // The place of a mount that is a folder anyway belongs to who has the folder.
  const place = known?.mount === undefined && entry.kind === 'folder';
  if (known === undefined || place) byKey.set(entry.path.key, entry);
}
