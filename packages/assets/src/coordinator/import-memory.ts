import { VFSError, type VFSContext, type VFSPath } from '@ecliptic/vfs';
import type { StoredFile, StoredImport } from '../artifacts/artifact-store.js';
import type { ImportError } from '../diagnostics/import-error.js';
import { sha256 } from '../hashing/content-hash.js';
import type { VfsImportContext } from '../importer/vfs-import-context.js';

/** The last import of a path that went well. */
export interface LastImport {
  /** Hash of source, settings and importer. */
  readonly key: string;
  readonly record: StoredImport;
}

/** The last import of a path, where it failed. */
export interface FailedImport {
  readonly key: string;
  readonly files: readonly StoredFile[];
  readonly error: ImportError;
}

/** What is remembered of imports while the engine runs: how they ended, and which files they read. */
export class ImportMemory {
  readonly #vfs: Pick<VFSContext, 'readFile'>;
  readonly #last = new Map<string, LastImport>();
  readonly #failed = new Map<string, FailedImport>();
  /** By file, the paths whose import read it. */
  readonly #readers = new Map<string, Map<string, VFSPath>>();

  constructor(vfs: Pick<VFSContext, 'readFile'>) {
    this.#vfs = vfs;
  }

  last(path: VFSPath): LastImport | undefined {
    return this.#last.get(path.key);
  }

  failure(path: VFSPath): FailedImport | undefined {
    return this.#failed.get(path.key);
  }

  succeeded(path: VFSPath, result: LastImport): void {
    this.#failed.delete(path.key);
    this.#last.set(path.key, result);
    this.#setReads(path, result.record.files);
  }

  /** What went well before is still remembered: its data is the last good one. */
  failed(path: VFSPath, result: FailedImport): void {
    this.#failed.set(path.key, result);
    this.#setReads(path, result.files);
  }

  forget(path: VFSPath): void {
    this.#last.delete(path.key);
    this.#failed.delete(path.key);
    this.#setReads(path, []);
  }

  /** Paths whose last import read the file `path`, or looked for it in vain. */
  readersOf(path: VFSPath): readonly VFSPath[] {
    return [...(this.#readers.get(path.text)?.values() ?? [])];
  }

  /** Whether every file is as it was. Reads them. */
  async isSame(files: readonly StoredFile[]): Promise<boolean> {
    for (const { path, hash } of files) {
      if ((await this.#hashOf(path)) !== hash) return false;
    }
    return true;
  }

  #setReads(path: VFSPath, files: readonly StoredFile[]): void {
    for (const readers of this.#readers.values()) readers.delete(path.key);
    for (const file of files) {
      const readers = this.#readers.get(file.path) ?? new Map<string, VFSPath>();
      readers.set(path.key, path);
      this.#readers.set(file.path, readers);
    }
  }

  async #hashOf(path: string): Promise<string | null> {
    try {
      return await sha256(await this.#vfs.readFile(path));
    } catch (error) {
      // A file that can't be read is as good as absent.
      if (error instanceof VFSError) return null;
      throw error;
    }
  }
}

/** The files that an import read or looked for, with their hashes. */
export function filesOf(context: VfsImportContext): StoredFile[] {
  return [...context.fileHashes].map(([path, hash]) => ({ path, hash }));
}
