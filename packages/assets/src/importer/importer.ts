import type { Diagnostic, Place } from '../diagnostics/diagnostic.js';
import type { AssetType, ImportedAsset } from '../data/imported-asset.js';

/** What an importer may use. One is made for each import; nothing outlives it. */
export interface ImportContext {
  /** VFS path of the source file. */
  readonly path: string;
  /** The source's identity: uuid of the main asset. */
  readonly uuid: string;
  /** Settings of the file's `.meta`, over the importer's defaults. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Aborted when the import is cancelled or timed out. */
  readonly signal: AbortSignal;
  /** The bytes of the source file. Don't write to them. */
  readonly source: Uint8Array;
  /**
   * Reads another file that becomes part of the result, as a buffer of a glTF. It is remembered as a
   * source dependency: when it changes, the import runs again.
   *
   * @param path - from {@link ImportContext.resolve}
   * @throws VFSError `vfs/not-found` and others of its backend
   */
  read(path: string): Promise<Uint8Array>;
  /**
   * The VFS path that a URI inside the source refers to.
   *
   * @throws VFSError `vfs/uri-*` or `vfs/path-*` where it names nothing inside the project
   */
  resolve(uri: string): string;
  /**
   * Uuid of the asset at `path`, when that file is an asset on its own (an importer takes it), else
   * `undefined`. It becomes a dependency: it is imported too, and when it changes, this asset is told.
   */
  reference(path: string): Promise<string | undefined>;
  /** Uuid of the sub-asset `key` of this source, the same in every import. */
  subAsset(key: string): string;
  /** Reports a finding that doesn't stop the import. */
  report(severity: 'warning' | 'info', code: string, message: string, place?: Place): void;
  /** Takes over findings of a parser with a report of its own. */
  reportAll(diagnostics: readonly Diagnostic[]): void;
}

/**
 * Turns files of some formats into assets. An importer is pure: the same source, files read,
 * settings and version give the same assets; it keeps no state between imports and touches nothing
 * but its context.
 *
 * @example
 * ```ts
 * const colour: Importer = {
 *   name: 'colour',
 *   version: 1,
 *   type: 'material',
 *   extensions: ['.colour'],
 *   settings: {},
 *   async import(context) {
 *     const [r = 1, g = 1, b = 1] = JSON.parse(new TextDecoder().decode(context.source));
 *     const data = { ...plainMaterial, baseColor: [r, g, b, 1] };
 *     return [{ key: '', uuid: context.uuid, type: 'material', data, dependencies: [] }];
 *   },
 * };
 * ```
 */
export interface Importer {
  /** Unique among the importers of one coordinator; written to `.meta`. */
  readonly name: string;
  /** Raised by whoever changes what it produces: everything is imported again. */
  readonly version: number;
  /** Type of the main asset that it makes of a file. */
  readonly type: AssetType;
  /** Lower-case file extensions with their dot. */
  readonly extensions: readonly string[];
  /** Defaults of its settings, plain JSON. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What else decides over its results and isn't set file by file, as limits: plain JSON. A change imports again. */
  readonly limits?: Readonly<Record<string, unknown>>;
  /**
   * Paths of other assets that the import needs to be imported first. Leave it out where there are none:
   * a reference found during the import is imported as well, just not before.
   */
  references?(context: ImportContext): Promise<readonly string[]>;
  /**
   * Paths of files that the import will read, so that a worker gets them with the source. A hint: what is missing
   * is sent when the import asks for it, at the price of another run.
   */
  reads?(context: ImportContext): Promise<readonly string[]>;
  /**
   * @returns the assets, exactly one of them with the key `''`
   * @throws ImportError (or anything else: it becomes `assets/importer-threw`) where the file is refused
   */
  import(context: ImportContext): Promise<readonly ImportedAsset[]>;
}
