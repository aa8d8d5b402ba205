/** MIME types of images that are recognised by their bytes. */
export type ImageMime =
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/avif'
  | 'image/gif'
  | 'image/ktx2'
  | 'image/vnd.radiance';

/**
 * Formats of texels that devices read, under their WebGPU names without `-srgb`: {@link TextureData.colorSpace} and
 * the slots of materials say how values are meant.
 */
export type TexelFormat =
  | 'r8unorm'
  | 'rg8unorm'
  | 'rgba8unorm'
  | 'rgba16float'
  | 'bc1-rgba-unorm'
  | 'bc3-rgba-unorm'
  | 'bc4-r-unorm'
  | 'bc5-rg-unorm'
  | 'bc7-rgba-unorm'
  | 'etc2-rgb8unorm'
  | 'etc2-rgb8a1unorm'
  | 'etc2-rgba8unorm'
  | 'astc-4x4-unorm';

/** How texels lie in the bytes of a texture. */
export interface TexelLayout {
  readonly format: TexelFormat;
  /** Mip levels, 1 or more. Each is half the size of the one before, rounded down, and at least 1. */
  readonly levels: number;
  /** What one coordinate of it is: materials use `2d` only. */
  readonly shape: '2d' | '2d-array' | 'cube' | '3d';
  /** Pictures of level 0 that lie one after the other: faces, layers, or slices, of which 3D textures have half as many in each level. */
  readonly layers: number;
}

/**
 * An image: either its texels, ready for upload, or the file that it came in, which is to be decoded first.
 */
export interface TextureData {
  readonly name: string;
  /** Format of the file, from its bytes, never from a file name or a declaration. */
  readonly mime: ImageMime;
  /** In pixels, at least 1; EXIF orientation is not applied. */
  readonly width: number;
  readonly height: number;
  /** What mip levels are filtered in; materials say in their slots how the values are meant. */
  readonly colorSpace: 'srgb' | 'linear';
  /** Its pixels are directions, so that those of smaller levels are of unit length. */
  readonly normalMap?: boolean;
  /** How the texels lie in `bytes`. Left out: `bytes` are the file as it is. */
  readonly texels?: TexelLayout;
  /** The file, or all levels, the largest first, rows from the top, without gaps. */
  readonly bytes: Uint8Array;
}
