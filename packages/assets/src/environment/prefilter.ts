import type { EnvironmentLevel } from '../data/environment-data.js';
import type { LightKernel } from './light-kernel.js';
import { ggxLobe, mirrorLobe } from './lobe.js';
import type { Panorama } from './panorama.js';

/**
 * A cube map of a panorama, prefiltered for GGX reflections: level 0 is the mirror image, the last one roughness 1.
 *
 * @param size - pixels a side of level 0, a power of two, at least 8
 */
export async function prefilter(
  panorama: Panorama,
  size: number,
  gather: LightKernel,
): Promise<EnvironmentLevel[]> {
  // Smaller than 4 pixels a side there is nothing left to tell apart.
  const count = Math.log2(size) - 1;
  const levels = Array.from({ length: count }, (_, i) => {
    const side = size >> i;
    const roughness = count === 1 ? 0 : i / (count - 1);
    const lobe = roughness === 0 ? mirrorLobe(panorama, side) : ggxLobe(panorama, roughness, side);
    return { size: side, roughness, lobe };
  });
  const faces = await gather(levels);
  return levels.map(({ size: side, roughness }, i): EnvironmentLevel => {
    return { size: side, roughness, faces: faces[i] ?? new Uint16Array(0) };
  });
}
