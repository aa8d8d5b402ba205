import { VFSPath } from '@ecliptic/vfs';
import { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { sniffText } from '../images/sniff-text.js';
import type { Importer } from '../importer/importer.js';
import type { LightKernel } from './light-kernel.js';

const SIZES = [16, 32, 64, 128, 256, 512];

/**
 * Imports equirectangular Radiance (`.hdr`) and OpenEXR (`.exr`, also cube maps) pictures as environments for image-based lighting: a cube map that is prefiltered
 * for reflections, and spherical harmonics of the diffuse light. Takes seconds for large ones: give it to an import
 * pool.
 *
 * Settings: `size`, pixels a side of the cube map: 16 to 512, a power of two; default 128.
 */
export function environmentImporter(): Importer {
  let kernel: Promise<LightKernel> | undefined;
  return {
    name: 'environment',
    version: 7,
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
      // Loaded with the first picture.
      const { cookEnvironment } = await import('./cook-environment.js');
      const { loadLightKernel } = await import('./light-kernel.js');
      kernel ??= loadLightKernel();
      const format = isExr ? 'exr' : 'hdr';
      const light = await cookEnvironment(context.source, format, size, await kernel, report);
      const data = { name: VFSPath.parse(context.path).stem, ...light };
      context.reportAll(report.list());
      return [{ key: '', uuid: context.uuid, type: 'environment', data, dependencies: [] }];
    },
  };
}
