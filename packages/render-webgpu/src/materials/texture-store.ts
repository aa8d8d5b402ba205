import { EclipticError, type EventLog } from '@ecliptic/core';
import type { TexelFormat, TextureData } from '@ecliptic/assets';
import { TextureUnpacker } from '@ecliptic/assets/textures';
import { TEXTURE_USAGE } from '../device/gpu-flags.js';
import { texelFormatsOf } from '../device/texel-formats.js';
import type { DecodedImage, ImageDecoder } from './decode-image.js';
import { MipmapMaker } from './mipmap-maker.js';
import { uploadTexels, viewTexture, type StoredTexture, type TexelData } from './stored-texture.js';

const PINK = [255, 0, 150, 255];
const WHITE = [255, 255, 255, 255];
const EMPTY = [0, 0, 0, 0];

/** What a texture becomes before it is uploaded: texels, or an image whose mip levels are to be made. */
type ReadyTexture = TexelData | DecodedImage;

/**
 * The textures of a device by uuid. Texels are uploaded as they are, KTX2 files are unpacked for the device, other image files are
 * decoded and get mip levels.
 */
export class TextureStore {
  /** Grows when a texture came or went: bindings to textures are to be looked up again. */
  version = 1;
  /** For slots that have no texture: multiplying with it changes nothing. */
  readonly white: GPUTextureView;
  /** Black and transparent. */
  readonly empty: GPUTextureView;
  readonly #device: GPUDevice;
  readonly #decode: ImageDecoder;
  readonly #unpacker = new TextureUnpacker();
  readonly #formats: ReadonlySet<TexelFormat>;
  readonly #log: EventLog;
  readonly #mipmaps: MipmapMaker;
  readonly #stored = new Map<string, StoredTexture>();
  readonly #own: readonly StoredTexture[];
  readonly #pink: StoredTexture;
  /** What is being decoded for a uuid; a newer upload replaces it. */
  readonly #pending = new Map<string, Promise<void>>();
  #disposed = false;

  constructor(device: GPUDevice, decode: ImageDecoder, log: EventLog) {
    this.#device = device;
    this.#decode = decode;
    this.#formats = texelFormatsOf(device);
    this.#log = log;
    this.#mipmaps = new MipmapMaker(device);
    const white = this.#make('white', pixel(WHITE));
    this.#pink = this.#make('missing', pixel(PINK));
    const empty = this.#make('empty', pixel(EMPTY));
    this.#own = [white, empty, this.#pink];
    this.white = white.linear;
    this.empty = empty.linear;
  }

  /** Textures that are decoded. */
  get size(): number {
    return this.#stored.size;
  }

  /** Images that are still being decoded. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Resolves when all images that were added are decoded, or couldn't be. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending.values());
  }

  /** Adds a texture or replaces it; until it is decoded, the fallback or the old one is there. A broken one is logged. */
  add(uuid: string, image: TextureData): void {
    let decoded: ReadyTexture | Promise<ReadyTexture>;
    try {
      decoded = this.#prepare(image);
    } catch (error) {
      this.#fail(uuid, image, error);
      return;
    }
    if (!(decoded instanceof Promise)) {
      this.#store(uuid, decoded, image);
      return;
    }
    const work: Promise<void> = decoded
      .then(
        (ready) => {
          if (!this.#disposed && this.#pending.get(uuid) === work) this.#store(uuid, ready, image);
          if ('close' in ready) ready.close();
        },
        (error: unknown) => this.#fail(uuid, image, error),
      )
      .finally(() => {
        if (this.#pending.get(uuid) === work) this.#pending.delete(uuid);
      });
    this.#pending.set(uuid, work);
  }

  /** The texture, or the pink fallback. */
  view(uuid: string, colorSpace: 'srgb' | 'linear'): GPUTextureView {
    return (this.#stored.get(uuid) ?? this.#pink)[colorSpace];
  }

  /** The texture, once it is decoded. */
  find(uuid: string, colorSpace: 'srgb' | 'linear'): GPUTextureView | undefined {
    return this.#stored.get(uuid)?.[colorSpace];
  }

  has(uuid: string): boolean {
    return this.#stored.has(uuid) || this.#pending.has(uuid);
  }

  free(uuid: string): void {
    this.#pending.delete(uuid);
    this.#stored.get(uuid)?.texture.destroy();
    if (this.#stored.delete(uuid)) this.version++;
  }

  dispose(): void {
    this.#disposed = true;
    for (const { texture } of [...this.#stored.values(), ...this.#own]) texture.destroy();
    this.#stored.clear();
    this.#pending.clear();
  }

  #prepare(texture: TextureData): ReadyTexture | Promise<ReadyTexture> {
    const { texels } = texture;
    if (texels) return { ...texture, texels };
    if (texture.mime === 'image/ktx2') return this.#unpacker.unpack(texture, this.#formats);
    return this.#decode(texture);
  }

  #store(uuid: string, image: ReadyTexture, source: TextureData): void {
    const limit = this.#device.limits.maxTextureDimension2D;
    if (image.width > limit || image.height > limit || image.width < 1 || image.height < 1) {
      const { width, height } = image;
      this.#log.warnOnce('texture_size', uuid, { texture: uuid, width, height, limit });
      return;
    }
    let made: StoredTexture;
    try {
      made =
        'texels' in image
          ? uploadTexels(this.#device, uuid, image, this.#formats)
          : this.#make(uuid, image, source.colorSpace);
    } catch (error) {
      this.#fail(uuid, source, error);
      return;
    }
    this.#stored.get(uuid)?.texture.destroy();
    this.#stored.set(uuid, made);
    this.version++;
  }

  #make(
    label: string,
    image: DecodedImage,
    colorSpace: 'srgb' | 'linear' = 'linear',
  ): StoredTexture {
    const { width, height } = image;
    const texture = this.#device.createTexture({
      label,
      format: 'rgba8unorm',
      viewFormats: ['rgba8unorm-srgb'],
      size: [width, height],
      mipLevelCount: 1 + Math.floor(Math.log2(Math.max(width, height))),
      usage: TEXTURE_USAGE.sampled | TEXTURE_USAGE.copyDestination | TEXTURE_USAGE.attachment,
    });
    if ('pixels' in image) {
      const layout = { bytesPerRow: width * 4, rowsPerImage: height };
      this.#device.queue.writeTexture({ texture }, image.pixels, layout, [width, height]);
    } else {
      this.#device.queue.copyExternalImageToTexture({ source: image }, { texture }, [
        width,
        height,
      ]);
    }
    this.#mipmaps.fill(texture, colorSpace);
    return viewTexture(texture, 'rgba8unorm');
  }

  #fail(uuid: string, { mime }: TextureData, cause: unknown): void {
    const error = new EclipticError(
      'render-webgpu/image-undecodable',
      `Texture ${uuid} (${mime}) can't be decoded for this device`,
      { subjects: { texture: uuid, mime }, cause, fix: 'Import it as texels, or save it as PNG.' },
    );
    this.#log.error('image_undecodable', { texture: uuid, error });
  }
}

function pixel(rgba: readonly number[]): DecodedImage {
  return { width: 1, height: 1, pixels: Uint8Array.from(rgba) };
}
