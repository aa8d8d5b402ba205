import { VFSPath } from '@ecliptic/vfs';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import type { Importer } from '../importer/importer.js';
import { readImageHeader } from './image-header.js';
import { sniffText } from './sniff-text.js';

/** Largest image: 16,384 pixels a side, what common GPUs take. */
const MAX_SIDE = 16_384;

/**
 * Imports PNG, JPEG, WebP, AVIF, GIF and KTX2 images as textures: format by the bytes, size from the header, the
 * file's bytes as they are. Nothing is decoded here.
 *
 * Settings: `colorSpace`, `'srgb'` (default) or `'linear'`.
 */
export function imageImporter(): Importer {
  return {
    name: 'image',
    version: 1,
    type: 'texture',
    extensions: ['.png', '.jpg', '.jpeg', '.webp', '.avif', '.gif', '.ktx2'],
    settings: { colorSpace: 'srgb' },
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
      if (width > MAX_SIDE || height > MAX_SIDE) {
        report.fail(
          'assets/image-too-large',
          `The image has ${width} × ${height} pixels, more than ${MAX_SIDE} a side`,
        );
      }
      if (problem !== undefined)
        report.fail('assets/image-damaged', `The image is damaged: ${problem}`);
      const name = VFSPath.parse(context.path).stem;
      const colorSpace = context.settings['colorSpace'] === 'linear' ? 'linear' : 'srgb';
      return [
        {
          key: '',
          uuid: context.uuid,
          type: 'texture',
          data: { name, mime, width, height, colorSpace, bytes },
          dependencies: [],
        },
      ];
    },
  };
}
