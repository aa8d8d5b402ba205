import type {
  MaterialData,
  MaterialValue,
  SamplerData,
  TextureRef,
  TextureTransform,
  Wrap,
} from '../data/material-data.js';
import type { JsonView } from './json-view.js';
import type { GltfRoot } from './model.js';

/** A glTF texture: an image and how to read it. */
export interface TextureDef {
  readonly image: number | undefined;
  readonly sampler: SamplerData;
}

const WRAP: Readonly<Record<number, Wrap>> = { 10497: 'repeat', 33071: 'clamp', 33648: 'mirror' };
/** Extensions that name a better image beside the one every reader knows, best first. */
const IMAGE_EXTENSIONS = ['KHR_texture_basisu', 'EXT_texture_avif', 'EXT_texture_webp'] as const;

/** Reads `samplers` and `textures`. */
export function parseTextures(root: JsonView, images: number): TextureDef[] {
  const samplers = root.objects('samplers').map(parseSampler);
  return root.objects('textures').map((view) => {
    let image = view.index('source', images, 'image');
    for (const name of IMAGE_EXTENSIONS) {
      image = view.extension(name)?.index('source', images, 'image') ?? image;
    }
    const sampler = view.index('sampler', samplers.length, 'sampler');
    return { image, sampler: samplers[sampler ?? -1] ?? defaultSampler() };
  });
}

function defaultSampler(): SamplerData {
  return { wrapU: 'repeat', wrapV: 'repeat', magnify: 'linear', minify: 'linear', mip: 'linear' };
}

function parseSampler(view: JsonView): SamplerData {
  const minFilter = view.choice('minFilter', [9728, 9729, 9984, 9985, 9986, 9987]) ?? 9987;
  const nearest = minFilter === 9728 || minFilter === 9984 || minFilter === 9986;
  return {
    wrapU: WRAP[view.choice('wrapS', [33071, 33648, 10497]) ?? 10497] ?? 'repeat',
    wrapV: WRAP[view.choice('wrapT', [33071, 33648, 10497]) ?? 10497] ?? 'repeat',
    magnify: view.choice('magFilter', [9728, 9729]) === 9728 ? 'nearest' : 'linear',
    minify: nearest ? 'nearest' : 'linear',
    mip: minFilter < 9984 ? 'none' : minFilter < 9986 ? 'nearest' : 'linear',
  };
}

/** Uses of images that were seen while reading materials. */
export interface ImageUses {
  readonly srgb: Set<number>;
  readonly linear: Set<number>;
  /** Those of `linear` that are normal maps. */
  readonly normal: Set<number>;
}

/** Names of texture slots that hold colours for the eye; all others hold data. */
const COLOR_SLOTS = new Set([
  'baseColorTexture',
  'emissiveTexture',
  'diffuseTexture',
  'specularGlossinessTexture',
  'specularColorTexture',
  'sheenColorTexture',
  'diffuseTransmissionColorTexture',
]);

/** How materials use images, which decides how these are decoded. */
export function findImageUses({ view, textures }: GltfRoot): ImageUses {
  const uses: ImageUses = { srgb: new Set(), linear: new Set(), normal: new Set() };
  parseMaterials(view, textures, () => undefined, uses);
  return uses;
}

/**
 * Reads `materials`.
 *
 * @param imageUuid - uuid of the texture asset made of an image, or `undefined` where it has none
 * @param uses - receives which images are used as colours, as data, and as normals
 */
