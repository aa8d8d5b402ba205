import { VFSPath } from '@ecliptic/vfs';
import { canonicalJson, sha256, sha256Text } from '../hashing/content-hash.js';
import type { AssetMeta } from '../identity/asset-meta.js';
import type { Importer } from '../importer/importer.js';
import { VfsImportContext } from '../importer/vfs-import-context.js';
import { findEarlierImport, type EarlierImport } from './earlier-import.js';
import type { ImportMemory } from './import-memory.js';
import type { ImportPipelineParts } from './import-pipeline.js';

/** How to look at a source. */
export interface PrepareOptions {
  /** Wait until the source isn't being written any more. */
  readonly settled: boolean;
  /** Ignore what is known of earlier imports. */
  readonly force: boolean;
  /** Its sidecar, where that was read already. */
  readonly meta: AssetMeta | undefined;
  readonly signal: AbortSignal;
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
  readonly earlier: EarlierImport;
  /** Paths that it says it refers to. */
  readonly named: readonly string[];
  /** Other assets that must be imported first. */
  readonly references: readonly VFSPath[];
}

type PrepareParts = Pick<
  ImportPipelineParts,
  'vfs' | 'registry' | 'importers' | 'store' | 'manager' | 'writes'
>;

/**
 * Reads a source and finds out what has to be done.
 *
 * @param reference - gives the uuid of another asset, for the importer
 */
export async function prepareImport(
  path: VFSPath,
  meta: AssetMeta,
  options: PrepareOptions,
  parts: PrepareParts,
  memory: ImportMemory,
  reference: (path: VFSPath) => Promise<string | undefined>,
): Promise<PreparedImport> {
  const { vfs, registry, importers, store, manager, writes } = parts;
  const { signal } = options;
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
      limits: importer.limits,
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
    reference,
  });
  if (meta.importer !== undefined && meta.importer !== importer.name) {
    context.report(
      'warning',
      'assets/meta-importer',
      `The sidecar asks for the importer "${meta.importer}", which doesn't take this file; "${importer.name}" does it`,
    );
  }
  const earlier = options.force
    ? {}
    : // The first look into a cache removes what a crash has torn.
      await writes.run(signal, () =>
        findEarlierImport(path, key, memory, store, manager === undefined),
      );
  const named = await referencesOf(earlier, importer, context);
  const paths = named.map((reference) => VFSPath.parse(reference));
  const areAssets = await Promise.all(paths.map((other) => isAsset(other, parts)));
  return {
    path,
    meta,
    importer,
    context,
    sourceHash,
    key,
    earlier,
    named,
    references: paths.filter((_, i) => areAssets[i]),
  };
}

/** Whether a path is a file that an importer takes. */
export async function isAsset(
  path: VFSPath,
  { importers, vfs }: Pick<ImportPipelineParts, 'importers' | 'vfs'>,
): Promise<boolean> {
  return importers.takes(path) && (await vfs.exists(path));
}

async function referencesOf(
  { stored, failure }: EarlierImport,
  importer: Importer,
  context: VfsImportContext,
): Promise<readonly string[]> {
  if (failure) return [];
  return stored?.references ?? (await importer.references?.(context)) ?? [];
}
