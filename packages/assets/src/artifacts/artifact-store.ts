import { EventLog } from '@ecliptic/core';
import { VFSError, VFSPath, type VFSContext, type VFSPathLike } from '@ecliptic/vfs';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { sha256 } from '../hashing/content-hash.js';
import type { TypedAssetData } from '../data/typed-asset-data.js';
import { ARTIFACT_EXTENSIONS, decodeArtifact } from './artifact-codec.js';
import type { CookedAsset, StoredAsset } from './cooked-asset.js';
import { decodeRecord, encodeRecord } from './import-record.js';
import { ImportJournal, type ArtifactName, type SuspectImport } from './import-journal.js';
import { removeStaleTemporaries } from './stale-temporaries.js';

/** A file that was part of an import. */
export interface StoredFile {
  readonly path: string;
  /** SHA-256 of its bytes, or `null` where it was looked for and not there. */
  readonly hash: string | null;
}

/** The record of one import: what it was made of and what came of it. */
export interface StoredImport {
  /** Whether the file was refused: there are no assets, and the diagnostics say why. */
  readonly refused: boolean;
  /** Files read beside the source. */
  readonly files: readonly StoredFile[];
  /** Paths of other assets that it refers to. */
  readonly references: readonly string[];
  readonly assets: readonly StoredAsset[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Options of an {@link ArtifactStore}. */
export interface ArtifactStoreOptions {
  readonly vfs: Pick<VFSContext, 'readFile' | 'writeFile' | 'stat' | 'list' | 'remove'>;
  /** Folder for cooked artifacts, on a writable mount, outside of version control. */
  readonly root: VFSPathLike;
  readonly log?: EventLog;
  /** Milliseconds since 1970, to tell how old a file is. Default: the system's. */
  readonly now?: () => number;
}

/**
 * Cooked artifacts under content-addressed names, and a record for each import. Records are written after
 * their artifacts, each file atomically, so what a record names is whole: a crash at any point leaves the old
 * record or the new one. A journal names the artifacts that were being written; the next start checks those, and removes
 * what is torn, as it may be on a mount that doesn't write atomically, and temporary files that are older than a minute. Other damage is found by length or checksum. All of it is treated
 * as absence.
 *
 * Nothing is ever overwritten with other content; delete the folder to start afresh.
 */
export class ArtifactStore {
  readonly root: VFSPath;
  readonly #vfs: ArtifactStoreOptions['vfs'];
  readonly #log: EventLog;
  readonly #journal: ImportJournal;
  readonly #now: () => number;
  readonly #known = new Map<string, StoredAsset>();
  /** Hashes of artifacts whose content turned out to be wrong; their length may be right. */
  readonly #damaged = new Set<string>();
  /** Hashes of artifacts of which every byte was found sound since this store was made. */
  readonly #sound = new Set<string>();
  #recovered: Promise<void> | undefined;

  constructor(options: ArtifactStoreOptions) {
    this.root = VFSPath.from(options.root);
    this.#vfs = options.vfs;
    this.#log = options.log ?? new EventLog('assets');
    this.#journal = new ImportJournal(this.root.join('journal'), options.vfs);
    this.#now = options.now ?? Date.now;
  }

  /** The record of an import, or `undefined` where there is none that can be read. */
  async find(key: string): Promise<StoredImport | undefined> {
    await this.#recover();
    const path = this.#recordPath(key);
    const bytes = await this.#read(path);
    if (!bytes) return undefined;
    const record = decodeRecord(bytes);
    if (!record) {
      this.#log.warn('artifact_record_damaged', { path: path.text });
      return undefined;
    }
    return record;
  }

  /** Whether every artifact of a record is there, in its length. Their content is checked when they are loaded. */
  async isComplete(record: StoredImport): Promise<boolean> {
    for (const asset of record.assets) {
      if (!(await this.#isThere(asset))) return false;
    }
    return true;
  }

  /** Stores the cooked assets of an import, then its record. */
  async save(
    key: string,
    cooked: readonly CookedAsset[],
    details: Pick<StoredImport, 'files' | 'references' | 'diagnostics'>,
  ): Promise<StoredImport> {
    await this.#recover();
    const assets = cooked.map(({ entry }) => entry);
    const record: StoredImport = { ...details, refused: false, assets };
    await this.#journal.begin(key, assets);
    await Promise.all(
      cooked.map(async ({ entry, artifact }) => {
        if (await this.#isThere(entry)) return;
        await this.#vfs.writeFile(this.pathOf(entry), artifact);
        this.#damaged.delete(entry.hash);
      }),
    );
    await this.#writeRecord(key, record);
    await this.#journal.end(key);
    return record;
  }

  /** Remembers that an import was refused, so that the next start need not try. */
  async saveRefusal(
    key: string,
    details: Pick<StoredImport, 'files' | 'diagnostics'>,
  ): Promise<void> {
    await this.#recover();
    await this.#writeRecord(key, { ...details, refused: true, references: [], assets: [] });
  }

  /** Remembers where the data of assets is, for {@link ArtifactStore.load}. */
  adopt(record: StoredImport): void {
    for (const asset of record.assets) this.#known.set(asset.uuid, asset);
  }

  /**
   * The data of an adopted asset, or `undefined` where it isn't known, is gone or is damaged. Needs no importer.
   *
   * Every byte is compared with its checksum the first time; from then on only the structure is: damage to values that
   * happens later is found by the next store.
   */
  async load(uuid: string): Promise<TypedAssetData | undefined> {
    const asset = this.#known.get(uuid);
    return asset && this.loadStored(asset);
  }

  /** As {@link ArtifactStore.load}, of an entry of a record. */
  async loadStored(asset: StoredAsset): Promise<TypedAssetData | undefined> {
    const path = this.pathOf(asset);
    const bytes = await this.#read(path);
    if (!bytes) return undefined;
    try {
      const content = decodeArtifact(bytes, this.#sound.has(asset.hash) ? 'structure' : 'all');
      if (content.type === asset.type) {
        this.#sound.add(asset.hash);
        return content;
      }
      this.#log.warn('artifact_damaged', { path: path.text, type: content.type });
    } catch (error) {
      // Not the caller's to handle: a damaged artifact is made again from its source.
      this.#log.warn('artifact_damaged', { path: path.text, error });
    }
    this.#damaged.add(asset.hash);
    this.#sound.delete(asset.hash);
    return undefined;
  }

  /** Where an artifact is. */
  pathOf({ hash, type }: ArtifactName): VFSPath {
    return this.root.join(`artifacts/${shard(hash)}/${hash}${ARTIFACT_EXTENSIONS[type]}`);
  }

  /** Once, before anything is looked up: removes what a crash may have torn. */
  #recover(): Promise<void> {
    this.#recovered ??= (async () => {
      for (const suspect of await this.#journal.suspects()) await this.#check(suspect);
      await removeStaleTemporaries(this.root.join('journal'), this.#vfs, this.#now());
    })();
    return this.#recovered;
  }

  async #check({ key, artifacts }: SuspectImport): Promise<void> {
    for (const artifact of artifacts) {
      const path = this.pathOf(artifact);
      const bytes = await this.#read(path);
      if (!bytes || (await sha256(bytes)) === artifact.hash) continue;
      this.#log.warn('artifact_torn', { path: path.text });
      await this.#vfs.remove(path);
    }
    const written = [this.#recordPath(key), ...artifacts.map((artifact) => this.pathOf(artifact))];
    const folders = new Map(written.map(({ parent }) => [parent.key, parent]));
    let isClean = true;
    for (const folder of folders.values()) {
      isClean = (await removeStaleTemporaries(folder, this.#vfs, this.#now())) && isClean;
    }
    // Otherwise the next start looks again.
    if (isClean) await this.#journal.end(key);
  }

  async #isThere(asset: StoredAsset): Promise<boolean> {
    if (this.#damaged.has(asset.hash)) return false;
    try {
      const { size } = await this.#vfs.stat(this.pathOf(asset));
      return size === undefined || size === asset.bytes;
    } catch (error) {
      if (VFSError.is(error, 'vfs/not-found')) return false;
      throw error;
    }
  }

  async #writeRecord(key: string, record: StoredImport): Promise<void> {
    await this.#vfs.writeFile(this.#recordPath(key), encodeRecord(record));
  }

  #recordPath(key: string): VFSPath {
    return this.root.join(`imports/${shard(key)}/${key}.json`);
  }

  async #read(path: VFSPath): Promise<Uint8Array | undefined> {
    try {
      return await this.#vfs.readFile(path);
    } catch (error) {
      if (VFSError.is(error, 'vfs/not-found')) return undefined;
      throw error;
    }
  }
}

/** The folder of a file that is named by a hash: few, since the first import makes them all, and one takes as long as some files. */
function shard(hash: string): string {
  return hash.slice(0, 1);
}
