import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { MOST_LIGHT, type FloatImage } from './float-image.js';
import { readRgbeRow } from './rgbe-row.js';

/** Largest width and height. */
const MAX_SIDE = 16_384;
/** Most pixels: 8,192 × 4,096. */
const MAX_PIXELS = 2 ** 25;
/** As many pixels a file of any size may have. */
const FREE_PIXELS = 2 ** 20;
/** Pixels of a larger one for each byte: what the newer encoding can reach. The older one can make thousands of nothing. */
const PIXELS_PER_BYTE = 16;
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
  const rest = bytes.byteLength - start;
  const pixels = width * height;
  // Before memory and time are taken: each row has at least a few bytes, and little can't become much.
  if (rest < height * 4 || (pixels > FREE_PIXELS && pixels > rest * PIXELS_PER_BYTE)) {
    report.fail(
      'assets/hdr-truncated',
      `${width} × ${height} pixels don't fit into the rest of the file`,
      { byteOffset: bytes.byteLength },
    );
  }
  const planes = new Uint8Array(width * 4);
  // A file that is damaged at its end is refused before its picture is made.
  for (let y = 0, at = start; y < height; y++) at = readRgbeRow(bytes, at, width, planes, report);
  const data = new Float32Array(pixels * 3);
  // By exponent; 0 is black. Finite, whatever the exposure: nothing times the infinite is no number.
  const scales = Float64Array.from({ length: 256 }, (_, e) =>
    e === 0 ? 0 : Math.min(2 ** (e - 136) / exposure, Number.MAX_VALUE),
  );
  let replaced = 0;
  for (let y = 0, at = start; y < height; y++) {
    at = readRgbeRow(bytes, at, width, planes, report);
    let target = (flipped ? height - 1 - y : y) * width * 3;
    for (let x = 0; x < width; x++) {
      const scale = scales[planes[3 * width + x] as number] as number;
      for (let c = 0; c < 3; c++) {
        const light = (planes[c * width + x] as number) * scale;
        if (light > MOST_LIGHT) replaced++;
        data[target++] = Math.min(light, MOST_LIGHT);
      }
    }
  }
  if (replaced > 0) report.warn('assets/hdr-values', `${replaced} values are beyond all light`);
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
    if (!line.startsWith('EXPOSURE=')) continue;
    const value = Number(line.slice('EXPOSURE='.length));
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
