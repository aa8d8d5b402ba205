import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { ExrHeader } from './exr-header.js';

/** A part of a picture that is compressed on its own, and where it belongs. */
export interface ExrChunk {
  /** Its number among those of the whole picture. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly rows: number;
  readonly content: Uint8Array;
}

/** How many chunks a picture has; of tiles those of the whole picture, which come before those of its smaller copies. */
export function chunkCount({ width, height, tiles }: ExrHeader, blockRows: number): number {
  return tiles
    ? Math.ceil(width / tiles.width) * Math.ceil(height / tiles.height)
    : Math.ceil(height / blockRows);
}

/** Pixels of the largest of them. */
export function blockPixels({ width, height, tiles }: ExrHeader, blockRows: number): number {
  return tiles
    ? Math.min(width, tiles.width) * Math.min(height, tiles.height)
    : width * Math.min(height, blockRows);
}

/**
 * Reads the chunk that starts at `at`.
 *
 * @param blockRows - rows of a block of scan lines
 * @throws ImportError `assets/exr-truncated`, `assets/exr-block`
 */
export function readChunk(
  bytes: Uint8Array,
  at: number,
  header: ExrHeader,
  blockRows: number,
  tableEnd: number,
  report: DiagnosticReport,
): ExrChunk {
  // In a file of several parts each chunk says first which one it belongs to.
  const partBytes = header.part === undefined ? 0 : 4;
  const headBytes = partBytes + (header.tiles ? 20 : 8);
  if (!(at >= tableEnd && at + headBytes <= bytes.byteLength)) {
    report.fail('assets/exr-truncated', `A block starts at ${at}, outside of the file`, {
      byteOffset: Math.min(at, bytes.byteLength),
    });
  }
  const whole = new DataView(bytes.buffer, bytes.byteOffset + at, headBytes);
  const length = whole.getUint32(headBytes - 4, true);
  const part = header.part === undefined ? undefined : whole.getUint32(0, true);
  if (part !== header.part) {
    report.fail('assets/exr-block', `A block of part ${header.part} is one of part ${part}`, {
      byteOffset: at,
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + at + partBytes);
  const place = header.tiles
    ? tilePlace(view, header, header.tiles)
    : rowsPlace(view, header, blockRows);
  if (typeof place === 'string') report.fail('assets/exr-block', place, { byteOffset: at });
  if (length > bytes.byteLength - at - headBytes) {
    report.fail('assets/exr-truncated', 'The file ends inside a block', {
      byteOffset: bytes.byteLength,
    });
  }
  const start = at + headBytes;
  return { ...place, content: bytes.subarray(start, start + length) };
}

type Place = Omit<ExrChunk, 'content'>;

function rowsPlace(
  head: DataView,
  { width, top, height }: ExrHeader,
  rows: number,
): Place | string {
  const y = head.getInt32(0, true) - top;
  if (y < 0 || y >= height || y % rows !== 0) return `A block has row ${y} of ${height}`;
  return { index: y / rows, x: 0, y, width, rows: Math.min(rows, height - y) };
}

function tilePlace(
  head: DataView,
  { width, height }: ExrHeader,
  tiles: { readonly width: number; readonly height: number },
): Place | string {
  const [column, row, levelX, levelY] = [0, 4, 8, 12].map((at) => head.getInt32(at, true));
  const x = (column ?? -1) * tiles.width;
  const y = (row ?? -1) * tiles.height;
  if (levelX !== 0 || levelY !== 0 || x < 0 || y < 0 || x >= width || y >= height) {
    return `A tile is at ${column}, ${row} of level ${levelX}, ${levelY}`;
  }
  return {
    index: (row ?? 0) * Math.ceil(width / tiles.width) + (column ?? 0),
    x,
    y,
    width: Math.min(tiles.width, width - x),
    rows: Math.min(tiles.height, height - y),
  };
}
