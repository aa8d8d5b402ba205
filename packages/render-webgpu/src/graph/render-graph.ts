import { EclipticError } from '@ecliptic/core';
import type { Gpu } from '../device/gpu.js';
import type { GpuTimer } from '../device/gpu-timer.js';
import type { FrameScene } from '../scene/frame-scene.js';
import { GraphTextures } from './graph-textures.js';
import { orderPasses } from './pass-order.js';
import type { PassContext, RenderPass } from './render-pass.js';
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
  readonly #gpu: Gpu;
  readonly #timer: GpuTimer | undefined;
  readonly #textures: GraphTextures;

  /** @throws EclipticError as {@link orderPasses}; `render-webgpu/duplicate-texture` */
  constructor(gpu: Gpu, passes: readonly RenderPass[], timer?: GpuTimer) {
    const textures = collectTextures(passes);
    const order = orderPasses(
      passes,
      textures.map(({ name }) => name),
    );
    this.passes = order.flatMap((i) => passes[i] ?? []);
    this.plan = planTransients(this.passes, textures);
    this.#gpu = gpu;
    this.#timer = timer;
    this.#textures = new GraphTextures(gpu.device, textures, this.plan);
  }

  /** Records a frame: every pass that is needed, in order. */
  execute(encoder: GPUCommandEncoder, scene: FrameScene, target: GPUTexture): void {
    const { width, height } = target;
    this.#textures.resize(width, height);
    const targetView = target.createView();
    const drawn = new Set<string>();
    for (const pass of this.passes) {
      const context = this.#context(pass, encoder, scene, targetView, drawn, { width, height });
      if (pass.isNeeded?.(scene) ?? true) pass.execute(context);
      for (const name of pass.writes)
        if (!drawn.has(name)) clear(context, name, this.#textures.isDepth(name));
    }
  }

  dispose(): void {
    for (const pass of this.passes) pass.dispose?.();
    this.#textures.dispose();
  }

  #context(
    pass: RenderPass,
    encoder: GPUCommandEncoder,
    scene: FrameScene,
    target: GPUTextureView,
    drawn: Set<string>,
    size: { readonly width: number; readonly height: number },
  ): PassContext {
    const textures = this.#textures;
    const timer = this.#timer;
    const view = (name: string): GPUTextureView => {
      if (!pass.reads.includes(name) && !pass.writes.includes(name)) throw undeclared(pass, name);
      return name === TARGET ? target : textures.view(name);
    };
    const load = (name: string): 'load' | 'clear' => {
      if (!pass.writes.includes(name)) throw undeclared(pass, name);
      const op = drawn.has(name) ? 'load' : 'clear';
      drawn.add(name);
      return op;
    };
    return {
      gpu: this.#gpu,
      encoder,
      scene,
      ...size,
      texturesVersion: textures.version,
      view,
      beginRenderPass(colors, depth) {
        const timestampWrites = timer?.writesFor(pass.name);
        return encoder.beginRenderPass({
          label: pass.name,
          colorAttachments: colors.map((name) => ({
            view: view(name),
            loadOp: load(name),
            storeOp: 'store',
            clearValue: [...textures.clearOf(name)],
          })),
          ...(depth === undefined
            ? {}
            : {
                depthStencilAttachment: pass.writes.includes(depth)
                  ? {
                      view: view(depth),
                      depthLoadOp: load(depth),
                      depthStoreOp: 'store',
                      depthClearValue: textures.clearOf(depth)[0],
                    }
                  : { view: view(depth), depthReadOnly: true },
              }),
          ...(timestampWrites ? { timestampWrites } : {}),
        });
      },
    };
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

/** So that a texture never shows an earlier frame. */
function clear(context: PassContext, name: string, isDepth: boolean): void {
  const pass = isDepth ? context.beginRenderPass([], name) : context.beginRenderPass([name]);
  pass.end();
}

function undeclared(pass: RenderPass, texture: string): EclipticError {
  return new EclipticError(
    'render-webgpu/undeclared-access',
    `Pass "${pass.name}" uses "${texture}" without saying so`,
    { subjects: { pass: pass.name, texture }, fix: 'Add it to its `reads` or `writes`.' },
  );
}
