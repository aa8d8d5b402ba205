import type { BasisModule } from './basis-module.js';
import { MAX_IMAGE_PIXELS } from './image-limits.js';
import type { TexturePlatform } from './texture-platform.js';

export const platform: TexturePlatform = {
  async decodeImage(bytes) {
    const { default: sharp } = await import('sharp');
    const { data, info } = await sharp(bytes, {
      limitInputPixels: MAX_IMAGE_PIXELS,
      failOn: 'error',
      ignoreIcc: true,
    })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, pixels: data };
  },
  async loadBasis() {
    const { NodeBasisEncoder } = await import('ktx2-encoder');
    // Its types know only a part of the module.
    return (await new NodeBasisEncoder().init()) as unknown as BasisModule;
  },
};
