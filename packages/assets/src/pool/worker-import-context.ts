import { resolveUri, VFSError, VFSPath, type VFSErrorCode } from '@ecliptic/vfs';
import type { Diagnostic, Place } from '../diagnostics/diagnostic.js';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { ImportContext } from '../importer/importer.js';
import { subAssetUuid } from '../importer/sub-asset-uuid.js';
import type { ImportRequest, ProvidedFile } from './import-task.js';

/**
 * An import's view of the project on a worker: it holds what the request brought, and notes what else was asked
 * for. An import that asked for more than there was is done again, whatever came of it.
 */
export class WorkerImportContext implements ImportContext {
  readonly path: string;
  readonly uuid: string;
  readonly source: Uint8Array;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Never aborted: a cancelled import's worker is stopped. */
  readonly signal: AbortSignal = new AbortController().signal;
  readonly neededFiles: Set<string> = new Set();
  readonly neededReferences: Set<string> = new Set();
  readonly #files: ReadonlyMap<string, ProvidedFile>;
  readonly #references: ReadonlyMap<string, string | undefined>;
  readonly #report: DiagnosticReport;
  readonly #taken: Diagnostic[] = [];

  constructor(request: ImportRequest) {
    this.path = request.path;
    this.uuid = request.uuid;
    this.source = request.source;
    this.settings = request.settings;
    this.#files = new Map(request.files.map((file) => [file.path, file]));
    this.#references = new Map(request.references.map(({ path, uuid }) => [path, uuid]));
    this.#report = new DiagnosticReport(this.path);
  }

  /** Whether something was asked for that wasn't there. */
  get isShort(): boolean {
    return this.neededFiles.size + this.neededReferences.size > 0;
  }

  get diagnostics(): Diagnostic[] {
    return [...this.#taken, ...this.#report.list()];
  }

  async read(path: string): Promise<Uint8Array> {
    const file = this.#files.get(path);
    if (!file) {
      this.neededFiles.add(path);
      throw new VFSError('vfs/not-found', `${path} was not sent along`);
    }
    if ('bytes' in file) return file.bytes;
    throw new VFSError(file.code as VFSErrorCode, file.message);
  }

  resolve(uri: string): string {
    return resolveUri(VFSPath.parse(this.path), uri).text;
  }

  async reference(path: string): Promise<string | undefined> {
    if (!this.#references.has(path)) this.neededReferences.add(path);
    return this.#references.get(path);
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
