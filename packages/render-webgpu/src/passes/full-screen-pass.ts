import { SHADER_STAGE } from '../device/gpu-flags.js';
import type { Gpu } from '../device/gpu.js';
import type { RenderPass } from '../graph/render-pass.js';
import type { TextureDescription } from '../graph/texture-description.js';
import type { FrameScene } from '../scene/frame-scene.js';
import { FRAME_WGSL } from '../shaders/frame.wgsl.js';
import { FULL_SCREEN_WGSL } from '../shaders/full-screen.wgsl.js';
import { DEPTH_FORMAT, FRAME_TEXTURES } from './frame-textures.js';

/** Pipelines of a {@link fullScreenPass} that differ by what a frame is like: one a key, made when it first comes up. */
export interface Specialization {
  /** What the frame is like; a small whole number. */
  key(scene: FrameScene): number;
  /** Overrides of the code for a key, besides the others. */
  constants(key: number): Record<string, number>;
}

/** What a {@link fullScreenPass} does. */
export interface FullScreenPassOptions {
  readonly name: string;
  /** Textures that it samples: bindings 0, 1, … of group 1. A name that ends in `depth` is a depth texture. */
  readonly reads?: readonly string[];
  /** A sampler after the textures. */
  readonly sampler?: 'linear' | 'comparison';
  /** The texture that it draws to. */
  readonly writes: string;
  /** Format of that texture; default: the target's. */
  readonly format?: GPUTextureFormat;
  /** WGSL after `FRAME_WGSL` and `FULL_SCREEN_WGSL`. */
  readonly code: string;
  /** Entry point of its fragment shader, which gets a `FullScreen`. */
  readonly fragment: string;
  readonly constants?: Record<string, number>;
  readonly specialized?: Specialization;
  /** How it meets what is there; default: it replaces it. */
  readonly blend?: GPUBlendState;
  /**
   * Where it draws: on what meshes cover, or where nothing is. The depth test of the device decides, which passes other pixels over
   * without running the shader. The frame's depth has to be among `reads`, and the pass as large. Default: everywhere.
   */
  readonly on?: 'surfaces' | 'background';
  readonly textures?: readonly TextureDescription[];
  readonly isNeeded?: (scene: FrameScene) => boolean;
}

/** Adds to what is there. */
export const ADDITIVE: GPUBlendState = {
  color: { srcFactor: 'one', dstFactor: 'one' },
  alpha: { srcFactor: 'one', dstFactor: 'one' },
};
/** Covers what is there by its alpha; colours are premultiplied. */
export const PREMULTIPLIED: GPUBlendState = {
  color: { srcFactor: 'one', dstFactor: 'one-minus-src-alpha' },
  alpha: { srcFactor: 'one', dstFactor: 'one-minus-src-alpha' },
};

/** Against the triangle's depth of 0, which is infinitely far: nearer things have more. */
const COVERED: Record<'surfaces' | 'background', GPUCompareFunction> = {
  surfaces: 'less',
  background: 'equal',
};

/** A pass that runs a fragment shader over its whole texture, or a part of it. */
export function fullScreenPass(gpu: Gpu, options: FullScreenPassOptions): RenderPass {
  const { name, reads = [], writes, on, textures = [], specialized, isNeeded } = options;
  const { device } = gpu;
  const inputLayout = inputsLayout(device, options);
  const makePipeline = pipelineMaker(gpu, options, inputLayout);
  // Made when the pass first runs: what a device never draws with it needn't compile.
  const pipelines: (GPURenderPipeline | undefined)[] = [];
  const sampler =
    options.sampler === 'comparison'
      ? device.createSampler({ compare: 'greater-equal', minFilter: 'linear', magFilter: 'linear' })
      : device.createSampler({ minFilter: 'linear', magFilter: 'linear' });
  let inputs: GPUBindGroup | undefined;
  let inputsVersion = -1;
  return {
    name,
    reads,
    writes: [writes],
    textures,
    ...(isNeeded ? { isNeeded } : {}),
    execute({ beginRenderPass, view, scene, texturesVersion }) {
      if (!inputs || inputsVersion !== texturesVersion) {
        inputsVersion = texturesVersion;
        const entries = reads.map((texture, binding): GPUBindGroupEntry => {
          return { binding, resource: view(texture) };
        });
        if (options.sampler) entries.push({ binding: reads.length, resource: sampler });
        inputs = device.createBindGroup({ label: name, layout: inputLayout, entries });
      }
      const key = specialized?.key(scene) ?? 0;
      const pipeline = (pipelines[key] ??= makePipeline(specialized?.constants(key) ?? {}));
      const pass = beginRenderPass([writes], on && FRAME_TEXTURES.depth);
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, scene.bindGroup);
      pass.setBindGroup(1, inputs);
      pass.draw(3);
      pass.end();
      scene.drawCalls++;
    },
  };
}

function inputsLayout(device: GPUDevice, options: FullScreenPassOptions): GPUBindGroupLayout {
  const { name, reads = [], sampler } = options;
  const entries = reads.map((texture, binding): GPUBindGroupLayoutEntry => {
    const sampleType = texture.endsWith('depth') ? 'depth' : 'float';
    return { binding, visibility: SHADER_STAGE.fragment, texture: { sampleType } };
  });
  if (sampler) {
    const type = sampler === 'comparison' ? 'comparison' : 'filtering';
    entries.push({ binding: reads.length, visibility: SHADER_STAGE.fragment, sampler: { type } });
  }
  return device.createBindGroupLayout({ label: name, entries });
}

function pipelineMaker(
  { device, frameLayout, targetFormat }: Gpu,
  options: FullScreenPassOptions,
  inputs: GPUBindGroupLayout,
): (constants: Record<string, number>) => GPURenderPipeline {
  const { name, code, fragment, constants = {}, blend, on, format = targetFormat } = options;
  let module: GPUShaderModule | undefined;
  const layout = device.createPipelineLayout({ bindGroupLayouts: [frameLayout, inputs] });
  const depthStencil: GPUDepthStencilState | undefined = on && {
    format: DEPTH_FORMAT,
    depthWriteEnabled: false,
    depthCompare: COVERED[on],
  };
  return (special) => {
    module ??= device.createShaderModule({
      label: name,
      code: FRAME_WGSL + FULL_SCREEN_WGSL + code,
    });
    return device.createRenderPipeline({
      label: name,
      layout,
      vertex: { module, entryPoint: 'fullScreen' },
      fragment: {
        module,
        entryPoint: fragment,
        constants: { ...constants, ...special },
        targets: [{ format, ...(blend ? { blend } : {}) }],
      },
      ...(depthStencil ? { depthStencil } : {}),
    });
  };
}
