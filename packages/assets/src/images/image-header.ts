import type { ImageMime } from '../data/texture-data.js';

/** What the first bytes of an image say. */
export interface ImageHeader {
  readonly mime: ImageMime;
  readonly width: number;
  readonly height: number;
  /** What is wrong although format and size could be read, as a PNG without its end. */
  readonly problem?: string;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const KTX2 = [0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a];

/** The image format of `bytes` by its signature, or `undefined`. */
export function sniffImage(bytes: Uint8Array): ImageMime | undefined {
  if (startsWith(bytes, PNG)) return 'image/png';
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
  if (startsWith(bytes, KTX2)) return 'image/ktx2';
  if (/^GIF8[79]a/.test(ascii(bytes, 0, 6))) return 'image/gif';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
  if (ascii(bytes, 4, 8) === 'ftyp' && /^avi[fs]/.test(ascii(bytes, 8, 12))) return 'image/avif';
  if (/^#\?(RADIANCE|RGBE)\s/.test(ascii(bytes, 0, 16))) return 'image/vnd.radiance';
  return undefined;
}

/**
 * Format and size of an image, from its header only: nothing is decoded. `undefined` when the format
 * is unknown or the size can't be read; that no size is 0 is checked.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const mime = sniffImage(bytes);
  if (mime === undefined) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = READERS[mime](view, bytes);
  if (header === undefined || header.width < 1 || header.height < 1) return undefined;
  return { mime, ...header };
}

type Size = Omit<ImageHeader, 'mime'>;

const READERS: Readonly<
  Record<ImageMime, (view: DataView, bytes: Uint8Array) => Size | undefined>
> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
  'image/avif': avifSize,
  'image/gif': (view) =>
    view.byteLength < 13
      ? undefined
      : { width: view.getUint16(6, true), height: view.getUint16(8, true) },
  'image/ktx2': ktx2Size,
  'image/vnd.radiance': hdrSize,
};

function pngSize(view: DataView): Size | undefined {
  if (view.byteLength < 33 || view.getUint32(8) !== 13) return undefined;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  let offset = 8;
  while (offset + 12 <= view.byteLength) {
    const length = view.getUint32(offset);
    if (view.getUint32(offset + 4) === 0x49454e44) return size; // IEND
    offset += 12 + length;
  }
  return { ...size, problem: 'the PNG ends before its end chunk' };
}

function jpegSize(view: DataView): Size | undefined {
  let offset = 2;
  while (offset + 9 <= view.byteLength) {
    if (view.getUint8(offset) !== 0xff) return undefined;
    const marker = view.getUint8(offset + 1);
    if (marker === 0xff) {
      offset++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const size = { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
      const end = view.byteLength - 2;
      // Padding after the end marker is common, a missing one means a cut file.
      for (let at = end; at >= Math.max(0, end - 4_096); at--) {
        if (view.getUint16(at) === 0xffd9) return size;
      }
      return { ...size, problem: 'the JPEG ends before its end marker' };
    }
    if (marker === 0xd9 || marker === 0xda) return undefined;
    offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}

function webpSize(view: DataView, bytes: Uint8Array): Size | undefined {
  if (view.byteLength < 30) return undefined;
  const problem =
    view.getUint32(4, true) + 8 > view.byteLength
      ? { problem: 'the WebP is shorter than it says' }
      : {};
  switch (ascii(bytes, 12, 16)) {
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
        ...problem,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, ...problem };
    }
    case 'VP8X':
      return {
        width: (view.getUint32(24, true) & 0xffffff) + 1,
        height: ((view.getUint32(26, true) >>> 8) & 0xffffff) + 1,
        ...problem,
      };
    default:
      return undefined;
  }
}

/** The largest `ispe` box: an AVIF has one for the image, and one for its alpha or thumbnail. */
function avifSize(view: DataView): Size | undefined {
  let best: Size | undefined;
  const end = Math.min(view.byteLength - 16, 65_536);
  for (let offset = 0; offset <= end; offset++) {
    if (view.getUint32(offset) !== 0x69737065) continue; // 'ispe'
    const size = { width: view.getUint32(offset + 8), height: view.getUint32(offset + 12) };
    if (!best || size.width * size.height > best.width * best.height) best = size;
  }
  return best;
}

/** KTX2 says where its mip levels are: a file that ends before one of them is cut. */
function ktx2Size(view: DataView): Size | undefined {
  if (view.byteLength < 80) return undefined;
  const size = { width: view.getUint32(20, true), height: Math.max(1, view.getUint32(24, true)) };
  const levels = Math.max(1, view.getUint32(40, true));
  for (let level = 0; level < levels; level++) {
    const at = 80 + level * 24;
    const end =
      at + 24 > view.byteLength
        ? Infinity
        : Number(view.getBigUint64(at, true) + view.getBigUint64(at + 8, true));
    if (end > view.byteLength)
      return { ...size, problem: `the KTX2 ends before mip level ${level}` };
  }
  return size;
}

function hdrSize(_view: DataView, bytes: Uint8Array): Size | undefined {
  const head = ascii(bytes, 0, 8_192);
  const size = /\n\n[-+]([XY]) (\d{1,6}) [-+]([XY]) (\d{1,6})\n/.exec(head.replaceAll('\r', ''));
  if (!size || size[1] === size[3]) return undefined;
  const [first, second] = [Number(size[2]), Number(size[4])];
  return size[1] === 'Y' ? { width: second, height: first } : { width: first, height: second };
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, i) => bytes[i] === byte);
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return new TextDecoder('latin1').decode(bytes.subarray(start, end));
}
