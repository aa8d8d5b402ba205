import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { ExrAttributes } from './exr-attributes.js';
import { listsColours, readExrChannels, type ExrChannel } from './exr-channels.js';

/** What the header of an OpenEXR picture says. */
export interface ExrHeader {
  readonly width: number;
  readonly height: number;
  /** Number of the first row. */
  readonly top: number;
  /** As they lie in each row. */
  readonly channels: readonly ExrChannel[];
  readonly compression: number;
  /** Pixels of each tile; `undefined` for blocks of scan lines. */
  readonly tiles: { readonly width: number; readonly height: number } | undefined;
  /** Six faces below one another, instead of a picture of all directions. */
  readonly isCube: boolean;
  /** Number of the part that it describes; `undefined` in a file that has no parts. */
  readonly part: number | undefined;
  /** Where its table of offsets starts. */
  readonly tableStart: number;
}

/** Largest width and height. */
const MAX_SIDE = 16_384;
/** Most pixels: 8,192 × 4,096. */
const MAX_PIXELS = 2 ** 25;
const MAX_PARTS = 256;
const MAGIC = 20_000_630;
/** Of the version field. */
const TILED = 0x200;
const DEEP = 0x800;
const MULTIPART = 0x1000;

/** One picture of a file. */
interface Part {
  readonly attributes: ExrAttributes;
  readonly isTiled: boolean;
  readonly isDeep: boolean;
}

/**
 * Reads the header of an OpenEXR file (`.exr`); of a file of several parts, that of the first one that is a picture of
 * scan lines or tiles and has colours.
 *
 * The format is described at https://openexr.com/en/latest/OpenEXRFileLayout.html
 *
 * @throws ImportError `assets/exr-header`, `assets/exr-format`, `assets/exr-deep`, `assets/exr-size`, `assets/exr-channels`, `assets/exr-truncated`
 */
export function readExrHeader(bytes: Uint8Array, report: DiagnosticReport): ExrHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC) {
    report.fail('assets/exr-header', 'The file doesn’t start as an OpenEXR', { byteOffset: 0 });
  }
  const version = view.getUint32(4, true);
  if ((version & 0xff) !== 2) unsupported(`version ${version & 0xff}`, report);
  if ((version & MULTIPART) !== 0) return readMultipart(bytes, report);
  if ((version & DEEP) !== 0) deep(report);
  const attributes = new ExrAttributes(bytes, 8, report);
  const place = { part: undefined, tableStart: attributes.end };
  return { ...describe(attributes, (version & TILED) !== 0, report), ...place };
}

function readMultipart(bytes: Uint8Array, report: DiagnosticReport): ExrHeader {
  const parts: Part[] = [];
  let at = 8;
  // An empty header ends the list.
  while (bytes[at] !== 0) {
    if (parts.length === MAX_PARTS) unsupported(`more than ${MAX_PARTS} parts`, report);
    const attributes = new ExrAttributes(bytes, at, report);
    const type = attributes.text('type');
    parts.push({
      attributes,
      isTiled: type === 'tiledimage',
      isDeep: type !== 'tiledimage' && type !== 'scanlineimage',
    });
    at = attributes.end;
  }
  const headersEnd = at + 1;
  const flat = parts.filter(({ isDeep }) => !isDeep);
  const chosen =
    flat.find(({ attributes }) => listsColours(attributes.find('channels', 'chlist', 1))) ??
    flat[0];
  if (!chosen) return parts.length > 0 ? deep(report) : unsupported('files without parts', report);
  const part = parts.indexOf(chosen);
  const before = parts
    .slice(0, part)
    .reduce(
      (sum, { attributes }) => sum + attributes.get('chunkCount', 'int', 4).getUint32(0, true),
      0,
    );
  if (parts.length > 1) {
    const name = chosen.attributes.text('name').slice(0, 60);
    report.info('assets/exr-parts', `Of ${parts.length} parts number ${part} ("${name}") is read`);
  }
  const place = { part, tableStart: headersEnd + before * 8 };
  return { ...describe(chosen.attributes, chosen.isTiled, report), ...place };
}

function deep(report: DiagnosticReport): never {
  report.fail(
    'assets/exr-deep',
    'Deep pictures, of several samples a pixel, are not read; flatten it first: oiiotool deep.exr --flatten -o flat.exr',
    { byteOffset: 4 },
  );
}

function unsupported(what: string, report: DiagnosticReport): never {
  report.fail(
    'assets/exr-format',
    `${what} are not supported; save it as one picture of scan lines`,
    { byteOffset: 4 },
  );
}

function describe(
  attributes: ExrAttributes,
  isTiled: boolean,
  report: DiagnosticReport,
): Omit<ExrHeader, 'part' | 'tableStart'> {
  const window = attributes.get('dataWindow', 'box2i', 16);
  const left = window.getInt32(0, true);
  const top = window.getInt32(4, true);
  const width = window.getInt32(8, true) - left + 1;
  const height = window.getInt32(12, true) - top + 1;
  const isSize = (side: number): boolean => side >= 1 && side <= MAX_SIDE;
  if (!isSize(width) || !isSize(height) || width * height > MAX_PIXELS) {
    report.fail(
      'assets/exr-size',
      `${width} × ${height} pixels are not 1 to ${MAX_SIDE} a side and at most ${MAX_PIXELS}`,
    );
  }
  return {
    width,
    height,
    top,
    channels: readExrChannels(attributes.get('channels', 'chlist', 1), report),
    tiles: isTiled ? readTiles(attributes.get('tiles', 'tiledesc', 9), report) : undefined,
    compression: attributes.get('compression', 'compression', 1).getUint8(0),
    isCube: attributes.find('envmap', 'envmap', 1)?.getUint8(0) === 1,
  };
}

function readTiles(tiles: DataView, report: DiagnosticReport): ExrHeader['tiles'] {
  const width = tiles.getUint32(0, true);
  const height = tiles.getUint32(4, true);
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) {
    report.fail('assets/exr-size', `Tiles of ${width} × ${height} are not 1 to ${MAX_SIDE} a side`);
  }
  return { width, height };
}
