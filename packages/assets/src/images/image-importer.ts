import { VFSPath } from '@ecliptic/vfs';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { TextureData } from '../data/texture-data.js';
import { codecKey, type CodecOptions } from '../importer/codec-key.js';
import type { Importer } from '../importer/importer.js';
import { MAX_IMAGE_SIDE } from '../textures/image-limits.js';
import { TEXTURE_STORAGES, TextureCook } from '../textures/cook-texture.js';
import type { ImageDecoder } from '../textures/texture-platform.js';
import { readImageHeader } from './image-header.js';
import { sniffText } from './sniff-text.js';

/** Options of {@link imageImporter}. */
export interface ImageImporterOptions extends CodecOptions {
  /** Decodes image files. Default: `sharp` in Node, the browser's own decoder elsewhere. */
  readonly decode?: ImageDecoder;
}

/**
 * Imports PNG, JPEG, WebP, AVIF, GIF and KTX2 images as textures: format by the bytes, size from the header before anything
 * is decoded. Of an animation it takes the first picture.
 *
 * Settings:
 * - `textures`: how it is stored, a {@link TextureStorage}: `'pixels'` (default) decodes it and makes mip levels;
 * - `colorSpace`: `'srgb'` (default) or `'linear'`, for images that are no colours;
 * - `normalMap`: `true` for normal maps, whose mip levels are brought to unit length; default `false`.
 *
 * @throws EclipticError `assets/codec-unnamed` where a decoder is passed without a `codecVersion`
 */
export function imageImporter(options: ImageImporterOptions = {}): Importer {
  const { decode } = options;
  const cook = new TextureCook(decode);
  const codecs = codecKey('image', { decode }, options);
  return {
    name: 'image',
    version: 2,
    type: 'texture',
    extensions: ['.png', '.jpg', '.jpeg', '.webp', '.avif', '.gif', '.ktx2'],
    settings: { textures: 'pixels', colorSpace: 'srgb', normalMap: false },
    ...(decode ? { limits: codecs } : {}),
    async import(context) {
      const report: DiagnosticReport = new DiagnosticReport(context.path);
      const bytes = context.source;
      if (bytes.byteLength === 0) report.fail('assets/image-empty', 'The file is empty');
      if (sniffText(bytes) === 'git-lfs') {
        report.fail(
          'assets/git-lfs-pointer',
          'The file is a Git LFS pointer, not the image; run "git lfs pull"',
        );
      }
      const header = readImageHeader(bytes);
      if (!header) {
        report.fail(
          'assets/image-format',
          'The file is no image of a known format, or has no size',
        );
      }
      const { mime, width, height, problem } = header;
      if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE) {
        report.fail(
          'assets/image-too-large',
          `The image has ${width} × ${height} pixels, more than ${MAX_IMAGE_SIDE} a side`,
        );
      }
      if (problem !== undefined)
        report.fail('assets/image-damaged', `The image is damaged: ${problem}`);
      const name = VFSPath.parse(context.path).stem;
      const normalMap = context.settings['normalMap'] === true;
      const isLinear = normalMap || context.settings['colorSpace'] === 'linear';
      const file: TextureData = {
        name,
        mime,
        width,
        height,
        colorSpace: isLinear ? 'linear' : 'srgb',
        ...(normalMap ? { normalMap } : {}),
        bytes,
      };
      const storage = TEXTURE_STORAGES.find((known) => known === context.settings['textures']);
      if (!storage) {
        report.fail(
          'assets/texture-storage',
          `"${String(context.settings['textures'])}" is not ${TEXTURE_STORAGES.join(', ')}`,
        );
      }
      const data = await cook.cook(file, storage, report);
      return [
        {
          key: '',
          uuid: context.uuid,
          type: 'texture',
          data,
          dependencies: [],
        },
      ];
    },
  };
}
