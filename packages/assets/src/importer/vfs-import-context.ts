import { resolveUri, VFSPath, type VFSContext } from '@ecliptic/vfs';
import type { Diagnostic, Place } from '../diagnostics/diagnostic.js';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { ImportContext } from './importer.js';
import { subAssetUuid } from './sub-asset-uuid.js';

/** What a {@link VfsImportContext} is made of. */
export interface VfsImportContextOptions {
  readonly vfs: Pick<VFSContext, 'readFile'>;
  readonly path: VFSPath;
  readonly uuid: string;
  readonly source: Uint8Array;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Says which files are assets on their own. Default: none. */
  readonly reference?: (path: VFSPath) => Promise<string | undefined>;
}

/** An import's view of the project: every read and reference goes through the VFS and is remembered. */
export class VfsImportContext implements ImportContext {
  readonly path: string;
  readonly uuid: string;
  /** Moved away and back when the import runs on a worker. */
  source: Uint8Array;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Bytes of each file that was read, by path. */
  readonly filesRead: Map<string, Uint8Array> = new Map();
  /** Files that were looked for but not there; the import changes when one appears. */
  readonly filesMissed: Set<string> = new Set();
  /** Paths of the assets that were referred to. */
  readonly referencedPaths: Set<string> = new Set();
  readonly #options: VfsImportContextOptions;
  readonly #report: DiagnosticReport;
  readonly #taken: Diagnostic[] = [];

  constructor(options: VfsImportContextOptions) {
    this.path = options.path.text;
    this.uuid = options.uuid;
    this.source = options.source;
    this.settings = options.settings;
    this.signal = options.signal;
    this.#options = options;
    this.#report = new DiagnosticReport(this.path);
  }

  /** Everything that the importer reported. */
  get diagnostics(): Diagnostic[] {
    return [...this.#taken, ...this.#report.list()];
  }

  async read(path: string): Promise<Uint8Array> {
    this.signal.throwIfAborted();
    const known = this.filesRead.get(path);
    if (known) return known;
    try {
      const bytes = await this.#options.vfs.readFile(path, { signal: this.signal });
      this.filesRead.set(path, bytes);
      return bytes;
    } catch (error) {
      this.filesMissed.add(path);
      throw error;
    }
  }

  resolve(uri: string): string {
    return resolveUri(this.#options.path, uri).text;
  }

  async reference(path: string): Promise<string | undefined> {
    const uuid = await this.#options.reference?.(VFSPath.parse(path));
    if (uuid !== undefined) this.referencedPaths.add(path);
    return uuid;
  }

  subAsset(key: string): string {
    return subAssetUuid(this.uuid, key);
  }

  report(severity: 'warning' | 'info', code: string, message: string, place?: Place): void {
    if (severity === 'info') this.#report.info(code, message, place);
    else this.#report.warn(code, message, place);
  }

  reportAll(diagnostics: readonly Diagnostic[]): void {
    this.#taken.push(...diagnostics);
  }
}
