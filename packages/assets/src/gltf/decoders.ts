/** The part of the `meshoptimizer` package that importing needs. */
export interface MeshoptDecoder {
  readonly ready: Promise<void>;
  readonly supported: boolean;
  decodeGltfBuffer(
    target: Uint8Array,
    count: number,
    size: number,
    source: Uint8Array,
    mode: string,
    filter?: string,
  ): void;
}

/**
 * Decoders of compressed geometry, loaded only when a file needs them. The defaults are the packages
 * `meshoptimizer` and `draco3dgltf`; a page that serves its own builds passes them here.
 */
export interface GltfDecoders {
  meshopt(): Promise<MeshoptDecoder>;
  /** A `DecoderModule` of `draco3dgltf`. */
  draco(): Promise<object>;
}

/** Loads the decoders from their npm packages. */
export const DEFAULT_DECODERS: GltfDecoders = {
  async meshopt() {
    const { MeshoptDecoder: decoder } = await import('meshoptimizer/decoder');
    await decoder.ready;
    return decoder as MeshoptDecoder;
  },
  async draco() {
    const { default: draco } = await import('draco3dgltf');
    return draco.createDecoderModule() as Promise<object>;
  },
};
