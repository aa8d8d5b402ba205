import { VFSPath } from '@ecliptic/vfs';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { sniffText } from '../images/sniff-text.js';
import type { Importer } from '../importer/importer.js';
import { projectIrradiance } from './irradiance.js';
import { Panorama } from './panorama.js';
import { prefilter } from './prefilter.js';
import { panoramaOfCube } from './cube-panorama.js';
import type { FloatImage } from './float-image.js';
import { readExr } from './read-exr.js';
import { readRgbe } from './read-rgbe.js';

const SIZES = [16, 32, 64, 128, 256, 512];

/**
 * Imports equirectangular Radiance (`.hdr`) and OpenEXR (`.exr`, also cube maps) pictures as environments for image-based lighting: a cube map that is prefiltered
 * for reflections, and spherical harmonics of the diffuse light. Takes seconds for large ones: give it to an import
 * pool.
 *
 * Settings: `size`, pixels a side of the cube map: 16 to 512, a power of two; default 128.
 */
export function environmentImporter(): Importer {
  return {
    name: 'environment',
    version: 3,
    type: 'environment',
    extensions: ['.hdr', '.exr'],
    settings: { size: 128 },
    async import(context) {
      const report: DiagnosticReport = new DiagnosticReport(context.path);
      const isExr = context.path.toLowerCase().endsWith('.exr');
      if (context.source.byteLength === 0) {
        report.fail(isExr ? 'assets/exr-header' : 'assets/hdr-header', 'The file is empty');
      }
      if (sniffText(context.source) === 'git-lfs') {
        report.fail(
          'assets/git-lfs-pointer',
          'The file is a Git LFS pointer, not the picture; run "git lfs pull"',
        );
      }
      const size = context.settings['size'];
      if (typeof size !== 'number' || !SIZES.includes(size)) {
        report.fail(
          'assets/environment-size',
          `The size ${String(size)} is not ${SIZES.join(', ')}`,
        );
      }
      const image = isExr
        ? readExrPanorama(context.source, report)
        : readRgbe(context.source, report);
      context.signal.throwIfAborted();
      const panorama = new Panorama(image);
      const data = {
        name: VFSPath.parse(context.path).stem,
        levels: prefilter(panorama, size),
        irradiance: projectIrradiance(panorama.atMost(256)),
      };
      context.reportAll(report.list());
      return [{ key: '', uuid: context.uuid, type: 'environment', data, dependencies: [] }];
    },
  };
}

function readExrPanorama(bytes: Uint8Array, report: DiagnosticReport): FloatImage {
  const { image, isCube } = readExr(bytes, report);
  return isCube ? panoramaOfCube(image, report) : image;
}
