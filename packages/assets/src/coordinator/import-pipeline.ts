import type { EventLog } from '@ecliptic/core';
import { VFSError, VFSPath, type VFSContext } from '@ecliptic/vfs';
import { decodeArtifact } from '../artifacts/artifact-codec.js';
import type { ArtifactStore, StoredImport } from '../artifacts/artifact-store.js';
import { cookAssets } from '../artifacts/cooked-asset.js';
import { ImportError } from '../diagnostics/import-error.js';
import type { AssetIdentity } from '../identity/asset-identity.js';
import type { MetaArtifact } from '../identity/asset-meta.js';
import type { ImporterSet } from '../importer/importer-set.js';
import type { TypedAssetData } from '../data/typed-asset-data.js';
import type { AssetManager } from '../manager/asset-manager.js';
import { importInPool } from '../pool/import-in-pool.js';
import type { ImportExecutor } from '../pool/import-executor.js';
import type { ImporterOutput } from '../pool/import-task.js';
import type { AssetRegistry } from '../registry/asset-registry.js';
import { claimPath } from './claim-path.js';
import { asImportError, requireMain } from './importer-output.js';
import { filesOf, ImportMemory } from './import-memory.js';
import { noteImport } from './note-import.js';
import type { PendingWrites } from './pending-writes.js';
import {
  isAsset,
  prepareImport,
  type PreparedImport,
  type PrepareOptions,
} from './prepare-import.js';
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
  readonly writes: PendingWrites;
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

  /** Reads source and identity and finds out what has to be done. */
  async prepare(path: VFSPath, options: PrepareOptions): Promise<PreparedImport> {
    const { signal } = options;
    const meta = await this.#parts.writes.run(signal, () =>
      claimPath(path, this.#parts, options.meta),
    );
    return prepareImport(path, meta, options, this.#parts, this.#memory, (other) =>
      this.#reference(other, signal),
    );
  }

  /** Brings the assets of a source up to date: from what is known where nothing changed, else by importing. */
  async finish(prepared: PreparedImport): Promise<ImportReport> {
    const { stored, failure } = prepared.earlier;
    if (failure) throw failure;
    const restored = stored && (await this.#restore(prepared, stored));
    if (restored) return restored;
    const { path, importer, context, key } = prepared;
    this.#source.begin(path);
    let output: ImporterOutput;
    try {
      output = await this.#import(prepared);
      const made = output.kind === 'data' ? output.assets : output.assets.map(({ entry }) => entry);
      requireMain(made, path, importer, context.uuid);
    } catch (cause) {
      context.signal.throwIfAborted();
      const error = asImportError(cause, path, importer.name, context.diagnostics);
      const files = filesOf(context);
      this.#memory.failed(path, { key, files, error });
      // Time-outs, crashes and faults of an importer may pass; what it refuses, it refuses again.
      if (cause instanceof ImportError) {
        await this.#saveRefusal(prepared, { files, diagnostics: error.diagnostics });
      }
      throw error;
    }
    context.signal.throwIfAborted();
    context.source = new Uint8Array(0);
    context.forgetFiles();
    return this.#accept(prepared, output);
  }

  /** Ends what {@link ImportPipeline.finish} began and could not end. */
  abandon(path: VFSPath, outcome: 'failed' | 'cancelled'): void {
    this.#source.abandon(path, outcome);
  }

  /** Forgets a path, as when its file is gone. */
  forget(path: VFSPath): void {
    this.#memory.forget(path);
  }

  async #import({ path, importer, context, named }: PreparedImport): Promise<ImporterOutput> {
    const { pool, log, timeout, store } = this.#parts;
    if (pool) {
      this.#hooks.onPool(path, true);
      const cooks = store !== undefined;
      const output = await importInPool(pool, importer, context, named, timeout, cooks);
      this.#hooks.onPool(path, false);
      if (output) return output;
      log.warnOnce('importer_not_in_pool', importer.name, { pool: pool.name });
    }
    const assets = [...(await importer.import(context))];
    if (!store) return { kind: 'data', assets };
    context.forgetFiles();
    return { kind: 'cooked', assets: await cookAssets(assets, context.source) };
  }

  async #accept(prepared: PreparedImport, output: ImporterOutput): Promise<ImportReport> {
    const { path, context, key } = prepared;
    const { store, manager } = this.#parts;
    const details = {
      files: filesOf(context),
      references: [...context.referencedPaths],
      diagnostics: context.diagnostics,
    };
    const record = await this.#record(prepared, output, details);
    context.signal.throwIfAborted();
    store?.adopt(record);
    this.#source.register(path, record);
    for (const [i, { uuid, hash }] of record.assets.entries()) {
      if (manager) manager.ingest(uuid, contentOf(output, i), hash === '' ? undefined : hash);
      else this.#source.unload(uuid);
    }
    this.#memory.succeeded(path, { key, record });
    const artifacts = listOf(record);
    await this.#note(prepared, artifacts);
    return {
      path,
      status: 'imported',
      uuid: context.uuid,
      assets: artifacts,
      diagnostics: record.diagnostics,
    };
  }

  async #note(prepared: PreparedImport, artifacts: readonly MetaArtifact[]): Promise<void> {
    await this.#parts.writes.run(prepared.context.signal, () =>
      noteImport(prepared, artifacts, this.#parts),
    );
  }

  async #saveRefusal(
    { path, context, key }: PreparedImport,
    refusal: Pick<StoredImport, 'files' | 'diagnostics'>,
  ): Promise<void> {
    const { store, log, writes } = this.#parts;
    if (!store) return;
    try {
      await writes.run(context.signal, () => store.saveRefusal(key, refusal));
    } catch (error) {
      if (!VFSError.is(error)) throw error;
      // What is told is why the file was refused; the next start tries it once more.
      log.warn('refusal_not_stored', { path: path.text, error });
    }
  }

  async #record(
    { context, key }: PreparedImport,
    output: ImporterOutput,
    details: Pick<StoredImport, 'files' | 'references' | 'diagnostics'>,
  ): Promise<StoredImport> {
    const { store, writes } = this.#parts;
    if (store && output.kind === 'cooked') {
      return writes.run(context.signal, () => store.save(key, output.assets, details));
    }
    const made = output.kind === 'data' ? output.assets : [];
    const assets = made.map(({ key: name, uuid, type, dependencies }) => {
      return { key: name, uuid, type, dependencies, hash: '', bytes: 0 };
    });
    return { ...details, refused: false, assets };
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
    await this.#note(prepared, artifacts);
    return {
      path,
      status: 'unchanged',
      uuid: context.uuid,
      assets: artifacts,
      diagnostics: record.diagnostics,
    };
  }

  async #reference(path: VFSPath, signal: AbortSignal): Promise<string | undefined> {
    if (!(await isAsset(path, this.#parts))) return undefined;
    const meta = await this.#parts.writes.run(signal, () => claimPath(path, this.#parts));
    this.#hooks.onReference(path);
    return meta.uuid;
  }
}

/** The data of the asset at `index`; of an artifact, views of it. */
function contentOf(output: ImporterOutput, index: number): TypedAssetData {
  const made = output.assets[index];
  if (!made) throw new RangeError(`There is no asset ${index}`);
  // Made a moment ago, and never out of memory.
  return 'artifact' in made ? decodeArtifact(made.artifact, 'structure') : made;
}

function listOf(record: StoredImport): MetaArtifact[] {
  return record.assets.map(({ key, type, uuid }) => ({ key, type, uuid }));
}
