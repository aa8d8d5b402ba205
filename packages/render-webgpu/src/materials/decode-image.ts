import type { TextureData } from '@ecliptic/assets';

/** Pixels of an image: red, green, blue, alpha bytes, rows from the top, or a bitmap of a browser. */
export type DecodedImage =
  | { readonly width: number; readonly height: number; readonly pixels: Uint8Array<ArrayBuffer> }
  | ImageBitmap;

/** Decodes an image file. At once, where it can. */
export type ImageDecoder = (image: TextureData) => DecodedImage | Promise<DecodedImage>;

/** Decodes with the platform's `createImageBitmap`: in browsers and their workers. */
export function bitmapDecoder(): ImageDecoder {
  return ({ bytes, mime }) =>
    // A copy: a blob can't be made of shared memory.
    createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: mime }), {
      colorSpaceConversion: 'none',
      premultiplyAlpha: 'none',
    });
}