export function parseMaterials(
  root: JsonView,
  textures: readonly TextureDef[],
  imageUuid: (image: number) => string | undefined,
  uses?: ImageUses,
): MaterialData[] {
  const slot = (parent: JsonView | undefined, key: string): TextureRef | undefined => {
    const view = parent?.object(key);
    if (!view) return undefined;
    const index = view.index('index', textures.length, 'texture');
    if (index === undefined) return view.has('index') ? undefined : view.missing('index');
    const texture = textures[index];
    if (texture?.image === undefined) {
      view.report.warn('assets/gltf-texture-source', `Texture ${index} has no image`, {
        pointer: view.at('index'),
      });
      return undefined;
    }
    const colorSpace = COLOR_SLOTS.has(key) ? 'srgb' : 'linear';
    uses?.[colorSpace].add(texture.image);
    if (/normalTexture$/i.test(key)) uses?.normal.add(texture.image);
    const uuid = imageUuid(texture.image);
    if (uuid === undefined) return undefined;
    const transform = view.extension('KHR_texture_transform');
    return {
      texture: uuid,
      texCoord: transform?.integer('texCoord') ?? view.integer('texCoord') ?? 0,
      sampler: texture.sampler,
      colorSpace,
      ...(transform ? { transform: parseTransform(transform) } : {}),
    };
  };

  return root.objects('materials').map((view): MaterialData => {
    const pbr = view.object('pbrMetallicRoughness');
    const normalTexture = view.object('normalTexture');
    const occlusionTexture = view.object('occlusionTexture');
    const alphaMode = view.choice('alphaMode', ['OPAQUE', 'MASK', 'BLEND']) ?? 'OPAQUE';
    return {
      name: view.string('name') ?? '',
      baseColor: tuple4(pbr?.numbers('baseColorFactor', 4), [1, 1, 1, 1]),
      metallic: pbr?.number('metallicFactor', { min: 0, max: 1 }) ?? 1,
      roughness: pbr?.number('roughnessFactor', { min: 0, max: 1 }) ?? 1,
      normalScale: normalTexture?.number('scale') ?? 1,
      occlusionStrength: occlusionTexture?.number('strength', { min: 0, max: 1 }) ?? 1,
      emissive: tuple3(view.numbers('emissiveFactor', 3), [0, 0, 0]),
      alphaMode: ({ OPAQUE: 'opaque', MASK: 'mask', BLEND: 'blend' } as const)[alphaMode],
      alphaCutoff: view.number('alphaCutoff', { min: 0 }) ?? 0.5,
      doubleSided: view.boolean('doubleSided', false),
      extensions: parseExtensions(view, slot),
      ...optional('baseColorTexture', slot(pbr, 'baseColorTexture')),
      ...optional('metallicRoughnessTexture', slot(pbr, 'metallicRoughnessTexture')),
      ...optional('normalTexture', slot(view, 'normalTexture')),
      ...optional('occlusionTexture', slot(view, 'occlusionTexture')),
      ...optional('emissiveTexture', slot(view, 'emissiveTexture')),
    };
  });
}

function parseTransform(view: JsonView): TextureTransform {
  const [u = 0, v = 0] = view.numbers('offset', 2) ?? [];
  const [su = 1, sv = 1] = view.numbers('scale', 2) ?? [];
  return { offset: [u, v], rotation: view.number('rotation') ?? 0, scale: [su, sv] };
}

type Slot = (parent: JsonView | undefined, key: string) => TextureRef | undefined;

/** Every extension of the material as data: new ones need no code here, texture slots are found by their shape. */
function parseExtensions(
  material: JsonView,
  slot: Slot,
): Record<string, Record<string, MaterialValue>> {
  const extensions = material.object('extensions');
  const result: Record<string, Record<string, MaterialValue>> = {};
  for (const name of extensions?.keys() ?? []) {
    const view = extensions?.object(name);
    if (view) defineProperty(result, name, plainValues(view, slot, 0));
  }
  return result;
}

function plainValues(view: JsonView, slot: Slot, depth: number): Record<string, MaterialValue> {
  const result: Record<string, MaterialValue> = {};
  for (const key of view.keys()) {
    const raw = view.raw(key);
    let value: MaterialValue | undefined;
    if (isPlainObject(raw)) {
      if (Object.hasOwn(raw, 'index')) {
        value = slot(view, key);
        const { scale, strength } = raw as { scale?: unknown; strength?: unknown };
        if (typeof scale === 'number') defineProperty(result, `${key}Scale`, scale);
        if (typeof strength === 'number') defineProperty(result, `${key}Strength`, strength);
      } else if (depth < 4) {
        const nested = view.object(key);
        value = nested && plainValues(nested, slot, depth + 1);
      }
    } else value = plainScalar(raw);
    if (value !== undefined) defineProperty(result, key, value);
  }
  return result;
}

function plainScalar(raw: unknown): MaterialValue | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined;
  if (typeof raw === 'string' || typeof raw === 'boolean') return raw;
  if (!Array.isArray(raw)) return undefined;
  return raw.every((item) => Number.isFinite(item) || typeof item === 'string')
    ? (raw as MaterialValue[])
    : undefined;
}

/** Defines an own property, also for names as `__proto__`. */
function defineProperty<T>(target: Record<string, T>, key: string, value: T): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function optional<Key extends string>(
  key: Key,
  value: TextureRef | undefined,
): { [K in Key]?: TextureRef } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: TextureRef });
}

function tuple3(
  value: readonly number[] | undefined,
  fallback: readonly [number, number, number],
): readonly [number, number, number] {
  return value === undefined
    ? fallback
    : [value[0] ?? fallback[0], value[1] ?? fallback[1], value[2] ?? fallback[2]];
}

function tuple4(
  value: readonly number[] | undefined,
  fallback: readonly [number, number, number, number],
): readonly [number, number, number, number] {
  return value === undefined
    ? fallback
    : [...tuple3(value, [fallback[0], fallback[1], fallback[2]]), value[3] ?? fallback[3]];
}
