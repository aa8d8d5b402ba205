import { EclipticError, EventLog } from '@ecliptic/core';
import { VFSError, VFSPath, type VFSContext } from '@ecliptic/vfs';
import type { ArtifactStore, StoredFile, StoredImport } from '../artifacts/artifact-store.js';
import type { ImportedAsset } from '../data/imported-asset.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { ImportError } from '../diagnostics/import-error.js';
import { canonicalJson, sha256, sha256Text } from '../hashing/content-hash.js';
import type { AssetIdentity } from '../identity/asset-identity.js';
import type { AssetMeta, MetaArtifact } from '../identity/asset-meta.js';
import type { Importer } from '../importer/importer.js';
import type { ImporterSet } from '../importer/importer-set.js';
import { VfsImportContext } from '../importer/vfs-import-context.js';
import type { AssetManager } from '../manager/asset-manager.js';
import type { AssetRegistry } from '../registry/asset-registry.js';
import { claimPath } from './claim-path.js';
import type { ImportReport } from './import-report.js';

/** The parts of an engine that importing works on. */
export interface ImportPipelineParts {
  readonly vfs: VFSContext;
  readonly registry: AssetRegistry;
  readonly identity: AssetIdentity;
  readonly importers: ImporterSet;
  readonly store?: ArtifactStore | undefined;
  readonly manager?: AssetManager | undefined;
  readonly log: EventLog;
}

/** What an import tells about other sources. */
export interface ImportPipelineHooks {
  /** It refers to the asset at `path`. */
  onReference(path: VFSPath): void;
  /** Assets at `path` use something that is being replaced, and are stale now. */
  onStale(path: VFSPath): void;
}

/** A source that was looked at, before its importer runs. */
export interface PreparedImport {
  readonly path: VFSPath;
  readonly meta: AssetMeta;
  readonly importer: Importer;
  readonly context: VfsImportContext;
  readonly sourceHash: string;
  /** Hash of everything that is known before the importer runs. */
  readonly key: string;
  /** An earlier import with the same key, if the files that it read are unchanged. */
  readonly stored: StoredImport | undefined;
  /** Other assets that must be imported first. */
  readonly references: readonly VFSPath[];
}

/** What the last import of a path was made of, while its assets are resident. */
interface Current {
  readonly key: string;
  readonly record: StoredImport;
}

/**
 * The steps of one import, without queue, priorities and time-outs, which are the coordinator's:
 * look at the source, decide whether anything changed, run the importer, cook, ingest.
 */
export class ImportPipeline {
  readonly #parts: ImportPipelineParts;
  readonly #hooks: ImportPipelineHooks;
  readonly #current = new Map<string, Current>();
  readonly #failed = new Map<
    string,
    { key: string; files: readonly StoredFile[]; error: ImportError }
  >();
  /** Paths whose import read a file, by that file. */
  readonly #readers = new Map<string, Set<VFSPath>>();

  constructor(parts: ImportPipelineParts, hooks: ImportPipelineHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
  }

  /** Whether the path was imported or restored since the start, and not forgotten. */
  isKnown(path: VFSPath): boolean {
    return this.#current.has(path.key);
  }

