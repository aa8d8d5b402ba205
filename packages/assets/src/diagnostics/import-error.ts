import { EclipticError } from '@ecliptic/core';
import { formatDiagnostic, type Diagnostic } from './diagnostic.js';

/**
 * An import that was refused. Its `code` is that of the first error among its `diagnostics`; the
 * message names file and place.
 */
export class ImportError extends EclipticError {
  /** Everything found up to the refusal, warnings included, in order of discovery. */
  readonly diagnostics: readonly Diagnostic[];

  /** @param diagnostics - at least one of severity `error` */
  constructor(diagnostics: readonly Diagnostic[], cause?: unknown) {
    const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
    const first = errors[0];
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
    super(
      first?.code ?? 'assets/import-failed',
      first ? `${formatDiagnostic(first)}${more}` : 'The import failed',
      { subjects: { file: first?.file, pointer: first?.pointer }, cause },
    );
    this.diagnostics = diagnostics;
  }
}
