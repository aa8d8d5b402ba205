import { VFSError, VFSPath, type VFSContext } from '@ecliptic/vfs';
import type { AssetType } from '../data/imported-asset.js';
import { ARTIFACT_EXTENSIONS } from './artifact-codec.js';

/** An artifact in a cache: two of the same content and type are one. */
export interface ArtifactName {
  readonly hash: string;
  readonly type: AssetType;
}

/** An import whose artifacts were being written when its process ended. */
export interface SuspectImport {
  readonly key: string;
  /** Those that may be torn. */
  readonly artifacts: readonly ArtifactName[];
}

/**
 * Says after a crash which artifacts are suspect: an entry is written before an import's artifacts, and removed after
 * its record.
 */
export class ImportJournal {
  readonly #root: VFSPath;
  readonly #vfs: Pick<VFSContext, 'readFile' | 'writeFile' | 'list' | 'remove'>;

  constructor(root: VFSPath, vfs: Pick<VFSContext, 'readFile' | 'writeFile' | 'list' | 'remove'>) {
    this.#root = root;
    this.#vfs = vfs;
  }

  async begin(key: string, artifacts: readonly ArtifactName[]): Promise<void> {
    const names = artifacts.map(({ hash, type }) => ({ hash, type }));
    await this.#vfs.writeFile(this.#pathOf(key), JSON.stringify(names));
  }

  async end(key: string): Promise<void> {
    try {
      await this.#vfs.remove(this.#pathOf(key));
    } catch (error) {
      // Another engine over the same folder took it for one of a crash, and has looked at the artifacts.
      if (!VFSError.is(error, 'vfs/not-found')) throw error;
    }
  }

  /** Imports that were begun and not ended. */
  async suspects(): Promise<SuspectImport[]> {
    const found: SuspectImport[] = [];
    for (const key of await this.#keys()) {
      found.push({ key, artifacts: await this.#read(key) });
    }
    return found;
  }

  async #keys(): Promise<string[]> {
    try {
      const entries = await this.#vfs.list(this.#root);
      return entries.map(({ name }) => name).filter((name) => /^[0-9a-f]{64}$/.test(name));
    } catch (error) {
      if (VFSError.is(error, 'vfs/not-found')) return [];
      throw error;
    }
  }

  async #read(key: string): Promise<ArtifactName[]> {
    const text = new TextDecoder().decode(await this.#vfs.readFile(this.#pathOf(key)));
    try {
      const names: unknown = JSON.parse(text);
      return Array.isArray(names) ? names.filter(isArtifactName) : [];
    } catch {
      // A torn entry: its artifacts were not begun.
      return [];
    }
  }

  #pathOf(key: string): VFSPath {
    return this.#root.join(key);
  }
}

/** Names become paths of files that may be removed: nothing else of a damaged entry is believed. */
function isArtifactName(value: unknown): value is ArtifactName {
  const { hash, type } = (value ?? {}) as Partial<Record<string, unknown>>;
  return (
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    typeof type === 'string' &&
    Object.hasOwn(ARTIFACT_EXTENSIONS, type)
  );
}
