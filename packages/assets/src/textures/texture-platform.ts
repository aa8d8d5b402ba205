import type { ImageMime } from '../data/texture-data.js';
import type { BasisModule } from './basis-module.js';
import type { RgbaImage } from './mip-chain.js';

/**
 * Decodes an image file. EXIF orientation and colour profiles are ignored, as glTF asks; of an animation it gives the
 * first picture. Its size was read from the header and is within the limits.
 *
 * @throws anything, for a file that is damaged or whose format it doesn't know
 */
export type ImageDecoder = (bytes: Uint8Array, mime: ImageMime) => Promise<RgbaImage>;

/** What differs between Node and browsers: `#texture-platform` is one of these. */
export interface TexturePlatform {
  readonly decodeImage: ImageDecoder;
  /** Loads a new instance of Basis Universal. */
  loadBasis(): Promise<BasisModule>;
}
