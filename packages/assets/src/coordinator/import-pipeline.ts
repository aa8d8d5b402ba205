import type { EventLog } from '@ecliptic/core';
import { VFSPath, type VFSContext } from '@ecliptic/vfs';
import type { ArtifactStore, StoredImport } from '../artifacts/artifact-store.js';
import type { ImportedAsset } from '../data/imported-asset.js';
import { canonicalJson, sha256, sha256Text } from '../hashing/content-hash.js';
import type { AssetIdentity } from '../identity/asset-identity.js';
import type { AssetMeta, MetaArtifact } from '../identity/asset-meta.js';
import type { Importer } from '../importer/importer.js';
import type { ImporterSet } from '../importer/importer-set.js';
import { VfsImportContext } from '../importer/vfs-import-context.js';
import type { AssetManager } from '../manager/asset-manager.js';
import { importInPool } from '../pool/import-in-pool.js';
import type { ImportExecutor } from '../pool/import-executor.js';
import type { AssetRegistry } from '../registry/asset-registry.js';
import { claimPath } from './claim-path.js';
import { asImportError, requireMain } from './importer-output.js';
import { filesOf, ImportMemory } from './import-memory.js';
import { noteImport } from './note-import.js';
import { SourceAssets } from './source-assets.js';
import type { ImportReport } from './import-report.js';

/** The parts of an engine that importing works on. */
export interface ImportPipelineParts {
  readonly vfs: VFSContext;
  readonly registry: AssetRegistry;
  readonly identity: AssetIdentity;
  readonly importers: ImporterSet;
  readonly store?: ArtifactStore | undefined;
  readonly manager?: AssetManager | undefined;
  readonly pool?: ImportExecutor | undefined;
  /** Nanoseconds that a worker may take. */
  readonly timeout: number;
  readonly log: EventLog;
}

/** What an import tells about other sources. */
export interface ImportPipelineHooks {
  /** It refers to the asset at `path`. */
  onReference(path: VFSPath): void;
  /** Its importer waits for a worker and runs there, under the pool's own watch; or it has come back. */
  onPool(path: VFSPath, isThere: boolean): void;
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

/**
 * The steps of one import, without queue, priorities and time-outs, which are the coordinator's:
 * look at the source, decide whether anything changed, run the importer, cook, ingest.
 */
export class ImportPipeline {
  readonly #parts: ImportPipelineParts;
  readonly #hooks: ImportPipelineHooks;
  readonly #memory: ImportMemory;
  readonly #source: SourceAssets;

  constructor(parts: ImportPipelineParts, hooks: ImportPipelineHooks) {
    this.#parts = parts;
    this.#hooks = hooks;
    this.#memory = new ImportMemory(parts.vfs);
    this.#source = new SourceAssets(parts, (path) => hooks.onStale(path));
  }

  /** Whether the path was imported or restored since the start, and not forgotten. */
  isKnown(path: VFSPath): boolean {
    return this.#memory.last(path) !== undefined;
  }