  /** Paths of assets that read the file `path` while they were imported. */
  readersOf(path: VFSPath): readonly VFSPath[] {
    return [...(this.#readers.get(path.key) ?? [])];
  }

  /**
   * Reads source and identity and finds out what has to be done.
   *
   * @param settled - wait until the source isn't being written any more
   * @param force - ignore what is known of earlier imports
   */
  async prepare(
    path: VFSPath,
    options: { settled: boolean; force: boolean; signal: AbortSignal },
  ): Promise<PreparedImport> {
    const { vfs, registry, importers, store } = this.#parts;
    const { signal } = options;
    const meta = await claimPath(path, this.#parts);
    const importer = importers.choose(path, meta.importer);
    const uuid = registry.get(meta.uuid)?.uuid ?? meta.uuid;
    const source = options.settled
      ? await vfs.readSettled(path, { signal })
      : await vfs.readFile(path, { signal });
    const settings = { ...importer.settings, ...meta.settings };
    const sourceHash = await sha256(source);
    const key = await sha256Text(
      canonicalJson({
        path: path.text,
        uuid,
        importer: importer.name,
        version: importer.version,
        settings,
        sourceHash,
      }),
    );
    const context = new VfsImportContext({
      vfs,
      path,
      uuid,
      source,
      settings,
      signal,
      reference: (other) => this.#reference(other),
    });
    if (!options.force) {
      const failed = this.#failed.get(path.key);
      // What failed is not tried again until something of it changes.
      if (failed?.key === key && (await this.#sameFiles(failed.files))) throw failed.error;
    }
    const known = this.#current.get(path.key);
    const record = known?.key === key ? known.record : await store?.find(key);
    const usable =
      !options.force &&
      record !== undefined &&
      (await this.#sameFiles(record.files)) &&
      (known?.key === key || (await store?.isComplete(record)) === true);
    const stored = usable ? record : undefined;
    const references = stored?.references ?? (await importer.references?.(context)) ?? [];
    const paths = references.map((reference) => VFSPath.parse(reference));
    const assets = await Promise.all(paths.map((other) => this.#isAsset(other)));
    return {
      path,
      meta,
      importer,
      context,
      sourceHash,
      key,
      stored,
      references: paths.filter((_, i) => assets[i]),
    };
  }

  /** Brings the assets of a source up to date: from what is known where nothing changed, else by importing. */
  async finish(prepared: PreparedImport): Promise<ImportReport> {
    const restored = prepared.stored && (await this.#restore(prepared, prepared.stored));
    if (restored) return restored;
    const { path, importer, context, key } = prepared;
    this.#begin(path);
    let assets: readonly ImportedAsset[];
    try {
      assets = await importer.import(context);
      requireMain(assets, path, importer, context.uuid);
    } catch (cause) {
      context.signal.throwIfAborted();
      const error = asImportError(cause, path, importer.name, context.diagnostics);
      this.#failed.set(path.key, { key, files: await this.#filesOf(context), error });
      this.#watchReads(path, [...context.filesRead.keys(), ...context.filesMissed]);
      throw error;
    }
    context.signal.throwIfAborted();
    return this.#accept(prepared, assets);
  }

  /** Ends what {@link ImportPipeline.finish} began and could not end: nothing of the path stays `importing`. */
  abandon(path: VFSPath, outcome: 'failed' | 'cancelled'): void {
    const { registry, manager } = this.#parts;
    for (const { uuid, state } of registry.atPath(path)) {
      if (outcome === 'failed') {
        // A source can be refused before its importer begins, as for its sidecar.
        if (state === 'loaded') registry.setState(uuid, 'stale');
        if (state !== 'importing' && state !== 'failed') registry.setState(uuid, 'importing');
        if (state !== 'failed') registry.setState(uuid, 'failed');
      } else if (state === 'importing') {
        const isResident = (manager?.versionOf(uuid) ?? 0) > 0;
        registry.setState(uuid, isResident ? 'stale' : 'registered');
      }
    }
  }

  /** Forgets a path, as when its file is gone. */
  forget(path: VFSPath): void {
    this.#current.delete(path.key);
    this.#failed.delete(path.key);
  }

  /** What a source holds, and what uses it, is stale from here on; the source's own assets are importing. */
  #begin(path: VFSPath): void {
    const { registry } = this.#parts;
    const own = registry.atPath(path);
    const users = new Map<string, VFSPath>();
    for (const { uuid } of own) {
      for (const marked of registry.markStale(uuid)) {
        const user = registry.get(marked)?.path;
        if (user && !user.equals(path)) users.set(user.key, user);
      }
    }
    for (const { uuid } of own) {
      if (registry.stateOf(uuid) !== 'importing') registry.setState(uuid, 'importing');
    }
    for (const user of users.values()) this.#hooks.onStale(user);
  }

  async #accept(prepared: PreparedImport, assets: readonly ImportedAsset[]): Promise<ImportReport> {
    const { path, importer, context, key, sourceHash } = prepared;
    const { store, manager, identity } = this.#parts;
    const details = {
      files: await this.#filesOf(context),
      references: [...context.referencedPaths],
      diagnostics: context.diagnostics,
    };
    const record = store
      ? await store.save(key, assets, details)
      : { ...details, assets: assets.map((asset) => ({ ...asset, hash: '' })) };
    context.signal.throwIfAborted();
    store?.adopt(record);
    this.#register(path, record);
    for (const [i, asset] of assets.entries()) {
      const hash = record.assets[i]?.hash;
      if (manager) manager.ingest(asset.uuid, asset, hash === '' ? undefined : hash);
      else this.#finishWithout(asset.uuid);
    }
    this.#remember(path, key, record);
    const artifacts = listOf(record);
    await identity.update(path, (meta) => ({
      ...meta,
      importer: importer.name,
      importerVersion: importer.version,
      sourceHash,
      artifacts,
    }));
    return {
      path,
      status: 'imported',
      uuid: context.uuid,
      assets: artifacts,
      diagnostics: record.diagnostics,
    };
  }

  /** Uses an earlier import; `undefined` when its artifacts turn out to be damaged. */
  async #restore(
    { path, context, key }: PreparedImport,
    record: StoredImport,
  ): Promise<ImportReport | undefined> {
    const { store, manager, registry, log } = this.#parts;
    const isCurrent = this.#current.get(path.key)?.key === key;
    store?.adopt(record);
    if (manager) {
      const loaded = [];
      for (const asset of record.assets) {
        const resident = isCurrent && manager.versionOf(asset.uuid) > 0;
        const content = resident ? undefined : await store?.loadStored(asset);
        if (!resident && !content) {
          log.warn('artifact_unusable', { path: path.text, uuid: asset.uuid });
          return undefined;
        }
        loaded.push({ asset, content });
      }
      context.signal.throwIfAborted();
      this.#register(path, record);
      for (const { asset, content } of loaded) {
        if (content) manager.ingest(asset.uuid, content, asset.hash);
        // The content that failed was taken back.
        if (registry.stateOf(asset.uuid) === 'failed') registry.setState(asset.uuid, 'stale');
        manager.confirm(asset.uuid);
      }
    } else {
      this.#register(path, record);
      for (const { uuid } of record.assets) this.#finishWithout(uuid);
    }
    this.#remember(path, key, record);
    return {
      path,
      status: 'unchanged',
      uuid: context.uuid,
      assets: listOf(record),
      diagnostics: record.diagnostics,
    };
  }

  /** Without a manager nothing is resident: an asset ends as loaded only in name, so it goes back to registered. */
  #finishWithout(uuid: string): void {
    const { registry } = this.#parts;
    if (registry.stateOf(uuid) !== 'registered') registry.setState(uuid, 'registered');
  }

  /** Registers what a source holds now, and removes what it held before. */
  #register(path: VFSPath, record: StoredImport): void {
    const { registry, manager } = this.#parts;
    const now = new Set(record.assets.map((asset) => asset.uuid));
    for (const { uuid } of registry.atPath(path)) {
      if (now.has(uuid)) continue;
      registry.setState(uuid, 'removed');
      registry.setDependencies(uuid, []);
      manager?.drop(uuid);
    }
    for (const { uuid, type, key, dependencies } of record.assets) {
      registry.register({ uuid, type, path, key });
      registry.setDependencies(uuid, dependencies);
    }
  }

  #remember(path: VFSPath, key: string, record: StoredImport): void {
    this.#failed.delete(path.key);
    this.#current.set(path.key, { key, record });
    this.#watchReads(
      path,
      record.files.map((file) => file.path),
    );
  }

  #watchReads(path: VFSPath, files: readonly string[]): void {
    for (const readers of this.#readers.values()) {
      for (const reader of readers) if (reader.equals(path)) readers.delete(reader);
    }
    for (const file of files) {
      const readers = this.#readers.get(file) ?? new Set();
      readers.add(path);
      this.#readers.set(file, readers);
    }
  }

  async #filesOf(context: VfsImportContext): Promise<StoredFile[]> {
    const files: StoredFile[] = [];
    for (const [path, bytes] of context.filesRead) files.push({ path, hash: await sha256(bytes) });
    for (const path of context.filesMissed) files.push({ path, hash: null });
    return files;
  }

