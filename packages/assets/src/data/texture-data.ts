/** MIME types of images that are recognised by their bytes. */
export type ImageMime =
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/avif'
  | 'image/gif'
  | 'image/ktx2'
  | 'image/vnd.radiance';

/** An image file as it is, with what its header says. Decoding is the renderer's or a cooker's job. */
export interface TextureData {
  readonly name: string;
  /** From the bytes, never from a file name or a declaration. */
  readonly mime: ImageMime;
  /** In pixels, at least 1; EXIF orientation is not applied. */
  readonly width: number;
  readonly height: number;
  /** What mip levels should be filtered in; materials say in their slots how the values are meant. */
  readonly colorSpace: 'srgb' | 'linear';
  readonly bytes: Uint8Array;
}
