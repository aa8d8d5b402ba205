import { messageOf } from '@ecliptic/core';
import { unzlibSync } from 'fflate';
import { read, type KTX2Container, type KTX2Level } from 'ktx-parse';
import { ZSTDDecoder } from 'zstddec';
import type { TexelFormat, TexelLayout } from '../data/texture-data.js';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { BasisPicture } from './basis-codec.js';
import { MAX_IMAGE_PIXELS, MAX_IMAGE_SIDE } from './image-limits.js';
import { bytesOfLevels, fullLevels, textureLevels } from './texel-formats.js';

/** What a KTX2 file holds: texels that devices read, or Basis Universal data that is transcoded for each device. */
export type Ktx2Content =
  | { readonly kind: 'texels'; readonly texels: TexelLayout; readonly bytes: Uint8Array }
  | { readonly kind: 'basis'; readonly picture: BasisPicture };

const HEADER_BYTES = 80;
/** Values of `VkFormat`, each pair without and with sRGB. */
const FORMATS: Readonly<Record<number, TexelFormat | 'rgb8'>> = {
  9: 'r8unorm',
  16: 'rg8unorm',
  23: 'rgb8',
  29: 'rgb8',
  37: 'rgba8unorm',
  43: 'rgba8unorm',
  97: 'rgba16float',
  131: 'bc1-rgba-unorm',
  132: 'bc1-rgba-unorm',
  133: 'bc1-rgba-unorm',
  134: 'bc1-rgba-unorm',
  137: 'bc3-rgba-unorm',
  138: 'bc3-rgba-unorm',
  139: 'bc4-r-unorm',
  141: 'bc5-rg-unorm',
  145: 'bc7-rgba-unorm',
  146: 'bc7-rgba-unorm',
  147: 'etc2-rgb8unorm',
  148: 'etc2-rgb8unorm',
  149: 'etc2-rgb8a1unorm',
  150: 'etc2-rgb8a1unorm',
  151: 'etc2-rgba8unorm',
  152: 'etc2-rgba8unorm',
  157: 'astc-4x4-unorm',
  158: 'astc-4x4-unorm',
};
const BASIS_MODELS = [163, 166]; // ETC1S, UASTC
const [NO_COMPRESSION, ZSTD, ZLIB] = [0, 2, 3];

/**
 * Reads a KTX2 file: its header is checked first, sizes before anything is allocated. 2D textures, arrays of them, cube maps
 * and 3D textures, of the formats in {@link TexelFormat}, 24-bit RGB (which becomes `rgba8unorm`), and Basis Universal.
 *
 * @throws ImportError `assets/ktx2-damaged`, `assets/ktx2-shape`, `assets/ktx2-format`, `assets/image-too-large`
 */
export async function readKtx2(bytes: Uint8Array, report: DiagnosticReport): Promise<Ktx2Content> {
  const picture = readPicture(bytes, report);
  let container: KTX2Container;
  try {
    container = read(bytes);
  } catch (cause) {
    report.fail('assets/ktx2-damaged', `The KTX2 can't be read: ${messageOf(cause)}`, {}, cause);
  }
  const { vkFormat, dataFormatDescriptor } = container;
  const model = dataFormatDescriptor[0]?.colorModel ?? -1;
  if (vkFormat === 0 && BASIS_MODELS.includes(model)) return { kind: 'basis', picture };
  const stored = FORMATS[vkFormat];
  if (!stored) {
    report.fail('assets/ktx2-format', `Format ${vkFormat} (as VkFormat) is not supported`, {
      byteOffset: 12,
    });
  }
  const isRgb = stored === 'rgb8';
  const texels: TexelLayout = {
    format: isRgb ? 'rgba8unorm' : stored,
    shape: picture.shape,
    layers: picture.layers,
    levels: picture.levels,
  };
  const places = textureLevels(texels, picture);
  const target = new Uint8Array(bytesOfLevels(places));
  const zstd = new ZSTDDecoder();
  if (container.supercompressionScheme === ZSTD) await zstd.init();
  for (const [index, place] of places.entries()) {
    const level = container.levels[index];
    const expected = isRgb ? (place.bytes / 4) * 3 : place.bytes;
    const data = level && decompress(level, expected, container.supercompressionScheme, zstd);
    if (data?.byteLength !== expected) {
      report.fail('assets/ktx2-damaged', `Mip level ${index} has not ${expected} bytes`);
    }
    if (isRgb) addAlpha(data, target.subarray(place.offset));
    else target.set(data, place.offset);
  }
  return { kind: 'texels', texels, bytes: target };
}

function readPicture(bytes: Uint8Array, report: DiagnosticReport): BasisPicture {
  if (bytes.byteLength < HEADER_BYTES) {
    report.fail('assets/ktx2-damaged', 'The KTX2 ends inside its header', {
      byteOffset: bytes.byteLength,
    });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const number = (offset: number): number => view.getUint32(offset, true);
  const width = number(20);
  const height = Math.max(1, number(24));
  const depth = number(28);
  const arrayLayers = number(32);
  const faces = number(36);
  const levels = Math.max(1, number(40));
  const isMixed = [depth > 0, arrayLayers > 0, faces === 6].filter(Boolean).length > 1;
  if (isMixed || (faces !== 1 && faces !== 6) || (faces === 6 && width !== height)) {
    report.fail(
      'assets/ktx2-shape',
      `${width} × ${height} × ${depth} pixels, ${arrayLayers} layers and ${faces} faces are none of 2D, an array, a cube map or 3D`,
      { byteOffset: 20 },
    );
  }
  const layers = Math.max(1, depth, arrayLayers, faces);
  const isTooLarge =
    Math.max(width, height, layers) > MAX_IMAGE_SIDE || width * height * layers > MAX_IMAGE_PIXELS;
  if (width < 1 || isTooLarge) {
    report.fail(
      width < 1 ? 'assets/ktx2-shape' : 'assets/image-too-large',
      `${width} × ${height} × ${layers} pixels are not 1 to ${MAX_IMAGE_SIDE} a side and at most ${MAX_IMAGE_PIXELS}`,
      { byteOffset: 20 },
    );
  }
  if (levels > fullLevels(Math.max(width, depth), height)) {
    report.fail('assets/ktx2-damaged', `${levels} mip levels are more than its size has`, {
      byteOffset: 40,
    });
  }
  const shape = faces === 6 ? 'cube' : depth > 0 ? '3d' : arrayLayers > 0 ? '2d-array' : '2d';
  return { width, height, shape, layers, levels };
}

/** @returns at most `expected` bytes, or `undefined` where they can't be had */
function decompress(
  { levelData, uncompressedByteLength }: KTX2Level,
  expected: number,
  scheme: number,
  zstd: ZSTDDecoder,
): Uint8Array | undefined {
  if (scheme === NO_COMPRESSION) return levelData;
  if (uncompressedByteLength !== expected) return undefined;
  try {
    if (scheme === ZSTD) return zstd.decode(levelData, expected);
    if (scheme === ZLIB) return unzlibSync(levelData, { out: new Uint8Array(expected) });
  } catch {
    // The caller says which level it is.
  }
  return undefined;
}

function addAlpha(rgb: Uint8Array, rgba: Uint8Array): void {
  for (let i = 0, at = 0; i < rgb.length; i += 3, at += 4) {
    rgba[at] = rgb[i] ?? 0;
    rgba[at + 1] = rgb[i + 1] ?? 0;
    rgba[at + 2] = rgb[i + 2] ?? 0;
    rgba[at + 3] = 255;
  }
}
