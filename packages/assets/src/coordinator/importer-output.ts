import { EclipticError, messageOf } from '@ecliptic/core';
import type { VFSPath } from '@ecliptic/vfs';
import type { ImportedAsset } from '../data/imported-asset.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { ImportError } from '../diagnostics/import-error.js';
import type { Importer } from '../importer/importer.js';

/** @throws EclipticError `assets/importer-output` unless there is one main asset, and no uuid twice */
export function requireMain(
  assets: readonly Pick<ImportedAsset, 'key' | 'uuid' | 'type'>[],
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
  const reason = messageOf(cause);
  const diagnostic: Diagnostic = {
    severity: 'error',
    code,
    message: code === 'assets/importer-threw' ? `Importer "${importer}" failed: ${reason}` : reason,
    file: path.text,
  };
  return new ImportError([...before, diagnostic], cause);
}