  async #sameFiles(files: readonly StoredFile[]): Promise<boolean> {
    for (const { path, hash } of files) {
      if ((await this.#hashOf(path)) !== hash) return false;
    }
    return true;
  }

  async #hashOf(path: string): Promise<string | null> {
    try {
      return await sha256(await this.#parts.vfs.readFile(path));
    } catch (error) {
      if (error instanceof VFSError) return null;
      throw error;
    }
  }

  async #isAsset(path: VFSPath): Promise<boolean> {
    return this.#parts.importers.takes(path) && (await this.#parts.vfs.exists(path));
  }

  async #reference(path: VFSPath): Promise<string | undefined> {
    if (!(await this.#isAsset(path))) return undefined;
    const meta = await claimPath(path, this.#parts);
    this.#hooks.onReference(path);
    return meta.uuid;
  }
}

function listOf(record: StoredImport): MetaArtifact[] {
  return record.assets.map(({ key, type, uuid }) => ({ key, type, uuid }));
}

function requireMain(
  assets: readonly ImportedAsset[],
  path: VFSPath,
  importer: Importer,
  uuid: string,
): void {
  const mains = assets.filter((asset) => asset.key === '');
  const isRight = mains.length === 1 && mains[0]?.uuid === uuid && mains[0].type === importer.type;
  if (isRight && new Set(assets.map((asset) => asset.uuid)).size === assets.length) return;
  throw new EclipticError(
    'assets/importer-output',
    `Importer "${importer.name}" must make one ${importer.type} with the key '' and the source's uuid, and no uuid twice`,
    { subjects: { importer: importer.name, path: path.text } },
  );
}

/** Anything that an importer may throw, as an error that names the file. */
export function asImportError(
  cause: unknown,
  path: VFSPath,
  importer: string,
  before: readonly Diagnostic[],
): ImportError {
  if (cause instanceof ImportError) return cause;
  const code = cause instanceof EclipticError ? cause.code : 'assets/importer-threw';
  const reason = cause instanceof Error ? cause.message : String(cause);
  const diagnostic: Diagnostic = {
    severity: 'error',
    code,
    message: code === 'assets/importer-threw' ? `Importer "${importer}" failed: ${reason}` : reason,
    file: path.text,
  };
  return new ImportError([...before, diagnostic], cause);
}
