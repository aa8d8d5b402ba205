import type { ImportProgress, ImportReport } from '../coordinator/import-report.js';
import { formatDiagnostic, type Diagnostic } from '../diagnostics/diagnostic.js';

/** Where a command writes. */
export interface CliOutput {
  /** Results, one line a call. */
  out(line: string): void;
  /** Diagnostics. */
  err(line: string): void;
  /** Overwrites one line of a terminal; absent where there is none. */
  status?(text: string): void;
}

const BAR_CELLS = 24;

/** `[#####-----] 12/40, 1 failed, textures/wood.png` */
export function progressLine({ total, completed, failed }: ImportProgress, path: string): string {
  const done = completed + failed;
  const filled = total === 0 ? BAR_CELLS : Math.floor((BAR_CELLS * done) / total);
  const bar = '#'.repeat(filled) + '-'.repeat(BAR_CELLS - filled);
  const failures = failed === 0 ? '' : `, ${failed} failed`;
  return `[${bar}] ${done}/${total}${failures}, ${path}`;
}

/** Counts by status and severity, as a table. */
export function summaryTable(
  reports: readonly ImportReport[],
  diagnostics: readonly Diagnostic[],
  milliseconds: number,
): string[] {
  const count = (status: ImportReport['status']): number =>
    reports.filter((report) => report.status === status).length;
  const severe = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const rows: readonly (readonly [string, string])[] = [
    ['imported', String(count('imported'))],
    ['unchanged', String(count('unchanged'))],
    ['failed', String(count('failed'))],
    ['errors', String(severe('error'))],
    ['warnings', String(severe('warning'))],
    ['time', `${(milliseconds / 1_000).toFixed(1)} s`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const numbers = Math.max(...rows.map(([, value]) => value.length));
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value.padStart(numbers)}`);
}

/** Prints diagnostics, without those that only inform. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], output: CliOutput): void {
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== 'info') output.err(formatDiagnostic(diagnostic));
  }
}
