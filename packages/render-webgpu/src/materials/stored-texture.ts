import { EclipticError } from '@ecliptic/core';
import type { TexelFormat, TextureData } from '@ecliptic/assets';
import { TEXEL_BLOCKS, textureLevels } from '@ecliptic/assets/textures';
import { TEXTURE_USAGE } from '../device/gpu-flags.js';
import { srgbFormat } from '../device/texel-formats.js';

/** A texture of a device, read as colours or as data. */
export interface StoredTexture {
  readonly texture: GPUTexture;
  readonly srgb: GPUTextureView;
  readonly linear: GPUTextureView;
}

/** A texture with its texels. */
export type TexelData = TextureData & Required<Pick<TextureData, 'texels'>>;

/** Both views of a texture. */
export function viewTexture(texture: GPUTexture, format: TexelFormat): StoredTexture {
  return {
    texture,
    srgb: texture.createView({ format: srgbFormat(format) }),
    linear: texture.createView({ format }),
  };
}

/**
 * Uploads a texture and its mip levels as they are.
 *
 * @param formats - what the device reads
 * @throws EclipticError `render-webgpu/texture-format` for what the device doesn't read, and what materials don't use
 */
export function uploadTexels(
  device: GPUDevice,
  label: string,
  data: TexelData,
  formats: ReadonlySet<TexelFormat>,
): StoredTexture {
  const { format, levels, shape } = data.texels;
  const block = TEXEL_BLOCKS[format];
  const isWhole = data.width % block.width === 0 && data.height % block.height === 0;
  if (shape !== '2d' || !formats.has(format) || !isWhole) {
    throw new EclipticError(
      'render-webgpu/texture-format',
      `Texture ${label} (${data.width} × ${data.height}, ${shape}, ${format}) can't be used here`,
      {
        subjects: { texture: label, format, shape },
        fix: 'Materials use 2D textures in whole blocks; Basis Universal data is read by every device.',
      },
    );
  }
  const colours = srgbFormat(format);
  const texture = device.createTexture({
    label,
    format,
    viewFormats: colours === format ? [] : [colours],
    size: [data.width, data.height],
    mipLevelCount: levels,
    usage: TEXTURE_USAGE.sampled | TEXTURE_USAGE.copyDestination,
  });
  textureLevels(data.texels, data).forEach((level, mipLevel) => {
    const { offset, bytes, bytesPerRow, rows } = level;
    device.queue.writeTexture(
      { texture, mipLevel },
      data.bytes.subarray(offset, offset + bytes) as Uint8Array<ArrayBuffer>,
      { bytesPerRow, rowsPerImage: rows },
      [
        Math.ceil(level.width / block.width) * block.width,
        Math.ceil(level.height / block.height) * block.height,
      ],
    );
  });
  return viewTexture(texture, format);
}
