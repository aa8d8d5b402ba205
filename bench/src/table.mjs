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
  return markdown(['', ...columns], cells);
}

function markdown(header, cells) {
  const widths = header.map((title, i) =>
    Math.max(title.length, 4, ...cells.map((row) => row[i].length)),
  );
  const line = (row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(header), rule, ...cells.map(line)].join('\n');
}

/** Milliseconds of what is done with a snapshot, and ratios to one copy of as many bytes. */
export function renderSnapshots({ bytes, ...figures }) {
  const cells = Object.entries(figures).map(([name, value]) => [
    name,
    `${short(value)} ms`,
    short(value / figures.copy),
  ]);
  return markdown([`${(bytes / 2 ** 20).toFixed(1)} MiB`, 'time', 'ratio'], cells);
}

/** Nanoseconds a row by kernel and backend; the ratio is of JavaScript to WebAssembly, without kernels where that can be. */
export function renderKernels({ wasm, javascript, none }) {
  const cells = Object.keys(wasm).map((name) => [
    name,
    `${short(wasm[name])} ns`,
    `${short(javascript[name])} ns`,
    none[name] === undefined ? '–' : `${short(none[name])} ns`,
    short((none[name] ?? javascript[name]) / wasm[name]),
  ]);
  return markdown(['per row', 'wasm', 'javascript', 'without', 'ratio'], cells);
}
