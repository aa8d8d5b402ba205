import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';

/** A channel of an OpenEXR picture. */
export interface ExrChannel {
  readonly name: string;
  readonly type: 'half' | 'float' | 'uint';
  /** Of one value. */
  readonly bytes: 2 | 4;
  /** Whether its values are perceived linearly; B44 stores such values otherwise. */
  readonly isPerceivedLinearly: boolean;
}

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
  /** Where the table of offsets starts. */
  readonly end: number;
}

/** Largest width and height. */
const MAX_SIDE = 16_384;
/** Most pixels: 8,192 × 4,096. */
const MAX_PIXELS = 2 ** 25;
const MAX_CHANNELS = 64;
const MAGIC = 20_000_630;
/** Of the version field. */
const TILED = 0x200;
/** What isn't read. */
const FLAGS = { deep: 0x800, multipart: 0x1000 };
const TYPES = ['uint', 'half', 'float'] as const;

/**
 * Reads the header of an OpenEXR file (`.exr`): pictures of scan lines or tiles in one part.
 *
 * The format is described at https://openexr.com/en/latest/OpenEXRFileLayout.html
 *
 * @throws ImportError `assets/exr-header`, `assets/exr-format`, `assets/exr-size`, `assets/exr-channels`
 */
export function readExrHeader(bytes: Uint8Array, report: DiagnosticReport): ExrHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC) {
    report.fail('assets/exr-header', 'The file doesn’t start as an OpenEXR', { byteOffset: 0 });
  }
  const version = view.getUint32(4, true);
  const flag = Object.entries(FLAGS).find(([, bit]) => (version & bit) !== 0);
  if ((version & 0xff) !== 2 || flag) {
    const what = flag ? `${flag[0]} pictures` : `version ${version & 0xff}`;
    report.fail(
      'assets/exr-format',
      `${what} are not supported; save it as one picture of scan lines`,
      {
        byteOffset: 4,
      },
    );
  }
  const { attributes, end } = readAttributes(bytes, report);
  const attribute = (name: string, type: string, size: number): DataView => {
    const found = attributes.get(name);
    if (found?.type !== type || found.value.byteLength < size) {
      report.fail('assets/exr-header', `The header has no attribute "${name}"`);
    }
    const { value } = found;
    return new DataView(value.buffer, value.byteOffset, value.byteLength);
  };
  const window = attribute('dataWindow', 'box2i', 16);
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
  const envmap = attributes.get('envmap');
  return {
    width,
    height,
    top,
    channels: readChannels(attribute('channels', 'chlist', 1), report),
    tiles:
      (version & TILED) === 0 ? undefined : readTiles(attribute('tiles', 'tiledesc', 9), report),
    compression: attribute('compression', 'compression', 1).getUint8(0),
    isCube: envmap?.type === 'envmap' && envmap.value[0] === 1,
    end,
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

interface Attribute {
  readonly type: string;
  readonly value: Uint8Array;
}

function readAttributes(
  bytes: Uint8Array,
  report: DiagnosticReport,
): { attributes: ReadonlyMap<string, Attribute>; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const attributes = new Map<string, Attribute>();
  let at = 8;
  const cut = (): never =>
    report.fail('assets/exr-truncated', 'The file ends inside its header', { byteOffset: at });
  const text = (): string => {
    const end = bytes.indexOf(0, at);
    if (end < 0 || end - at > 255) return cut();
    const found = new TextDecoder('latin1').decode(bytes.subarray(at, end));
    at = end + 1;
    return found;
  };
  for (;;) {
    const name = text();
    if (name === '') return { attributes, end: at };
    const type = text();
    if (at + 4 > bytes.byteLength) cut();
    const size = view.getUint32(at, true);
    at += 4;
    if (size > bytes.byteLength - at) cut();
    attributes.set(name, { type, value: bytes.subarray(at, at + size) });
    at += size;
  }
}

function readChannels(list: DataView, report: DiagnosticReport): ExrChannel[] {
  const channels: ExrChannel[] = [];
  const bad = (what: string): never => report.fail('assets/exr-channels', what);
  let at = 0;
  while (at < list.byteLength && list.getUint8(at) !== 0) {
    let name = '';
    for (; at < list.byteLength && list.getUint8(at) !== 0; at++) {
      name += String.fromCharCode(list.getUint8(at));
    }
    at++;
    if (at + 16 > list.byteLength) bad('The list of channels is cut');
    const type = TYPES[list.getUint32(at, true)];
    const isEvery = list.getUint32(at + 8, true) === 1 && list.getUint32(at + 12, true) === 1;
    if (!type || !isEvery) return bad(`Channel "${name.slice(0, 60)}" has no value for each pixel`);
    if (channels.length === MAX_CHANNELS) bad(`There are more than ${MAX_CHANNELS} channels`);
    const isPerceivedLinearly = list.getUint8(at + 4) !== 0;
    channels.push({ name, type, bytes: type === 'half' ? 2 : 4, isPerceivedLinearly });
    at += 16;
  }
  return channels;
}
