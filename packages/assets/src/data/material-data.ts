/** Texture lookup outside `[0, 1]`. */
export type Wrap = 'repeat' | 'mirror' | 'clamp';

/** How a texture is read. */
export interface SamplerData {
  readonly wrapU: Wrap;
  readonly wrapV: Wrap;
  readonly magnify: 'nearest' | 'linear';
  readonly minify: 'nearest' | 'linear';
  /** Filter between mip levels; `none` where the source asks for no mip chain. */
  readonly mip: 'none' | 'nearest' | 'linear';
}

/** Offset, rotation (radians, counter-clockwise) and scale of texture coordinates. */
export interface TextureTransform {
  readonly offset: readonly [number, number];
  readonly rotation: number;
  readonly scale: readonly [number, number];
}

/** A texture used by a material. */
export interface TextureRef {
  /** Uuid of the texture asset. */
  readonly texture: string;
  /** Index of the `TEXCOORD_n` stream. */
  readonly texCoord: number;
  readonly sampler: SamplerData;
  /** How its values are meant: `srgb` for colours, `linear` for everything else. Decided by the slot, not by the image. */
  readonly colorSpace: 'srgb' | 'linear';
  readonly transform?: TextureTransform;
}

/** Value of a material extension: plain data in which texture slots are {@link TextureRef}s. */
export type MaterialValue =
  | string
  | number
  | boolean
  | TextureRef
  | readonly MaterialValue[]
  | { readonly [key: string]: MaterialValue };

/**
 * A metallic-roughness material, as data. Colours are linear; factors multiply what the textures
 * give. A renderer picks out what it supports.
 */
export interface MaterialData {
  readonly name: string;
  readonly baseColor: readonly [number, number, number, number];
  readonly baseColorTexture?: TextureRef;
  /** In [0, 1]. */
  readonly metallic: number;
  /** In [0, 1]. */
  readonly roughness: number;
  /** Green: roughness, blue: metalness. */
  readonly metallicRoughnessTexture?: TextureRef;
  readonly normalTexture?: TextureRef;
  readonly normalScale: number;
  readonly occlusionTexture?: TextureRef;
  /** In [0, 1]. */
  readonly occlusionStrength: number;
  readonly emissive: readonly [number, number, number];
  readonly emissiveTexture?: TextureRef;
  readonly alphaMode: 'opaque' | 'mask' | 'blend';
  readonly alphaCutoff: number;
  readonly doubleSided: boolean;
  /** Material extensions by name, as `KHR_materials_clearcoat`, with their properties as given. */
  readonly extensions: Readonly<Record<string, Readonly<Record<string, MaterialValue>>>>;
}

/** Every texture uuid that a material uses, each once, in no particular order. */
export function texturesOf(material: MaterialData): string[] {
  const found = new Set<string>();
  const pending: unknown[] = [material];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (isTextureRef(value)) found.add(value.texture);
    else pending.push(...Object.values(value));
  }
  return [...found];
}

/** Whether a value of a material is a texture slot. */
export function isTextureRef(value: object): value is TextureRef {
  return 'texture' in value && 'sampler' in value && 'texCoord' in value;
}
