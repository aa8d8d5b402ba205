import type { Gpu } from '../device/gpu.js';
import { VERTEX_LAYOUT } from '../geometry/pack-mesh.js';
import { INSTANCE_LAYOUT } from './draw-list.js';
import { decodeVariant, type MeshVariant } from './mesh-variant.js';

/** What a pass wants of the pipelines that draw its meshes. */
export interface MeshPipelineOptions {
  readonly label: string;
  readonly code: string;
  /** Entry point for a variant. */
  readonly vertex: (variant: MeshVariant) => string;
  /** Entry point for a variant; `undefined` draws depth alone. */
  readonly fragment: (variant: MeshVariant) => string | undefined;
  readonly colors: readonly GPUTextureFormat[];
  readonly depth: GPUDepthStencilState;
  readonly constants?: Record<string, number>;
  /** How colours meet what is there; default: they replace it. */
  readonly blend?: GPUBlendState;
  /** Layout of group 2, if it has one; group 0 is the frame, 1 the material. */
  readonly inputs?: GPUBindGroupLayout;
  /** Which variants it draws. Default: all. */
  readonly draws?: (variant: MeshVariant) => boolean;
}

const TOPOLOGY = { points: 'point-list', lines: 'line-list', triangles: 'triangle-list' } as const;

/** The pipelines of one pass that draws meshes: one a variant, made when it is first needed. */
export class MeshPipelines {
  readonly #gpu: Gpu;
  readonly #options: MeshPipelineOptions;
  #module: GPUShaderModule | undefined;
  readonly #made: (GPURenderPipeline | undefined)[] = [];

  constructor(gpu: Gpu, options: MeshPipelineOptions) {
    this.#gpu = gpu;
    this.#options = options;
  }

  /** What its passes draw to. */
  get bundleFormat(): GPURenderBundleEncoderDescriptor {
    const { label, colors, depth } = this.#options;
    return {
      label,
      colorFormats: [...colors],
      depthStencilFormat: depth.format,
      // Else it could not be played where depth is only tested against.
      depthReadOnly: depth.depthWriteEnabled !== true,
    };
  }

  get(variant: number): GPURenderPipeline {
    return (this.#made[variant] ??= this.#make(decodeVariant(variant)));
  }

  /** Whether it draws a variant at all. */
  draws(variant: number): boolean {
    return this.#options.draws?.(decodeVariant(variant)) ?? true;
  }

  /** Whether a variant's pipeline has the material as group 1. */
  usesMaterial(variant: number): boolean {
    return this.#options.fragment(decodeVariant(variant)) !== undefined;
  }

  #make(variant: MeshVariant): GPURenderPipeline {
    const { device, frameLayout, materialLayout } = this.#gpu;
    const { label, code, colors, depth, constants = {}, blend, inputs } = this.#options;
    const entryPoint = this.#options.fragment(variant);
    const module = (this.#module ??= device.createShaderModule({ label, code }));
    const isSurface = variant.topology === 'triangles';
    const layouts = [frameLayout];
    if (entryPoint !== undefined) layouts.push(materialLayout);
    if (inputs) layouts.push(inputs);
    const targets = colors.map((format) => (blend ? { format, blend } : { format }));
    return device.createRenderPipeline({
      label: `${label} ${JSON.stringify(variant)}`,
      layout: device.createPipelineLayout({ bindGroupLayouts: layouts }),
      vertex: {
        module,
        entryPoint: this.#options.vertex(variant),
        constants,
        buffers: [VERTEX_LAYOUT, INSTANCE_LAYOUT],
      },
      ...(entryPoint === undefined ? {} : { fragment: { module, entryPoint, targets } }),
      primitive: {
        topology: TOPOLOGY[variant.topology],
        cullMode: isSurface && !variant.doubleSided ? 'back' : 'none',
        frontFace: variant.mirrored ? 'cw' : 'ccw',
      },
      depthStencil: depth,
    });
  }
}
