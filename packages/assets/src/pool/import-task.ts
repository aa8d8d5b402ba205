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

/** An import to be done on a worker, which can't ask for anything while it runs. */
export interface ImportRequest {
  readonly importer: string;
  readonly path: string;
  readonly uuid: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly source: Uint8Array;
  readonly files: readonly ProvidedFile[];
  readonly references: readonly ProvidedReference[];
}

/** What comes back; the source, too, where it was moved to the worker and is still needed. */
export type ImportAnswer =
  | {
      readonly kind: 'done';
      readonly assets: readonly ImportedAsset[];
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly kind: 'refused'; readonly diagnostics: readonly Diagnostic[] }
  /** The importer asked for something that wasn't provided; send it along and try again. */
  | {
      readonly kind: 'needs';
      readonly files: readonly string[];
      readonly references: readonly string[];
      readonly source?: Uint8Array;
    }
  /** The worker doesn't have this importer. */
  | { readonly kind: 'unknown'; readonly source?: Uint8Array };
