import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { canHold, exrCompression } from './exr-blocks.js';
import { readExrHeader, type ExrChannel, type ExrHeader } from './exr-header.js';
import { fromHalf, type FloatImage } from './float-image.js';

/** A picture, and whether it is six faces below one another. */
export interface ExrPicture {
  readonly image: FloatImage;
  readonly isCube: boolean;
}

/** What is put in place of infinite light. */
const MOST = 65_504;

/**
 * Reads an OpenEXR picture (`.exr`), strictly: scan lines in one part, half or float channels R, G, B or Y, uncompressed or as RLE, ZIPS, ZIP
 * or PIZ. Values that are no light (negative, not finite) are replaced, with a warning.
 *
 * @throws ImportError `assets/exr-header`, `assets/exr-format`, `assets/exr-size`, `assets/exr-channels`,
 * `assets/exr-truncated`, `assets/exr-block`
 */
export function readExr(bytes: Uint8Array, report: DiagnosticReport): ExrPicture {
  const header = readExrHeader(bytes, report);
  const { width, height, channels, isCube } = header;
  const compression = exrCompression(header);
  if (!compression?.undo) {
    const name = compression?.name ?? `number ${header.compression}`;
    report.fail('assets/exr-format', `Compression ${name} is not supported; save it with ZIP`);
  }
  const colours = findColours(channels, report);
  const rowBytes = channels.reduce((sum, channel) => sum + channel.bytes * width, 0);
  const count = Math.ceil(height / compression.rows);
  const tableEnd = header.end + count * 8;
  if (tableEnd > bytes.byteLength || !canHold(bytes.byteLength, rowBytes * height)) {
    report.fail('assets/exr-truncated', `${height} rows don't fit into the file`, {
      byteOffset: bytes.byteLength,
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data = new Float32Array(width * height * 3);
  let replaced = 0;
  const seen = new Set<number>();
  for (let index = 0; index < count; index++) {
    const at = Number(view.getBigUint64(header.end + index * 8, true));
    const block = readBlock(bytes, at, header, compression.rows, tableEnd, report);
    const { row, rows, content } = block;
    if (seen.has(row)) {
      report.fail('assets/exr-block', `Row ${row} is there twice`, { byteOffset: at });
    }
    seen.add(row);
    const size = rowBytes * rows;
    // What compression doesn't make smaller is stored as it is.
    const pixels =
      content.byteLength === size
        ? content
        : compression.undo(content, size, { width, rows, channels });
    if (pixels?.byteLength !== size) {
      report.fail('assets/exr-block', `The rows from ${row} on are damaged`, { byteOffset: at });
    }
    replaced += copyRows(pixels, rows, rowBytes, colours, data, row * width * 3, width);
  }
  if (replaced > 0) {
    report.warn('assets/exr-values', `${replaced} values are negative or not finite`);
  }
  return { image: { width, height, data }, isCube };
}

/** A channel, where it starts in a row in bytes per pixel of those before it, and which of red, green and blue it gives. */
interface Colour {
  readonly channel: ExrChannel;
  readonly bytesBefore: number;
  readonly targets: readonly number[];
}

function findColours(channels: readonly ExrChannel[], report: DiagnosticReport): Colour[] {
  const names = channels.map(({ name }) => name);
  const isColoured = ['R', 'G', 'B'].some((name) => names.includes(name));
  const colours: Colour[] = [];
  let bytesBefore = 0;
  for (const channel of channels) {
    const index = ['R', 'G', 'B'].indexOf(channel.name);
    const targets = isColoured ? (index < 0 ? [] : [index]) : channel.name === 'Y' ? [0, 1, 2] : [];
    if (targets.length > 0) colours.push({ channel, bytesBefore, targets });
    bytesBefore += channel.bytes;
  }
  if (colours.length === 0 || colours.some(({ channel }) => channel.type === 'uint')) {
    const list = names.slice(0, 8).join(', ').slice(0, 80);
    report.fail(
      'assets/exr-channels',
      `The channels (${list}) are not R, G, B or Y of half or float`,
    );
  }
  return colours;
}

function readBlock(
  bytes: Uint8Array,
  at: number,
  { top, height }: ExrHeader,
  blockRows: number,
  tableEnd: number,
  report: DiagnosticReport,
): { row: number; rows: number; content: Uint8Array } {
  if (!(at >= tableEnd && at + 8 <= bytes.byteLength)) {
    report.fail('assets/exr-truncated', `A block starts at ${at}, outside of the file`, {
      byteOffset: Math.min(at, bytes.byteLength),
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const row = view.getInt32(at, true) - top;
  const length = view.getUint32(at + 4, true);
  if (row < 0 || row >= height || row % blockRows !== 0) {
    report.fail('assets/exr-block', `A block has row ${row} of ${height}`, { byteOffset: at });
  }
  if (length > bytes.byteLength - at - 8) {
    report.fail('assets/exr-truncated', 'The file ends inside a block', {
      byteOffset: bytes.byteLength,
    });
  }
  const content = bytes.subarray(at + 8, at + 8 + length);
  return { row, rows: Math.min(blockRows, height - row), content };
}

/** @returns how many values had to be replaced */
function copyRows(
  pixels: Uint8Array,
  rows: number,
  rowBytes: number,
  colours: readonly Colour[],
  data: Float32Array,
  start: number,
  width: number,
): number {
  const view = new DataView(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  let replaced = 0;
  for (let row = 0; row < rows; row++) {
    for (const { channel, bytesBefore, targets } of colours) {
      const from = row * rowBytes + bytesBefore * width;
      for (let x = 0; x < width; x++) {
        const stored =
          channel.type === 'half'
            ? fromHalf(view.getUint16(from + x * 2, true))
            : view.getFloat32(from + x * 4, true);
        const isLight = stored >= 0 && stored < Infinity;
        const value = isLight ? stored : stored === Infinity ? MOST : 0;
        if (!isLight) replaced++;
        for (const target of targets) data[start + (row * width + x) * 3 + target] = value;
      }
    }
  }
  return replaced;
}
