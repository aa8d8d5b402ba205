import { platform } from '#texture-platform';
import type { TexelFormat, TexelLayout } from '../data/texture-data.js';
import type { BasisModule } from './basis-module.js';
import type { PixelUse, RgbaImage } from './mip-chain.js';
import { bytesOfLevels, textureLevels } from './texel-formats.js';

/** Names of our formats in Basis Universal. */
const TARGETS = {
  'astc-4x4-unorm': 'cTFASTC_4x4_RGBA',
  'bc7-rgba-unorm': 'cTFBC7_RGBA',
  'bc3-rgba-unorm': 'cTFBC3_RGBA',
  'bc1-rgba-unorm': 'cTFBC1_RGB',
  'etc2-rgba8unorm': 'cTFETC2_RGBA',
  'etc2-rgb8unorm': 'cTFETC1_RGB',
  rgba8unorm: 'cTFRGBA32',
} as const;
type Target = keyof typeof TARGETS;

/** The nearest first: with the least loss and the fewest bytes. */
const UASTC_TARGETS: readonly Target[] = ['astc-4x4-unorm', 'bc7-rgba-unorm', 'etc2-rgba8unorm'];
const ETC1S_TARGETS: readonly Target[] = ['etc2-rgb8unorm', 'bc1-rgba-unorm'];
const ETC1S_ALPHA_TARGETS: readonly Target[] = [
  'etc2-rgba8unorm',
  'bc7-rgba-unorm',
  'bc3-rgba-unorm',
];

/** A size, and what lies there. */
export interface BasisPicture {
  readonly width: number;
  readonly height: number;
  readonly shape: TexelLayout['shape'];
  readonly layers: number;
  readonly levels: number;
}

/** Of 255, for ETC1S. */
const ETC1S_QUALITY = 150;

/**
 * Basis Universal: compresses images to KTX2 files that hold for all devices, and makes of these the format that one device
 * reads. Its module, 3 MB of WebAssembly, is loaded when it is first needed.
 */
export class BasisCodec {
  #module: Promise<BasisModule> | undefined;

  /**
   * Texels of a KTX2 file with ETC1S or UASTC data.
   *
   * @param picture - what its header says
   * @param formats - what the device reads besides `rgba8unorm`
   * @throws Error when the data is damaged
   */
  transcode(
    bytes: Uint8Array,
    picture: BasisPicture,
    formats: ReadonlySet<TexelFormat>,
  ): Promise<{ readonly texels: TexelLayout; readonly bytes: Uint8Array }> {
    return this.#use((module) => transcodeWith(module, bytes, picture, formats));
  }

  /**
   * A KTX2 file with all mip levels: `etc1s` is small and coarse, `uastc` large and fine. Takes seconds for
   * 2048 × 2048.
   *
   * @throws Error when it can't be compressed, as when it has more than 12 million pixels
   */
  encode(image: RgbaImage, kind: 'etc1s' | 'uastc', use: PixelUse): Promise<Uint8Array> {
    return this.#use((module) => encodeWith(module, image, kind, use));
  }

  async #use<Result>(work: (module: BasisModule) => Result): Promise<Result> {
    this.#module ??= platform.loadBasis();
    try {
      return work(await this.#module);
    } catch (error) {
      // After a trap the module is in an unknown state: the next file gets a new one.
      this.#module = undefined;
      throw error;
    }
  }
}

function encodeWith(
  { BasisEncoder, ldr_image_type }: BasisModule,
  { width, height, pixels }: RgbaImage,
  kind: 'etc1s' | 'uastc',
  use: PixelUse,
): Uint8Array {
  const encoder = new BasisEncoder();
  try {
    encoder.setStatusOutput(false);
    encoder.setCreateKTX2File(true);
    encoder.setUASTC(kind === 'uastc');
    encoder.setKTX2UASTCSupercompression(kind === 'uastc');
    if (kind === 'etc1s') encoder.setQualityLevel(ETC1S_QUALITY);
    encoder.setKTX2AndBasisSRGBTransferFunc(use === 'color');
    encoder.setPerceptual(use === 'color');
    if (use === 'normal') encoder.setNormalMapPreset();
    encoder.setMipGen(true);
    encoder.setMipSRGB(use === 'color');
    encoder.setMipRenormalize(use === 'normal');
    const type = ldr_image_type.cRGBA32.value;
    if (!encoder.setSliceSourceImage(0, pixels, width, height, type)) {
      throw new Error(`Basis Universal takes no image of ${width} × ${height} pixels`);
    }
    // Both kinds take at most a byte a pixel, in whole blocks; the rest is for levels, tables and headers.
    const target = new Uint8Array(width * height * 2 + 65_536);
    const length = encoder.encode(target);
    if (length === 0) throw new Error('Basis Universal can’t compress the image');
    return target.slice(0, length);
  } finally {
    encoder.delete();
  }
}

function transcodeWith(
  { KTX2File, transcoder_texture_format: ids }: BasisModule,
  source: Uint8Array,
  picture: BasisPicture,
  formats: ReadonlySet<TexelFormat>,
): { texels: TexelLayout; bytes: Uint8Array } {
  const file = new KTX2File(Uint8Array.from(source));
  try {
    if (!file.isValid()) throw new Error('Basis Universal finds the file invalid');
    if (file.startTranscoding() === 0) throw new Error('Its tables are damaged');
    const format = chooseTarget(file.isETC1S(), file.getHasAlpha(), picture, formats);
    const { shape, layers, levels } = picture;
    const texels: TexelLayout = { format, shape, layers, levels };
    const id = ids[TARGETS[format]]?.value ?? -1;
    const places = textureLevels(texels, picture);
    const bytes = new Uint8Array(bytesOfLevels(places));
    places.forEach((place, level) => {
      const size = place.bytes / layers;
      for (let i = 0; i < layers; i++) {
        const [layer, face] = shape === 'cube' ? [0, i] : [i, 0];
        const isExpected = file.getImageTranscodedSizeInBytes(level, layer, face, id) === size;
        const at = place.offset + i * size;
        const target = bytes.subarray(at, at + size);
        if (!isExpected || file.transcodeImage(target, level, layer, face, id, 0, -1, -1) === 0) {
          throw new Error(`Mip level ${level} is damaged`);
        }
      }
    });
    return { texels, bytes };
  } finally {
    file.close();
    file.delete();
  }
}

function chooseTarget(
  isEtc1s: boolean,
  hasAlpha: boolean,
  { width, height }: BasisPicture,
  formats: ReadonlySet<TexelFormat>,
): Target {
  // Devices take compressed textures of whole blocks only.
  if (width % 4 !== 0 || height % 4 !== 0) return 'rgba8unorm';
  const targets = isEtc1s ? (hasAlpha ? ETC1S_ALPHA_TARGETS : ETC1S_TARGETS) : UASTC_TARGETS;
  return targets.find((target) => formats.has(target)) ?? 'rgba8unorm';
}
