import { EclipticError } from '@ecliptic/core';
import { TEXTURE_USAGE } from '../device/gpu-flags.js';
import type { TextureDescription } from './texture-description.js';
import type { TransientPlan } from './transient-slots.js';

/** As devices take it. */
type Color = [number, number, number, number];

const BLACK: Color = [0, 0, 0, 0];

interface MadeTexture {
  readonly texture: GPUTexture;
  readonly view: GPUTextureView;
  /** What it was cleared to, if nothing was drawn to it since. */
  clearedTo: Color | undefined;
}

/** The textures of a render graph on a device; made anew when the target's size changes. */
export class GraphTextures {
  /** Grows when textures were made anew. */
  version = 0;
  readonly #device: GPUDevice;
  readonly #plan: TransientPlan;
  readonly #byName: ReadonlyMap<string, TextureDescription>;
  readonly #clears: ReadonlyMap<string, Color>;
  #made: MadeTexture[] = [];
  #width = 0;
  #height = 0;

  constructor(device: GPUDevice, textures: readonly TextureDescription[], plan: TransientPlan) {
    this.#device = device;
    this.#plan = plan;
    this.#byName = new Map(textures.map((texture) => [texture.name, texture]));
    this.#clears = new Map(textures.map(({ name, clear = BLACK }) => [name, [...clear]]));
  }

  resize(width: number, height: number): void {
    if (width === this.#width && height === this.#height) return;
    this.dispose();
    this.#width = width;
    this.#height = height;
    this.#made = this.#plan.slots.map(({ like, names }) => {
      const { format, scale = 1, size } = like;
      const texture = this.#device.createTexture({
        label: names.join(' / '),
        format,
        size: [
          size ?? Math.max(1, Math.round(width * scale)),
          size ?? Math.max(1, Math.round(height * scale)),
        ],
        usage: TEXTURE_USAGE.attachment | TEXTURE_USAGE.sampled | TEXTURE_USAGE.copySource,
      });
      return { texture, view: texture.createView(), clearedTo: undefined };
    });
    this.version++;
  }

  view(name: string): GPUTextureView {
    const made = this.#slot(name);
    if (made) return made.view;
    throw new EclipticError('render-webgpu/unknown-texture', `There is no texture "${name}"`, {
      subjects: { texture: name },
      fix: 'Describe it in the `textures` of a pass.',
    });
  }

  clearOf(name: string): Color {
    return this.#clears.get(name) ?? BLACK;
  }

  /** Whether nothing was drawn to it since it was cleared. */
  isClear(name: string): boolean {
    const held = this.#slot(name)?.clearedTo;
    const wanted = this.clearOf(name);
    return held !== undefined && wanted.every((value, i) => value === held[i]);
  }

  markClear(name: string): void {
    const slot = this.#slot(name);
    if (slot) slot.clearedTo = this.clearOf(name);
  }

  markDrawn(name: string): void {
    const slot = this.#slot(name);
    if (slot) slot.clearedTo = undefined;
  }

  isDepth(name: string): boolean {
    return this.#byName.get(name)?.format.startsWith('depth') ?? false;
  }

  dispose(): void {
    for (const { texture } of this.#made) texture.destroy();
    this.#made = [];
    this.#width = this.#height = 0;
  }

  #slot(name: string): MadeTexture | undefined {
    return this.#made[this.#plan.slotOf.get(name) ?? -1];
  }
}
