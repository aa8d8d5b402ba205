import { EclipticError } from '@ecliptic/core';
import type { Gpu } from '../device/gpu.js';
import type { GpuTimer } from '../device/gpu-timer.js';
import type { FrameScene } from '../scene/frame-scene.js';
import { GraphTextures } from './graph-textures.js';
import { orderPasses } from './pass-order.js';
import { PassRun } from './pass-run.js';
import type { RenderPass } from './render-pass.js';
import { TARGET, type TextureDescription } from './texture-description.js';
import { planTransients, type TransientPlan } from './transient-slots.js';

/**
 * Passes in an order that follows from what they read and write, and the textures between them. Made once for a
 * device; a frame then only runs it.
 */
export class RenderGraph {
  /** In the order they run in. */
  readonly passes: readonly RenderPass[];
  readonly plan: TransientPlan;
  readonly #textures: GraphTextures;
  readonly #runs: readonly PassRun[];
  readonly #drawn = new Set<string>();
  #target: GPUTexture | undefined;
  #targetView: GPUTextureView | undefined;

  /** @throws EclipticError as {@link orderPasses}; `render-webgpu/duplicate-texture` */
  constructor(gpu: Gpu, passes: readonly RenderPass[], timer?: GpuTimer) {
    const textures = collectTextures(passes);
    const order = orderPasses(
      passes,
      textures.map(({ name }) => name),
    );
    this.passes = order.flatMap((i) => passes[i] ?? []);
    this.plan = planTransients(this.passes, textures);
    this.#textures = new GraphTextures(gpu.device, textures, this.plan);
    this.#runs = this.passes.map((pass) => new PassRun(pass, gpu, this.#textures, timer));
  }

  /** Records a frame: every pass that is needed, in order. */
  execute(encoder: GPUCommandEncoder, scene: FrameScene, target: GPUTexture): void {
    const { width, height } = target;
    this.#textures.resize(width, height);
    this.#drawn.clear();
    const frame = {
      encoder,
      scene,
      target: this.#viewOf(target),
      width,
      height,
      drawn: this.#drawn,
    };
    for (const run of this.#runs) run.record(frame);
  }

  dispose(): void {
    for (const pass of this.passes) pass.dispose?.();
    this.#textures.dispose();
  }

  /** A target may be the same texture in each frame. */
  #viewOf(target: GPUTexture): GPUTextureView {
    if (target !== this.#target || !this.#targetView) {
      this.#target = target;
      this.#targetView = target.createView();
    }
    return this.#targetView;
  }
}

function collectTextures(passes: readonly RenderPass[]): readonly TextureDescription[] {
  const all = new Map<string, TextureDescription>();
  for (const { name: pass, textures = [] } of passes) {
    for (const texture of textures) {
      if (all.has(texture.name) || texture.name === TARGET) {
        throw new EclipticError(
          'render-webgpu/duplicate-texture',
          `Pass "${pass}" describes "${texture.name}", which is described already`,
          { subjects: { pass, texture: texture.name }, fix: 'Give it a name of its own.' },
        );
      }
      all.set(texture.name, texture);
    }
  }
  return [...all.values()];
}
