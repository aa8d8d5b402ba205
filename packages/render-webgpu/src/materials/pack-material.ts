import type { MaterialData, SamplerData, TextureRef } from '@ecliptic/assets';

/** Textures of a material, in the order of the shader's slots. */
export const TEXTURE_SLOTS = [
  'baseColorTexture',
  'metallicRoughnessTexture',
  'normalTexture',
  'occlusionTexture',
  'emissiveTexture',
] as const;

/** Where the slots begin in `Material` of `MESH_WGSL`, and how many floats it has. */
const FIRST_SLOT = 16;
const MATERIAL_FLOATS = FIRST_SLOT + TEXTURE_SLOTS.length * 8;

/** Values of `alphaCutoff` that mean no cut, and a shadow that is dithered. */
const OPAQUE = -1;
const DITHERED = -2;

/** Extensions whose effect is drawn. */
const DRAWN_EXTENSIONS = [
  'KHR_materials_emissive_strength',
  'KHR_materials_ior',
  'KHR_materials_specular',
  'KHR_materials_unlit',
];

/** Extensions that a material has and that change nothing here: it is drawn without them. */
export function undrawnExtensions({ extensions }: MaterialData): string[] {
  return Object.keys(extensions).filter((name) => !DRAWN_EXTENSIONS.includes(name));
}

/** A material as the store holds it. */
export interface PackedMaterial {
  readonly numbers: Float32Array<ArrayBuffer>;
  readonly textures: readonly (TextureRef | undefined)[];
  readonly doubleSided: boolean;
  /** Its fragments may be discarded, in shadow maps if not elsewhere. */
  readonly cut: boolean;
  readonly blend: boolean;
}

/**
 * Takes out of a material what the shader reads. Extensions: `KHR_materials_emissive_strength`, `KHR_materials_unlit`, and as one
 * number `KHR_materials_ior` and `KHR_materials_specular`, the latter without its textures.
 */
export function packMaterial(material: MaterialData): PackedMaterial {
  const { extensions, alphaMode } = material;
  const unlit = extensions['KHR_materials_unlit'] !== undefined;
  const glow = numberOr(extensions['KHR_materials_emissive_strength']?.['emissiveStrength'], 1);
  const cutoff = { opaque: OPAQUE, mask: material.alphaCutoff, blend: DITHERED }[alphaMode];
  const numbers = new Float32Array(MATERIAL_FLOATS);
  const [red, green, blue, alpha] = material.baseColor;
  // An unlit material shines with its base colour, and reflects nothing.
  numbers.set(unlit ? [0, 0, 0, alpha] : [red, green, blue, alpha]);
  numbers.set(unlit ? [red, green, blue] : material.emissive.map((c) => c * glow), 4);
  // Metal without colour: the one thing that mirrors nothing.
  numbers.set([material.normalScale, unlit ? 1 : material.metallic, material.roughness], 7);
  numbers.set([material.occlusionStrength, cutoff, reflectanceOf(material)], 10);
  const textures = TEXTURE_SLOTS.map((slot) => material[slot]);
  if (unlit) {
    textures[TEXTURE_SLOTS.indexOf('emissiveTexture')] = material.baseColorTexture;
    textures[TEXTURE_SLOTS.indexOf('metallicRoughnessTexture')] = undefined;
  }
  textures.forEach((ref, slot) => numbers.set(slotNumbers(ref), FIRST_SLOT + slot * 8));
  const { doubleSided } = material;
  return {
    numbers,
    textures,
    doubleSided,
    cut: alphaMode !== 'opaque',
    blend: alphaMode === 'blend',
  };
}

/** Part of the light from straight ahead that a surface mirrors where it is no metal; the brightness of a coloured one. */
function reflectanceOf({ extensions }: MaterialData): number {
  const ior = numberOr(extensions['KHR_materials_ior']?.['ior'], 1.5);
  const { specularFactor, specularColorFactor } = extensions['KHR_materials_specular'] ?? {};
  const color = Array.isArray(specularColorFactor) ? specularColorFactor : [];
  const [red, green, blue] = [0, 1, 2].map((c) => numberOr(color[c], 1)) as [
    number,
    number,
    number,
  ];
  const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const bare = ((ior - 1) / (ior + 1)) ** 2;
  return Math.min(1, Math.max(0, bare * brightness)) * numberOr(specularFactor, 1);
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** `Slot` of the shader: rows of the texture transform, and which coordinate. */
function slotNumbers(ref: TextureRef | undefined): number[] {
  const { offset = [0, 0], rotation = 0, scale = [1, 1] } = ref?.transform ?? {};
  const [sin, cos] = [Math.sin(rotation), Math.cos(rotation)];
  const texCoord = ref === undefined ? -1 : Math.min(1, ref.texCoord);
  return [
    cos * scale[0],
    sin * scale[1],
    offset[0],
    texCoord,
    -sin * scale[0],
    cos * scale[1],
    offset[1],
    0,
  ];
}

/** A sampler as WebGPU wants it described. */
export function samplerDescriptor(sampler: SamplerData | undefined): GPUSamplerDescriptor {
  const address = { repeat: 'repeat', mirror: 'mirror-repeat', clamp: 'clamp-to-edge' } as const;
  const linear =
    sampler === undefined || (sampler.magnify === 'linear' && sampler.minify === 'linear');
  return {
    addressModeU: address[sampler?.wrapU ?? 'repeat'],
    addressModeV: address[sampler?.wrapV ?? 'repeat'],
    magFilter: sampler?.magnify ?? 'linear',
    minFilter: sampler?.minify ?? 'linear',
    mipmapFilter: sampler?.mip === 'nearest' ? 'nearest' : 'linear',
    ...(sampler?.mip === 'none' ? { lodMaxClamp: 0 } : {}),
    ...(linear && sampler?.mip !== 'none' && sampler?.mip !== 'nearest'
      ? { maxAnisotropy: 4 }
      : {}),
  };
}
