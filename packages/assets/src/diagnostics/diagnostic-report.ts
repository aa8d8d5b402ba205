import type { Diagnostic, Place, Severity } from './diagnostic.js';
import { ImportError } from './import-error.js';

/** Findings of one kind that are kept one by one; the rest of that kind is counted. */
const MAX_PER_CODE = 32;

/**
 * Collects the diagnostics of one file's import. Of each code the first 32 are kept and the rest
 * counted, so that a hostile file can't fill memory with complaints.
 *
 * @example
 * ```ts
 * const report = new DiagnosticReport('/models/crate.gltf');
 * report.warn('assets/gltf-empty', 'The list is empty', { pointer: '/meshes' });
 * report.throwIfFailed(); // only warnings: returns
 * ```
 */
export class DiagnosticReport {
  /** The file that it is about. */
  readonly file: string;
  readonly #kept: Diagnostic[] = [];
  readonly #counts = new Map<string, number>();
  #failed = false;

  constructor(file: string) {
    this.file = file;
  }

  /** Whether an error was reported. */
  get failed(): boolean {
    return this.#failed;
  }

  info(code: string, message: string, place?: Place): void {
    this.#add('info', code, message, place);
  }

  warn(code: string, message: string, place?: Place): void {
    this.#add('warning', code, message, place);
  }

  error(code: string, message: string, place?: Place): void {
    this.#add('error', code, message, place);
  }

  /** Reports an error and throws everything reported so far. */
  fail(code: string, message: string, place?: Place, cause?: unknown): never {
    this.error(code, message, place);
    throw new ImportError(this.list(), cause);
  }

  /** @throws ImportError when an error was reported */
  throwIfFailed(): void {
    if (this.#failed) throw new ImportError(this.list());
  }

  /** What was kept, plus one line for each code of which findings were dropped. */
  list(): Diagnostic[] {
    const result = [...this.#kept];
    for (const [code, count] of this.#counts) {
      if (count <= MAX_PER_CODE) continue;
      result.push({
        severity: 'info',
        code: 'assets/diagnostics-suppressed',
        message: `${count - MAX_PER_CODE} more of ${code} are not shown`,
        file: this.file,
      });
    }
    return result;
  }

  #add(severity: Severity, code: string, message: string, place?: Place): void {
    if (severity === 'error') this.#failed = true;
    const count = (this.#counts.get(code) ?? 0) + 1;
    this.#counts.set(code, count);
    if (count <= MAX_PER_CODE) {
      this.#kept.push({ severity, code, message, file: this.file, ...place });
    }
  }
}
