import { EclipticError } from '@ecliptic/core';
import type { Gpu } from '../device/gpu.js';
import type { GpuTimer } from '../device/gpu-timer.js';
import type { FrameScene } from '../scene/frame-scene.js';
import type { GraphTextures } from './graph-textures.js';
import type { PassContext, RenderPass } from './render-pass.js';
import { TARGET } from './texture-description.js';

/** A frame that is being recorded. */
export interface RecordedFrame {
  readonly encoder: GPUCommandEncoder;
  readonly scene: FrameScene;
  readonly target: GPUTextureView;
  readonly width: number;
  readonly height: number;
  /** Names of the textures that were drawn to. */
  readonly drawn: Set<string>;
}

/** What one pass of a graph sees; made once, and given a frame at a time. */
export class PassRun implements PassContext {
  readonly pass: RenderPass;
  readonly gpu: Gpu;
  readonly view: PassContext['view'];
  readonly beginRenderPass: PassContext['beginRenderPass'];
  readonly #textures: GraphTextures;
  readonly #timer: GpuTimer | undefined;
  readonly #known: ReadonlySet<string>;
  readonly #written: ReadonlySet<string>;
  #frame: RecordedFrame | undefined;

  constructor(pass: RenderPass, gpu: Gpu, textures: GraphTextures, timer?: GpuTimer) {
    this.pass = pass;
    this.gpu = gpu;
    this.#textures = textures;
    this.#timer = timer;
    this.#known = new Set([...pass.reads, ...pass.writes]);
    this.#written = new Set(pass.writes);
    // Passes take these apart from the context.
    this.view = (name) => this.#view(name);
    this.beginRenderPass = (colors, depth) => this.#begin(colors, depth);
  }

  get encoder(): GPUCommandEncoder {
    return this.#recorded.encoder;
  }

  get scene(): FrameScene {
    return this.#recorded.scene;
  }

  get width(): number {
    return this.#recorded.width;
  }

  get height(): number {
    return this.#recorded.height;
  }

  get texturesVersion(): number {
    return this.#textures.version;
  }

  /** Records the pass if it is needed; then clears what it would have drawn to first, unless that is clear already. */
  record(frame: RecordedFrame): void {
    this.#frame = frame;
    const { pass } = this;
    if (pass.isNeeded?.(frame.scene) ?? true) pass.execute(this);
    for (const name of pass.writes) {
      if (!frame.drawn.has(name) && !this.#textures.isClear(name)) this.#clear(name);
    }
    this.#frame = undefined;
  }

  get #recorded(): RecordedFrame {
    if (this.#frame) return this.#frame;
    throw new EclipticError(
      'render-webgpu/pass-over',
      `Pass "${this.pass.name}" used its context outside of execute()`,
      { subjects: { pass: this.pass.name }, fix: 'Keep nothing of the context.' },
    );
  }

  #view(name: string): GPUTextureView {
    if (!this.#known.has(name)) throw undeclared(this.pass, name);
    return name === TARGET ? this.#recorded.target : this.#textures.view(name);
  }

  #load(name: string): 'load' | 'clear' {
    if (!this.#written.has(name)) throw undeclared(this.pass, name);
    const { drawn } = this.#recorded;
    if (drawn.has(name)) return 'load';
    drawn.add(name);
    return 'clear';
  }

  #begin(colors: readonly string[], depth: string | undefined): GPURenderPassEncoder {
    for (const name of colors) this.#textures.markDrawn(name);
    const timestampWrites = this.#timer?.writesFor(this.pass.name);
    return this.encoder.beginRenderPass({
      label: this.pass.name,
      colorAttachments: colors.map((name) => ({
        view: this.#view(name),
        loadOp: this.#load(name),
        storeOp: 'store',
        clearValue: this.#textures.clearOf(name),
      })),
      ...(depth === undefined ? {} : { depthStencilAttachment: this.#depth(depth) }),
      ...(timestampWrites ? { timestampWrites } : {}),
    });
  }

  #depth(name: string): GPURenderPassDepthStencilAttachment {
    if (!this.#written.has(name)) return { view: this.#view(name), depthReadOnly: true };
    this.#textures.markDrawn(name);
    return {
      view: this.#view(name),
      depthLoadOp: this.#load(name),
      depthStoreOp: 'store',
      depthClearValue: this.#textures.clearOf(name)[0],
    };
  }

  /** So that a texture never shows an earlier frame. */
  #clear(name: string): void {
    const isDepth = this.#textures.isDepth(name);
    const pass = isDepth ? this.beginRenderPass([], name) : this.beginRenderPass([name]);
    pass.end();
    this.#textures.markClear(name);
  }
}

function undeclared(pass: RenderPass, texture: string): EclipticError {
  return new EclipticError(
    'render-webgpu/undeclared-access',
    `Pass "${pass.name}" uses "${texture}" without saying so`,
    { subjects: { pass: pass.name, texture }, fix: 'Add it to its `reads` or `writes`.' },
  );
}
