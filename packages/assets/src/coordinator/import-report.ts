import type { VFSPath } from '@ecliptic/vfs';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { MetaArtifact } from '../identity/asset-meta.js';

/** How an import ended. */
export type ImportStatus =
  /** The importer ran. */
  | 'imported'
  /** Source, settings and importer are those of the last import; the importer didn't run. */
  | 'unchanged'
  | 'failed'
  | 'cancelled';

/** The outcome for one source file. */
export interface ImportReport {
  readonly path: VFSPath;
  readonly status: ImportStatus;
  /** Uuid of the main asset, once it is known. */
  readonly uuid: string | undefined;
  /** What the source holds, the main asset with the key `''`; empty unless imported or unchanged. */
  readonly assets: readonly MetaArtifact[];
  readonly diagnostics: readonly Diagnostic[];
  /** Why it failed. */
  readonly error?: unknown;
}

/** Where a batch of imports stands: from the first one queued while nothing was going on. */
export interface ImportProgress {
  /** Queued so far, cancelled ones not counted. */
  readonly total: number;
  /** Imported or unchanged. */
  readonly completed: number;
  readonly failed: number;
}
