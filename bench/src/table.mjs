/** Three significant digits, without an exponent. */
function short(value) {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/**
 * A Markdown table of figures and their ratios to the base row of the same column.
 *
 * @param {{ name: string, label: string }[]} rows
 * @param {string[]} columns
 * @param {Record<string, Record<string, number>>} figures - by row and column; absent ones show as a dash
 * @param {string} base - name of the row that ratios are taken against
 */
export function renderTable(rows, columns, figures, base) {
  const cells = rows.map(({ name, label }) => [
    label,
    ...columns.map((column) => {
      const value = figures[name]?.[column];
      const floor = figures[base]?.[column];
      if (value === undefined) return '–';
      return floor === undefined ? short(value) : `${short(value)} (${short(value / floor)})`;
    }),
  ]);
  const header = ['', ...columns];
  const widths = header.map((title, i) =>
    Math.max(title.length, 4, ...cells.map((row) => row[i].length)),
  );
  const line = (row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(header), rule, ...cells.map(line)].join('\n');
}
