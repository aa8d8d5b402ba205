import type { CookedAsset } from '../artifacts/cooked-asset.js';
import type { ImportedAsset } from '../data/imported-asset.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';

/** Name of the one task that an import worker serves. */
export const IMPORT_TASK = 'import';

/** What a worker knows of a file: its bytes, or why it can't be read. */
export type ProvidedFile =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly code: string; readonly message: string };

/** What a worker knows of a path that may be an asset of its own. */
export interface ProvidedReference {
  readonly path: string;
  readonly uuid: string | undefined;
}

/** What an importer made: artifacts where something stores them, else data. */
export type ImporterOutput =
  | { readonly kind: 'cooked'; readonly assets: readonly CookedAsset[] }
  | { readonly kind: 'data'; readonly assets: readonly ImportedAsset[] };

/** An import to be done on a worker, which can't ask for anything while it runs. */
export interface ImportRequest {
  readonly importer: string;
  readonly path: string;
  readonly uuid: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly source: Uint8Array;
  readonly files: readonly ProvidedFile[];
  readonly references: readonly ProvidedReference[];
  /** Whether artifacts are wanted, or data. */
  readonly cook: boolean;
}

/** What was moved to the worker and comes back, since it is still needed. */
type ReturnedFiles = Pick<ImportRequest, 'source' | 'files'>;

/** What comes back. */
export type ImportAnswer =
  | {
      readonly kind: 'done';
      readonly output: ImporterOutput;
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  /** The importer asked for something that wasn't provided; send it along and try again. */
  | {
      readonly kind: 'needs';
      readonly files: readonly string[];
      readonly references: readonly string[];
      readonly returned?: ReturnedFiles;
    }
  /** The worker doesn't have this importer. */
  | { readonly kind: 'unknown'; readonly returned?: ReturnedFiles };
