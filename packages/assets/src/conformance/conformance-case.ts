import type { Importer } from '../importer/importer.js';

/** A project with one source file that the importer must accept. */
export interface ImporterSample {
  /** Files by VFS path. */
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  /** The one to import. */
  readonly path: string;
  /** Settings over the importer's defaults. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** What the suite runs on. */
export interface ImporterSubject {
  readonly importer: Importer;
  /** At least one. Small ones: each is imported hundreds of times. */
  readonly samples: readonly ImporterSample[];
  /** How many damaged variants of each sample to try. Default 200. */
  readonly mutations?: number;
}

/** One thing that an importer must do. Run it in any test runner. */
export interface ImporterCase {
  readonly name: string;
  /** Rejects with an `ImporterConformanceError` that says what is wrong. */
  run(subject: ImporterSubject): Promise<void>;
}

/** A case of the suite that an importer does not pass. */
export class ImporterConformanceError extends Error {
  override readonly name = 'ImporterConformanceError';
}

/** Fails with `message` unless `condition` holds. */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ImporterConformanceError(message);
}
