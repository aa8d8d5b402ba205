import { EclipticError, messageOf } from '@ecliptic/core';
import { platform } from '#texture-platform';
import type { TextureData } from '../data/texture-data.js';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { BasisCodec } from './basis-codec.js';
import { MAX_IMAGE_PIXELS } from './image-limits.js';
import type { PixelUse, RgbaImage } from './mip-chain.js';
import { fullLevels } from './texel-formats.js';
import type { ImageDecoder } from './texture-platform.js';

/**
 * How textures are stored, as a setting of importers:
 *
 * - `pixels` (default): decoded, with all mip levels, ready for upload. No decoder runs at start, damage shows at import, and
 *   levels of normal maps are of unit length; takes 5.3 bytes a pixel.
 * - `file`: the image file as it is, for the renderer to decode: the smallest for PNG and JPEG.
 * - `uastc`, `etc1s`: compressed with Basis Universal, for all devices: 1 byte a pixel or less on the device and less on disk;
 *   seconds to import.
 *
 * KTX2 files are compressed already: `uastc` and `etc1s` are as `pixels` for them, which unpacks them; Basis Universal data stays
 * as it is, since each device wants another format of it.
 */
export type TextureStorage = 'pixels' | 'file' | 'uastc' | 'etc1s';

/** All of them. */
export const TEXTURE_STORAGES: readonly TextureStorage[] = ['pixels', 'file', 'uastc', 'etc1s'];

/** Makes of image files what {@link TextureStorage} says. */
export class TextureCook {
  readonly #decode: ImageDecoder;
  readonly #basis = new BasisCodec();

  /** @param decode - default: `sharp` in Node, the browser's own decoder elsewhere */
  constructor(decode: ImageDecoder = platform.decodeImage) {
    this.#decode = decode;
  }

  /**
   * @param file - an image file, with what its header says
   * @throws EclipticError `assets/codec-missing`; ImportError `assets/image-too-large`, `assets/image-undecodable`, `assets/texture-compression`, and as `readKtx2` says
   */
  async cook(
    file: TextureData,
    storage: TextureStorage,
    report: DiagnosticReport,
  ): Promise<TextureData> {
    if (storage === 'file') return file;
    if (file.mime === 'image/ktx2') return this.#unpack(file, report);
    const image = await this.#decodeChecked(file, report);
    const use: PixelUse = file.normalMap ? 'normal' : file.colorSpace === 'srgb' ? 'color' : 'data';
    if (storage === 'pixels') {
      // Loaded with the first picture: it begins with tables.
      const { mipChain } = await import('./mip-chain.js');
      const levels = fullLevels(image.width, image.height);
      return {
        ...file,
        texels: { format: 'rgba8unorm', shape: '2d', layers: 1, levels },
        bytes: mipChain(image, use),
      };
    }
    try {
      const bytes = await this.#basis.encode(image, storage, use);
      return { ...file, mime: 'image/ktx2', bytes };
    } catch (cause) {
      report.fail('assets/texture-compression', messageOf(cause), {}, cause);
    }
  }

  async #unpack(file: TextureData, report: DiagnosticReport): Promise<TextureData> {
    // Loaded with the first KTX2 file: its decompressors are large.
    const { readKtx2 } = await import('./read-ktx2.js');
    const content = await readKtx2(file.bytes, report);
    if (content.kind === 'texels') {
      const { texels, bytes } = content;
      return { ...file, texels, bytes };
    }
    try {
      // Only to see that it can be done, before a player's device has to.
      await this.#basis.transcode(file.bytes, content.picture, new Set());
    } catch (cause) {
      const message = `The KTX2 can't be transcoded: ${messageOf(cause)}`;
      report.fail('assets/ktx2-damaged', message, {}, cause);
    }
    return file;
  }

  async #decodeChecked(
    { bytes, mime, width, height }: TextureData,
    report: DiagnosticReport,
  ): Promise<RgbaImage> {
    if (width * height > MAX_IMAGE_PIXELS) {
      report.fail(
        'assets/image-too-large',
        `The image has ${width} × ${height} pixels, more than ${MAX_IMAGE_PIXELS}`,
      );
    }
    let image: RgbaImage;
    try {
      image = await this.#decode(bytes, mime);
    } catch (cause) {
      if (cause instanceof EclipticError) throw cause;
      const message = `The image (${mime}) can't be decoded: ${messageOf(cause)}`;
      report.fail('assets/image-undecodable', message, {}, cause);
    }
    if (image.width !== width || image.height !== height) {
      report.fail(
        'assets/image-undecodable',
        `The image says ${width} × ${height} pixels, and has ${image.width} × ${image.height}`,
      );
    }
    return image;
  }
}
