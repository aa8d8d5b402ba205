import { NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
/** A table of text: columns as wide as they need to be, numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((cell, c) =>
    Math.max(cell.length, ...rows.map((row) => (row[c] ?? '').length)),
  );
  const numeric = head.map((_, c) => rows.every((row) => /^[\d.,%–-]*$/.test(row[c] ?? '')));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, c) => (numeric[c] ? cell.padStart(widths[c] ?? 0) : cell.padEnd(widths[c] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)];
}

/** A whole number with thousands apart. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Nanoseconds as milliseconds. */
export function milliseconds(nanoseconds: number): string {
  return (nanoseconds / NANOSECONDS_PER_MILLISECOND).toFixed(3);
}
