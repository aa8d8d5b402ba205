/** A KTX2 file of Basis Universal data, as its module sees it. */
interface Ktx2File {
  isValid(): boolean;
  isETC1S(): boolean;
  getHasAlpha(): boolean;
  getImageTranscodedSizeInBytes(level: number, layer: number, face: number, format: number): number;
  /** @returns 0 when it failed, as the next */
  startTranscoding(): number;
  transcodeImage(
    target: Uint8Array,
    level: number,
    layer: number,
    face: number,
    format: number,
    alphaForOpaqueFormats: number,
    channel0: number,
    channel1: number,
  ): number;
  close(): void;
  delete(): void;
}

/** Compresses one image. */
interface Encoder {
  setStatusOutput(on: boolean): void;
  setCreateKTX2File(on: boolean): void;
  setKTX2UASTCSupercompression(on: boolean): void;
  setKTX2AndBasisSRGBTransferFunc(on: boolean): void;
  setUASTC(on: boolean): void;
  setQualityLevel(level: number): void;
  setPerceptual(on: boolean): void;
  setNormalMapPreset(): void;
  setMipGen(on: boolean): void;
  setMipSRGB(on: boolean): void;
  setMipRenormalize(on: boolean): void;
  setSliceSourceImage(
    slice: number,
    pixels: Uint8Array,
    width: number,
    height: number,
    type: number,
  ): boolean;
  /** @returns bytes written, 0 when it failed */
  encode(target: Uint8Array): number;
  delete(): void;
}

/** The part of the Basis Universal module that is used here. */
export interface BasisModule {
  readonly KTX2File: new (bytes: Uint8Array) => Ktx2File;
  readonly BasisEncoder: new () => Encoder;
  readonly transcoder_texture_format: Readonly<Record<string, { readonly value: number }>>;
  readonly ldr_image_type: { readonly cRGBA32: { readonly value: number } };
}
