import { EclipticError } from '@ecliptic/core';
import type { SharpConstructor } from 'sharp';
import type { BasisModule } from './basis-module.js';
import { MAX_IMAGE_PIXELS } from './image-limits.js';
import type { TexturePlatform } from './texture-platform.js';

export const platform: TexturePlatform = {
  async decodeImage(bytes) {
    const sharp = await loadSharp();
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

/** Not the image's fault where it fails, so no refusal of it. */
async function loadSharp(): Promise<SharpConstructor> {
  try {
    return (await import('sharp')).default;
  } catch (cause) {
    throw new EclipticError(
      'assets/codec-missing',
      'sharp, which decodes images, can’t be loaded',
      {
        cause,
        fix: 'Install it for this system: npm install --include=optional sharp',
      },
    );
  }
}
