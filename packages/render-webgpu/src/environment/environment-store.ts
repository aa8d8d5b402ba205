import type { EnvironmentData } from '@ecliptic/assets';
import { TEXTURE_USAGE } from '../device/gpu-flags.js';
import { BRDF_TABLE_SIZE, brdfTable } from './brdf-table.js';

/** An environment map on a device. */
export interface StoredEnvironment {
  readonly texture: GPUTexture;
  /** The cube; its levels go from a mirror image to roughness 1. */
  readonly view: GPUTextureView;
  /** 9 spherical harmonics × RGB of what a white surface reflects. */
  readonly irradiance: Float32Array;
}

const HALF_ONE = 0x3c00;
const BYTES_PER_TEXEL = 8;
/** Where there is no environment map. */
const DARK: EnvironmentData = {
  name: 'none',
  levels: [{ size: 1, roughness: 0, faces: Uint16Array.from({ length: 24 }, black) }],
  irradiance: new Float32Array(27),
};

/** The environment maps of a device by uuid, and the table that reflections need. */
export class EnvironmentStore {
  /** A dark one. */
  readonly none: StoredEnvironment;
  readonly #device: GPUDevice;
  readonly #stored = new Map<string, StoredEnvironment>();
  #table: GPUTexture;
  #tableView: GPUTextureView;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.none = this.#make('none', DARK);
    this.#table = this.#makeTable(1, new Uint8Array(4));
    this.#tableView = this.#table.createView();
  }

  get size(): number {
    return this.#stored.size;
  }

  /** Scale and offset of F0 by cosine and roughness, see {@link brdfTable}; nothing before the first environment map. */
  get table(): GPUTextureView {
    return this.#tableView;
  }

  get(uuid: string): StoredEnvironment | undefined {
    return this.#stored.get(uuid);
  }

  add(uuid: string, environment: EnvironmentData): void {
    if (this.#table.width === 1) {
      this.#table.destroy();
      const rows = brdfTable();
      const texels = new Uint8Array(rows.length * 2);
      for (let i = 0; i < rows.length; i++) {
        texels[(i >> 1) * 4 + (i & 1)] = Math.round(Math.min(1, rows[i] ?? 0) * 255);
      }
      this.#table = this.#makeTable(BRDF_TABLE_SIZE, texels);
      this.#tableView = this.#table.createView();
    }
    this.free(uuid);
    this.#stored.set(uuid, this.#make(uuid, environment));
  }

  free(uuid: string): void {
    this.#stored.get(uuid)?.texture.destroy();
    this.#stored.delete(uuid);
  }

  dispose(): void {
    for (const { texture } of [...this.#stored.values(), this.none]) texture.destroy();
    this.#stored.clear();
    this.#table.destroy();
  }

  #make(label: string, { levels, irradiance }: EnvironmentData): StoredEnvironment {
    const side = levels[0]?.size ?? 1;
    const texture = this.#device.createTexture({
      label: `environment ${label}`,
      format: 'rgba16float',
      size: [side, side, 6],
      mipLevelCount: levels.length,
      usage: TEXTURE_USAGE.sampled | TEXTURE_USAGE.copyDestination,
    });
    levels.forEach(({ size, faces }, mipLevel) => {
      this.#device.queue.writeTexture(
        { texture, mipLevel },
        new Uint16Array(faces),
        { bytesPerRow: size * BYTES_PER_TEXEL, rowsPerImage: size },
        [size, size, 6],
      );
    });
    return { texture, view: texture.createView({ dimension: 'cube' }), irradiance };
  }

  #makeTable(size: number, texels: Uint8Array<ArrayBuffer>): GPUTexture {
    const texture = this.#device.createTexture({
      label: 'brdf table',
      format: 'rgba8unorm',
      size: [size, size],
      usage: TEXTURE_USAGE.sampled | TEXTURE_USAGE.copyDestination,
    });
    this.#device.queue.writeTexture({ texture }, texels, { bytesPerRow: size * 4 }, [size, size]);
    return texture;
  }
}

function black(_: unknown, i: number): number {
  return i % 4 === 3 ? HALF_ONE : 0;
}
