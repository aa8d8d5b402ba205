import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { FloatImage } from './float-image.js';

/** Largest width and height. */
const MAX_SIDE = 16_384;
/** Most pixels: 8,192 × 4,096. */
const MAX_PIXELS = 2 ** 25;
/** Widths for which the newer run-length encoding exists. */
const MIN_RLE = 8;
const MAX_RLE = 32_767;
const MAX_HEADER = 65_536;

/**
 * Reads a Radiance picture (`.hdr`), strictly: what is cut, runs over a row or has no size is refused, never
 * filled up.
 *
 * @throws ImportError `assets/hdr-header`, `assets/hdr-size`, `assets/hdr-format`, `assets/hdr-orientation`,
 * `assets/hdr-truncated`, `assets/hdr-run`
 */
export function readRgbe(bytes: Uint8Array, report: DiagnosticReport): FloatImage {
  const header = readHeader(bytes, report);
  const { width, height, flipped, start, exposure } = header;
  // Each row takes at least a few bytes: a file of nothing can't ask for gigabytes.
  if (bytes.byteLength - start < height * 4) {
    report.fail('assets/hdr-truncated', `${height} rows don't fit into the rest of the file`, {
      byteOffset: bytes.byteLength,
    });
  }
  const data = new Float32Array(width * height * 3);
  const row = new Uint8Array(width * 4);
  // By exponent; 0 is black.
  const scales = Float64Array.from({ length: 256 }, (_, e) =>
    e === 0 ? 0 : 2 ** (e - 136) / exposure,
  );
  let at = start;
  for (let y = 0; y < height; y++) {
    at = readRow(bytes, at, width, row, report);
    const target = (flipped ? height - 1 - y : y) * width * 3;
    for (let x = 0; x < width; x++) {
      const scale = scales[row[x * 4 + 3] as number] as number;
      for (let c = 0; c < 3; c++) data[target + x * 3 + c] = (row[x * 4 + c] as number) * scale;
    }
  }
  return { width, height, data };
}

function readHeader(bytes: Uint8Array, report: DiagnosticReport) {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_HEADER));
  if (!/^#\?(RADIANCE|RGBE)\r?\n/.test(text)) {
    report.fail('assets/hdr-header', 'The file doesn’t start with #?RADIANCE or #?RGBE', {
      byteOffset: 0,
    });
  }
  const end = /\r?\n\r?\n/.exec(text);
  if (!end) report.fail('assets/hdr-header', 'The header has no end');
  const lines = text.slice(0, end.index).split(/\r?\n/);
  const format = lines.find((line) => line.startsWith('FORMAT='));
  if (format === undefined) {
    report.warn('assets/hdr-format', 'The header names no FORMAT; 32-bit_rle_rgbe is assumed');
  } else if (format.trim() !== 'FORMAT=32-bit_rle_rgbe') {
    report.fail('assets/hdr-format', `${format.trim().slice(0, 60)} is not supported`);
  }
  let exposure = 1;
  for (const line of lines) {
    const value = Number(/^EXPOSURE=\s*(.+)$/.exec(line)?.[1] ?? 1);
    if (Number.isFinite(value) && value > 0) exposure *= value;
    else report.warn('assets/hdr-header', `"${line.slice(0, 60)}" is ignored`);
  }
  const sizeAt = end.index + end[0].length;
  const size = /^([-+])([XY]) +(\d{1,9}) +([-+])([XY]) +(\d{1,9})\r?\n/.exec(text.slice(sizeAt));
  if (!size)
    report.fail('assets/hdr-size', 'There is no size after the header', { byteOffset: sizeAt });
  const [line, ySign, first, rows, xSign, second, columns] = size;
  if (first !== 'Y' || second !== 'X' || xSign !== '+') {
    report.fail('assets/hdr-orientation', `Rows stored as "${line.trim()}" are not supported`, {
      byteOffset: sizeAt,
    });
  }
  const width = Number(columns);
  const height = Number(rows);
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) {
    report.fail('assets/hdr-size', `${width} × ${height} pixels are not 1 to ${MAX_SIDE} a side`, {
      byteOffset: sizeAt,
    });
  }
  if (width * height > MAX_PIXELS) {
    report.fail('assets/hdr-size', `${width} × ${height} are more than ${MAX_PIXELS} pixels`, {
      byteOffset: sizeAt,
    });
  }
  if (ySign === '+') report.info('assets/hdr-orientation', 'The rows are stored bottom-up');
  return { width, height, flipped: ySign === '+', start: sizeAt + line.length, exposure };
}

/** Reads one row of RGBE pixels into `row`. @returns where the next one starts */
function readRow(
  bytes: Uint8Array,
  at: number,
  width: number,
  row: Uint8Array,
  report: DiagnosticReport,
): number {
  const cut = (where: number): never =>
    report.fail('assets/hdr-truncated', 'The file ends inside a row', { byteOffset: where });
  if (at + 4 > bytes.length) return cut(at);
  const isNew =
    width >= MIN_RLE &&
    width <= MAX_RLE &&
    bytes[at] === 2 &&
    bytes[at + 1] === 2 &&
    ((bytes[at + 2] ?? 0) & 0x80) === 0;
  if (!isNew) return readOldRow(bytes, at, width, row, report);
  const declared = ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  if (declared !== width) {
    report.fail('assets/hdr-run', `A row says ${declared} pixels, not ${width}`, {
      byteOffset: at,
    });
  }
  let next = at + 4;
  for (let channel = 0; channel < 4; channel++) {
    let x = 0;
    while (x < width) {
      const code = bytes[next] ?? cut(next);
      const isRun = code > 128;
      const count = isRun ? code - 128 : code;
      if (count === 0 || x + count > width) {
        report.fail('assets/hdr-run', `A run of ${count} pixels leaves its row`, {
          byteOffset: next,
        });
      }
      if (next + (isRun ? 2 : 1 + count) > bytes.length) return cut(next);
      for (let i = 0; i < count; i++) {
        row[(x + i) * 4 + channel] = bytes[next + 1 + (isRun ? 0 : i)] ?? 0;
      }
      next += isRun ? 2 : 1 + count;
      x += count;
    }
  }
  return next;
}

/** Pixels one by one; (1, 1, 1, n) repeats the one before n times, several of these with higher digits. */
function readOldRow(
  bytes: Uint8Array,
  at: number,
  width: number,
  row: Uint8Array,
  report: DiagnosticReport,
): number {
  let next = at;
  let shift = 0;
  for (let x = 0; x < width;) {
    if (next + 4 > bytes.length) {
      report.fail('assets/hdr-truncated', 'The file ends inside a row', { byteOffset: next });
    }
    const pixel = bytes.subarray(next, next + 4);
    if (pixel[0] === 1 && pixel[1] === 1 && pixel[2] === 1) {
      const count = (pixel[3] ?? 0) * 2 ** shift;
      if (x === 0 || x + count > width) {
        report.fail('assets/hdr-run', `A run of ${count} pixels leaves its row`, {
          byteOffset: next,
        });
      }
      const before = row.slice((x - 1) * 4, x * 4);
      for (let i = 0; i < count; i++) row.set(before, (x + i) * 4);
      x += count;
      shift += 8;
    } else {
      row.set(pixel, x * 4);
      x++;
      shift = 0;
    }
    next += 4;
  }
  return next;
}
