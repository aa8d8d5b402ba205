/** A cell of a {@link textTable}; numbers are aligned to the right. */
export type Cell = string | number;

/** Lines of a table with a head. */
export function textTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => String(row[column] ?? '').length)),
  );
  const line = (cells: readonly Cell[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line)];
}
