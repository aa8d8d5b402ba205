import type { MaterialData } from '@ecliptic/assets';
import type { EventLog } from '@ecliptic/core';
import { BUFFER_USAGE } from '../device/gpu-flags.js';
import type { Gpu } from '../device/gpu.js';
import {
  packMaterial,
  samplerDescriptor,
  TEXTURE_SLOTS,
  type PackedMaterial,
} from './pack-material.js';
import type { TextureStore } from './texture-store.js';

interface StoredMaterial {
  readonly packed: PackedMaterial;
  readonly buffer: GPUBuffer;
  /** With the textures of {@link StoredMaterial.version}. */
  group: GPUBindGroup | undefined;
  version: number;
}

/** What a mesh without a material is made of. */
export const PLAIN: MaterialData = {
  name: 'plain',
  baseColor: [1, 1, 1, 1],
  metallic: 0,
  roughness: 0.7,
  emissive: [0, 0, 0],
  alphaMode: 'opaque',
  alphaCutoff: 0.5,
  doubleSided: false,
  normalScale: 1,
  occlusionStrength: 1,
  extensions: {},
};
const PINK: MaterialData = { ...PLAIN, baseColor: [1, 0, 0.3, 1], emissive: [0.3, 0, 0.1] };

/** The materials of a device by uuid, as bind groups. */
export class MaterialStore {
  readonly #gpu: Gpu;
  readonly #textures: TextureStore;
  readonly #log: EventLog;
  readonly #stored = new Map<string, StoredMaterial>();
  readonly #samplers = new Map<string, GPUSampler>();
  readonly #plain: StoredMaterial;
  readonly #missing: StoredMaterial;

  #changes = 0;

  constructor(gpu: Gpu, textures: TextureStore, log: EventLog) {
    this.#gpu = gpu;
    this.#textures = textures;
    this.#log = log;
    this.#plain = this.#make('plain', packMaterial(PLAIN));
    this.#missing = this.#make('missing', packMaterial(PINK));
  }

  /** Another one when a material or a texture came or went. */
  get version(): string {
    return `${this.#changes}/${this.#textures.version}`;
  }

  get size(): number {
    return this.#stored.size;
  }

  add(uuid: string, packed: PackedMaterial): void {
    this.free(uuid);
    this.#changes++;
    this.#stored.set(uuid, this.#make(uuid, packed));
  }

  free(uuid: string): void {
    this.#stored.get(uuid)?.buffer.destroy();
    if (this.#stored.delete(uuid)) this.#changes++;
  }

  /**
   * What a material is, for choosing a pipeline: the plain one for `undefined`, a pink one for a uuid that isn't here. That is
   * logged once.
   */
  get(uuid: string | undefined): PackedMaterial {
    return this.#find(uuid).packed;
  }

  /** Group 1 of a mesh pipeline. O(1), until a texture comes or goes. */
  group(uuid: string | undefined): GPUBindGroup {
    const found = this.#find(uuid);
    if (found.group && found.version === this.#textures.version) return found.group;
    found.version = this.#textures.version;
    found.group = this.#bind(uuid, found);
    return found.group;
  }

  dispose(): void {
    for (const { buffer } of [...this.#stored.values(), this.#plain, this.#missing])
      buffer.destroy();
    this.#stored.clear();
  }

  #find(uuid: string | undefined): StoredMaterial {
    if (uuid === undefined) return this.#plain;
    const found = this.#stored.get(uuid);
    if (found) return found;
    this.#log.warnOnce('material_missing', uuid, { material: uuid });
    return this.#missing;
  }

  #make(label: string, packed: PackedMaterial): StoredMaterial {
    const { device } = this.#gpu;
    const buffer = device.createBuffer({
      label: `material ${label}`,
      size: packed.numbers.byteLength,
      usage: BUFFER_USAGE.uniform | BUFFER_USAGE.copyDestination,
    });
    device.queue.writeBuffer(buffer, 0, packed.numbers);
    return { packed, buffer, group: undefined, version: 0 };
  }

  #bind(uuid: string | undefined, { packed, buffer }: StoredMaterial): GPUBindGroup {
    const entries: GPUBindGroupEntry[] = [{ binding: 0, resource: { buffer } }];
    TEXTURE_SLOTS.forEach((_, slot) => {
      const ref = packed.textures[slot];
      if (ref && !this.#textures.has(ref.texture)) {
        this.#log.warnOnce('texture_missing', ref.texture, {
          texture: ref.texture,
          material: uuid,
        });
      }
      const view = ref ? this.#textures.view(ref.texture, ref.colorSpace) : this.#textures.white;
      const sampler = this.#sampler(samplerDescriptor(ref?.sampler));
      entries.push({ binding: 1 + slot * 2, resource: view });
      entries.push({ binding: 2 + slot * 2, resource: sampler });
    });
    return this.#gpu.device.createBindGroup({
      label: `material ${uuid ?? 'plain'}`,
      layout: this.#gpu.materialLayout,
      entries,
    });
  }

  #sampler(descriptor: GPUSamplerDescriptor): GPUSampler {
    const key = JSON.stringify(descriptor);
    let sampler = this.#samplers.get(key);
    if (!sampler) this.#samplers.set(key, (sampler = this.#gpu.device.createSampler(descriptor)));
    return sampler;
  }
}
