/** How bad a {@link Diagnostic} is: an `error` means that the asset was not imported. */
export type Severity = 'error' | 'warning' | 'info';

/**
 * One finding about one file: what is wrong, where, and under which stable code. Plain data, so it
 * crosses worker boundaries and prints as JSON.
 */
export interface Diagnostic {
  readonly severity: Severity;
  /** `assets/<what-is-wrong>`; stable. */
  readonly code: string;
  /** One sentence without a final full stop, with the names and numbers involved. */
  readonly message: string;
  /** VFS path of the file that it is about. */
  readonly file: string;
  /** JSON pointer into the file, as `/meshes/0/primitives/1/indices`, where it is JSON. */
  readonly pointer?: string;
  /** Offset into the file in bytes, where that tells more. */
  readonly byteOffset?: number;
}

/** Where in the file a finding is. */
export interface Place {
  readonly pointer?: string;
  readonly byteOffset?: number;
}

/** A diagnostic in one line: `warning assets/gltf-empty /a/m.gltf#/meshes: …`. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { severity, code, message, file, pointer, byteOffset } = diagnostic;
  const at = byteOffset === undefined ? '' : `@${byteOffset}`;
  return `${severity} ${code} ${file}${pointer === undefined ? '' : `#${pointer}`}${at}: ${message}`;
}