  /** Paths of assets that read the file `path` while they were imported. */
  readersOf(path: VFSPath): readonly VFSPath[] {
    return this.#memory.readersOf(path);
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
    const { vfs, registry, importers, store, manager } = this.#parts;
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
    if (meta.importer !== undefined && meta.importer !== importer.name) {
      context.report(
        'warning',
        'assets/meta-importer',
        `The sidecar asks for the importer "${meta.importer}", which doesn't take this file; "${importer.name}" does it`,
      );
    }
    if (!options.force) {
      const failed = this.#memory.failure(path);
      // What failed is not tried again until something of it changes.
      if (failed?.key === key && (await this.#memory.isSame(failed.files))) throw failed.error;
    }
    const known = this.#memory.last(path);
    const record = known?.key === key ? known.record : await store?.find(key);
    const usable =
      !options.force &&
      record !== undefined &&
      (await this.#memory.isSame(record.files)) &&
      // Where a manager takes the artifacts, one that is missing is found as they are loaded.
      (known?.key === key || manager !== undefined || (await store?.isComplete(record)) === true);
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
    this.#source.begin(path);
    let assets: readonly ImportedAsset[];
    try {
      assets = await this.#import(importer, context);
      requireMain(assets, path, importer, context.uuid);
    } catch (cause) {
      context.signal.throwIfAborted();
      const error = asImportError(cause, path, importer.name, context.diagnostics);
      this.#memory.failed(path, { key, files: await filesOf(context), error });
      throw error;
    }
    context.signal.throwIfAborted();
    // Cooking takes as much memory again.
    context.source = new Uint8Array(0);
    return this.#accept(prepared, assets);
  }

  /** Ends what {@link ImportPipeline.finish} began and could not end. */
  abandon(path: VFSPath, outcome: 'failed' | 'cancelled'): void {
    this.#source.abandon(path, outcome);
  }

  /** Forgets a path, as when its file is gone. */
  forget(path: VFSPath): void {
    this.#memory.forget(path);
  }

  async #import(importer: Importer, context: VfsImportContext): Promise<readonly ImportedAsset[]> {
    const { pool, log, timeout } = this.#parts;
    if (!pool) return importer.import(context);
    const path = VFSPath.parse(context.path);
    this.#hooks.onPool(path, true);
    const assets = await importInPool(pool, importer, context, timeout);
    this.#hooks.onPool(path, false);
    if (assets) return assets;
    log.warnOnce('importer_not_in_pool', importer.name, { pool: pool.name });
    return importer.import(context);
  }

  async #accept(prepared: PreparedImport, assets: readonly ImportedAsset[]): Promise<ImportReport> {
    const { path, context, key } = prepared;
    const { store, manager } = this.#parts;
    const details = {
      files: await filesOf(context),
      references: [...context.referencedPaths],
      diagnostics: context.diagnostics,
    };
    const record = store
      ? await store.save(key, assets, details)
      : { ...details, assets: assets.map((asset) => ({ ...asset, hash: '', bytes: 0 })) };
    context.signal.throwIfAborted();
    store?.adopt(record);
    this.#source.register(path, record);
    for (const [i, asset] of assets.entries()) {
      const hash = record.assets[i]?.hash;
      if (manager) manager.ingest(asset.uuid, asset, hash === '' ? undefined : hash);
      else this.#source.unload(asset.uuid);
    }
    this.#memory.succeeded(path, { key, record });
    const artifacts = listOf(record);
    await noteImport(prepared, artifacts, this.#parts);
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
    prepared: PreparedImport,
    record: StoredImport,
  ): Promise<ImportReport | undefined> {
    const { path, context, key } = prepared;
    const { store, manager, registry, log } = this.#parts;
    const isCurrent = this.#memory.last(path)?.key === key;
    store?.adopt(record);
    if (manager) {
      const loaded = await Promise.all(
        record.assets.map(async (asset) => {
          const resident = isCurrent && manager.versionOf(asset.uuid) > 0;
          return {
            asset,
            resident,
            content: resident ? undefined : await store?.loadStored(asset),
          };
        }),
      );
      const damaged = loaded.find(({ resident, content }) => !resident && !content);
      if (damaged) {
        log.warn('artifact_unusable', { path: path.text, uuid: damaged.asset.uuid });
        return undefined;
      }
      context.signal.throwIfAborted();
      this.#source.register(path, record);
      for (const { asset, content } of loaded) {
        if (content) manager.ingest(asset.uuid, content, asset.hash);
        // The content that failed was taken back.
        if (registry.stateOf(asset.uuid) === 'failed') registry.setState(asset.uuid, 'stale');
        manager.confirm(asset.uuid);
      }
    } else {
      this.#source.register(path, record);
      for (const { uuid } of record.assets) this.#source.unload(uuid);
    }
    this.#memory.succeeded(path, { key, record });
    const artifacts = listOf(record);
    // The process that imported it may have ended before it could say so.
    await noteImport(prepared, artifacts, this.#parts);
    return {
      path,
      status: 'unchanged',
      uuid: context.uuid,
      assets: artifacts,
      diagnostics: record.diagnostics,
    };
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
