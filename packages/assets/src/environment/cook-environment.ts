import type { EnvironmentData } from '../data/environment-data.js';
import type { DiagnosticReport } from '../diagnostics/diagnostic-report.js';
import { panoramaOfCube } from './cube-panorama.js';
import type { FloatImage } from './float-image.js';
import { projectIrradiance } from './irradiance.js';
import type { LightKernel } from './light-kernel.js';
import { Panorama } from './panorama.js';
import { prefilter } from './prefilter.js';
import { readExr } from './read-exr.js';
import { readRgbe } from './read-rgbe.js';

/**
 * Makes the light of a picture file.
 *
 * @param size - pixels a side of the cube map
 * @throws ImportError as `readExr` and `readRgbe`
 */
export async function cookEnvironment(
  source: Uint8Array,
  format: 'exr' | 'hdr',
  size: number,
  kernel: LightKernel,
  report: DiagnosticReport,
): Promise<Omit<EnvironmentData, 'name'>> {
  const image = format === 'exr' ? readExrPanorama(source, report) : readRgbe(source, report);
  const panorama = new Panorama(image);
  return {
    levels: await prefilter(panorama, size, kernel),
    irradiance: projectIrradiance(panorama.atMost(256)),
  };
}

function readExrPanorama(bytes: Uint8Array, report: DiagnosticReport): FloatImage {
  const { image, isCube } = readExr(bytes, report);
  return isCube ? panoramaOfCube(image, report) : image;
}
