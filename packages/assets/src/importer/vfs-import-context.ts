import { resolveUri, VFSPath, type VFSContext } from '@ecliptic/vfs';
import type { Diagnostic, Place } from '../diagnostics/diagnostic.js';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { sha256 } from '../hashing/content-hash.js';
import type { ImportContext } from './importer.js';
import { subAssetUuid } from './sub-asset-uuid.js';

/** What a {@link VfsImportContext} is made of. */
export interface VfsImportContextOptions {
  readonly vfs: Pick<VFSContext, 'readFile' | 'exists'>;
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
  /** SHA-256 of each file that was read, by path; `null` for one that was looked for in vain. */
  readonly fileHashes: Map<string, string | null> = new Map();
  /** Paths of the assets that were referred to. */
  readonly referencedPaths: Set<string> = new Set();
  readonly #options: VfsImportContextOptions;
  readonly #report: DiagnosticReport;
  readonly #taken: Diagnostic[] = [];
  readonly #read = new Map<string, Uint8Array>();

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
    const known = this.#read.get(path);
    if (known) return known;
    const bytes = await this.take(path);
    this.#read.set(path, bytes);
    return bytes;
  }

  /** As {@link VfsImportContext.read}, for bytes that go elsewhere: they are not kept for another read. */
  async take(path: string): Promise<Uint8Array> {
    this.signal.throwIfAborted();
    try {
      const bytes = await this.#options.vfs.readFile(path, { signal: this.signal });
      this.fileHashes.set(path, await sha256(bytes));
      return bytes;
    } catch (error) {
      this.fileHashes.set(path, null);
      throw error;
    }
  }

  /** Lets go of what was read, once the importer is done. */
  forgetFiles(): void {
    this.#read.clear();
  }

  resolve(uri: string): string {
    return resolveUri(this.#options.path, uri).text;
  }

  async reference(path: string): Promise<string | undefined> {
    const uuid = await this.#options.reference?.(VFSPath.parse(path));
    if (uuid !== undefined) this.referencedPaths.add(path);
    // Once it is there, the import may come out differently.
    else if (!this.fileHashes.has(path) && !(await this.#options.vfs.exists(path))) {
      this.fileHashes.set(path, null);
    }
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
