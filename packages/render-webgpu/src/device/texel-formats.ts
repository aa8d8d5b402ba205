import type { TexelFormat } from '@ecliptic/assets';
import { TEXEL_BLOCKS } from '@ecliptic/assets/textures';

/** Features without which a device reads no compressed textures. */
export const COMPRESSION_FEATURES: readonly GPUFeatureName[] = [
  'texture-compression-bc',
  'texture-compression-etc2',
  'texture-compression-astc',
];

/** The formats of texels that a device reads. */
export function texelFormatsOf({
  features,
}: Pick<GPUDevice, 'features'>): ReadonlySet<TexelFormat> {
  const isRead = (format: string): boolean => {
    const family = /^(bc|etc2|astc)/.exec(format)?.[1];
    return family === undefined || features.has(`texture-compression-${family}`);
  };
  return new Set((Object.keys(TEXEL_BLOCKS) as TexelFormat[]).filter(isRead));
}

/** The format to view texels in as colours; formats without one are read as they are. */
export function srgbFormat(format: TexelFormat): GPUTextureFormat {
  const hasSrgb = /^(rgba8|bc1|bc3|bc7|etc2|astc)/.test(format);
  return hasSrgb ? (`${format}-srgb` as GPUTextureFormat) : format;
}
