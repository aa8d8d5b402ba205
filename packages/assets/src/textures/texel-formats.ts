import type { TexelFormat, TexelLayout } from '../data/texture-data.js';

/** Pixels and bytes of the smallest unit that a format has: one pixel, or a compressed block. */
export interface TexelBlock {
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}

const pixel = (bytes: number): TexelBlock => ({ width: 1, height: 1, bytes });
const block = (bytes: number): TexelBlock => ({ width: 4, height: 4, bytes });

/** The units of all formats. */
export const TEXEL_BLOCKS: Readonly<Record<TexelFormat, TexelBlock>> = {
  r8unorm: pixel(1),
  rg8unorm: pixel(2),
  rgba8unorm: pixel(4),
  rgba16float: pixel(8),
  'bc1-rgba-unorm': block(8),
  'bc3-rgba-unorm': block(16),
  'bc4-r-unorm': block(8),
  'bc5-rg-unorm': block(16),
  'bc7-rgba-unorm': block(16),
  'etc2-rgb8unorm': block(8),
  'etc2-rgb8a1unorm': block(8),
  'etc2-rgba8unorm': block(16),
  'astc-4x4-unorm': block(16),
};

/** One mip level of a texture, as an upload wants it. */
export interface TextureLevel {
  /** In pixels; an upload of compressed blocks rounds them up to whole blocks. */
  readonly width: number;
  readonly height: number;
  /** Faces, layers, or slices. */
  readonly layers: number;
  readonly bytesPerRow: number;
  /** Rows of blocks in each layer. */
  readonly rows: number;
  /** Where it starts in the texture's bytes. */
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Where the mip levels of a texture lie in its bytes, the largest first. O(levels).
 *
 * @example
 * ```ts
 * for (const { offset, bytes, bytesPerRow } of textureLevels(texture.texels, texture)) {
 *   upload(texture.bytes.subarray(offset, offset + bytes), bytesPerRow);
 * }
 * ```
 */
export function textureLevels(
  texels: TexelLayout,
  size: { readonly width: number; readonly height: number },
): TextureLevel[] {
  const unit = TEXEL_BLOCKS[texels.format];
  const levels: TextureLevel[] = [];
  let offset = 0;
  for (let level = 0; level < texels.levels; level++) {
    const width = Math.max(1, Math.floor(size.width / 2 ** level));
    const height = Math.max(1, Math.floor(size.height / 2 ** level));
    const layers =
      texels.shape === '3d' ? Math.max(1, Math.floor(texels.layers / 2 ** level)) : texels.layers;
    const bytesPerRow = Math.ceil(width / unit.width) * unit.bytes;
    const rows = Math.ceil(height / unit.height);
    const bytes = bytesPerRow * rows * layers;
    levels.push({ width, height, layers, bytesPerRow, rows, offset, bytes });
    offset += bytes;
  }
  return levels;
}

/** Bytes of all levels together. */
export function bytesOfLevels(levels: readonly TextureLevel[]): number {
  const last = levels.at(-1);
  return last === undefined ? 0 : last.offset + last.bytes;
}

/** Mip levels down to a single pixel. */
export function fullLevels(width: number, height: number): number {
  return 1 + Math.floor(Math.log2(Math.max(width, height)));
}
