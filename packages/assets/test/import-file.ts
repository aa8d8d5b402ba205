import { createUuid } from '@ecliptic/core';
import type { VFSContext, VFSPath } from '@ecliptic/vfs';
import {
  ImportError,
  VfsImportContext,
  type AssetDataByType,
  type AssetType,
  type Diagnostic,
  type ImportedAsset,
  type Importer,
} from '../src/index.js';

/** What came of importing one file without coordinator, registry and cache. */
export type ImportOutcome =
  | {
      readonly kind: 'imported';
      readonly assets: readonly ImportedAsset[];
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'refused'; readonly error: ImportError };

/** Imports one file; anything but an `ImportError` is thrown on. */
export async function importFile(
  importer: Importer,
  vfs: VFSContext,
  path: VFSPath,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ImportOutcome> {
  const context = new VfsImportContext({
    vfs,
    path,
    uuid: createUuid((bytes) => bytes.fill(7)),
    source: await vfs.readFile(path),
    settings: { ...importer.settings, ...settings },
    signal: new AbortController().signal,
  });
  try {
    const assets = await importer.import(context);
    return { kind: 'imported', assets, diagnostics: context.diagnostics };
  } catch (error) {
    if (error instanceof ImportError) return { kind: 'refused', error };
    throw error;
  }
}

/** Data of all assets of one type. */
export function dataOf<Type extends AssetType>(
  assets: readonly ImportedAsset[],
  type: Type,
): AssetDataByType[Type][] {
  return assets
    .filter((asset) => asset.type === type)
    .map((asset) => asset.data as AssetDataByType[Type]);
}
