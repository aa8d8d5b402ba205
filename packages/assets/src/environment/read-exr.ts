import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { exrCompression } from './exr-blocks.js';
import { blockPixels, chunkCount, readChunk, type ExrChunk } from './exr-chunks.js';
import { findExrColours, type ExrColour } from './exr-channels.js';
import { readExrHeader } from './exr-header.js';
import type { FloatImage } from './float-image.js';
import { copyFloatLight, HalfLight } from './half-light.js';

/** A picture, and whether it is six faces below one another. */
export interface ExrPicture {
  readonly image: FloatImage;
  readonly isCube: boolean;
}

/** Most bytes of all channels, unpacked: 32 a pixel of the largest picture. */
const MAX_BYTES = 2 ** 30;
/** Most of one block, which is unpacked as a whole: that of a picture of 8,192 × 4,096 pixels of four halfs in one tile. */
const MAX_BLOCK_BYTES = 2 ** 28;

/**
 * Reads an OpenEXR picture (`.exr`), strictly: scan lines or tiles, of several parts the first with colours, half or float channels R, G, B or Y, uncompressed or as RLE, ZIPS, ZIP,
 * PIZ, PXR24, B44, B44A, DWAA or DWAB; of several sizes the largest. Values that are no light (negative, not finite) are replaced, with a warning.
 *
 * @throws ImportError `assets/exr-header`, `assets/exr-format`, `assets/exr-deep`, `assets/exr-size`, `assets/exr-channels`,
 * `assets/exr-truncated`, `assets/exr-block`
 */
export function readExr(bytes: Uint8Array, report: DiagnosticReport): ExrPicture {
  const header = readExrHeader(bytes, report);
  const { width, height, channels, isCube } = header;
  const compression = exrCompression(header);
  if (!compression) {
    report.fail(
      'assets/exr-format',
      `Compression number ${header.compression} is not supported; save it with ZIP`,
    );
  }
  const colours = findExrColours(channels, report);
  const pixelBytes = channels.reduce((sum, channel) => sum + channel.bytes, 0);
  if (pixelBytes * width * height > MAX_BYTES) {
    report.fail(
      'assets/exr-size',
      `${width} × ${height} pixels of ${pixelBytes} bytes are more than ${MAX_BYTES}`,
    );
  }
  const blockBytes = pixelBytes * blockPixels(header, compression.rows);
  if (blockBytes > MAX_BLOCK_BYTES) {
    report.fail(
      'assets/exr-size',
      `Blocks of ${blockBytes} bytes are larger than ${MAX_BLOCK_BYTES}; save it with smaller tiles`,
    );
  }
  const count = chunkCount(header, compression.rows);
  const tableEnd = header.tableStart + count * 8;
  if (
    tableEnd > bytes.byteLength ||
    pixelBytes * width * height > bytes.byteLength * compression.ratio
  ) {
    report.fail('assets/exr-truncated', `${width} × ${height} pixels don't fit into the file`, {
      byteOffset: bytes.byteLength,
    });
  }
  const decode = compression.decoder();
  const halfs = new HalfLight();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const data = new Float32Array(width * height * 3);
  let replaced = 0;
  let taken = 0;
  const seen = new Uint8Array(count);
  for (let index = 0; index < count; index++) {
    const at = Number(view.getBigUint64(header.tableStart + index * 8, true));
    const chunk = readChunk(bytes, at, header, compression.rows, tableEnd, report);
    const { x, y, rows, content } = chunk;
    if (seen[chunk.index] === 1) {
      report.fail('assets/exr-block', `The block at ${x}, ${y} is there twice`, { byteOffset: at });
    }
    seen[chunk.index] = 1;
    // Each byte belongs to one block: many that share a long one would take time without end.
    taken += content.byteLength;
    if (taken > bytes.byteLength) {
      report.fail('assets/exr-block', `The block at ${x}, ${y} overlaps others`, {
        byteOffset: at,
      });
    }
    const size = pixelBytes * chunk.width * rows;
    // What compression doesn't make smaller is stored as it is.
    const pixels =
      content.byteLength === size
        ? content
        : decode(content, size, { width: chunk.width, rows, channels });
    if (pixels?.byteLength !== size) {
      report.fail('assets/exr-block', `The block at ${x}, ${y} is damaged`, { byteOffset: at });
    }
    replaced += copyChunk(pixels, chunk, pixelBytes, colours, halfs, data, width);
  }
  if (replaced > 0) {
    report.warn(
      'assets/exr-values',
      `${replaced} values are negative, not finite or beyond all light`,
    );
  }
  return { image: { width, height, data }, isCube };
}

/** @returns how many values had to be replaced */
function copyChunk(
  pixels: Uint8Array,
  { x: left, y: top, width, rows }: ExrChunk,
  pixelBytes: number,
  colours: readonly ExrColour[],
  halfs: HalfLight,
  data: Float32Array,
  across: number,
): number {
  const view = new DataView(pixels.buffer, pixels.byteOffset, pixels.byteLength);
  let replaced = 0;
  for (let row = 0; row < rows; row++) {
    const to = ((top + row) * across + left) * 3;
    for (const { channel, bytesBefore, targets } of colours) {
      const from = (row * pixelBytes + bytesBefore) * width;
      for (const [i, target] of targets.entries()) {
        const count =
          channel.type === 'half'
            ? halfs.copy(view, from, width, data, to + target)
            : copyFloatLight(view, from, width, data, to + target);
        // What one channel has for several colours counts once.
        if (i === 0) replaced += count;
      }
    }
  }
  return replaced;
}
