import type { EventLog } from '@ecliptic/core';
import { AFFINE_FLOATS, DEFORM_INTS, type RenderView } from '@ecliptic/render-sync';
import { BUFFER_USAGE, SHADER_STAGE } from '../device/gpu-flags.js';
import type { GpuTimer } from '../device/gpu-timer.js';
import type { GeometryPool } from '../geometry/geometry-pool.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';
import { morphReach, type PackedDeform } from '../geometry/pack-deform.js';
import { VERTEX_BYTES, type PackedMesh } from '../geometry/pack-mesh.js';
import { DEFORM_WGSL } from '../shaders/deform.wgsl.js';
import { DeformSources } from './deform-sources.js';
import { deformedSphere } from './deformed-bounds.js';
import { SPHERE_FLOATS } from './world-spheres.js';

/** Bytes between the parameters of two instances: where every device lets a uniform buffer be bound. */
const PARAMETER_STRIDE = 256;
/** Members of `Deform` in `DEFORM_WGSL`. */
const PARAMETER_BYTES = 24;
const WORKGROUP_SIZE = 64;
const IDENTITY_ROWS = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** An instance that is bent. */
export interface DeformedInstance {
  readonly instance: number;
  readonly mesh: PackedMesh;
  readonly deform: PackedDeform;
  readonly vertexCount: number;
  /** Among all deformed vertices. */
  readonly firstVertex: number;
  /** Whether joints place its vertices in the world, and its own transform doesn't. */
  readonly isSkinned: boolean;
  readonly firstJoint: number;
  readonly jointCount: number;
  /** In the view; none of them: the mesh's own hold. */
  readonly viewWeight: number;
  readonly weightCount: number;
  /** On the device, where it has one a target. */
  readonly firstWeight: number;
}

/**
 * Vertices of instances with a skeleton or morph weights: computed once in each frame in which they are seen, and drawn by every pass
 * like those of a rigid mesh. 60 bytes a vertex of each instance. As long as nothing is bent it holds nothing and does nothing.
 */
export class DeformedVertices {
  /** Whether an instance is placed by joints. */
  hasSkinned = false;
  readonly #device: GPUDevice;
  readonly #log: EventLog;
  readonly #sources: DeformSources;
  readonly #layout: GPUBindGroupLayout;
  readonly #vertices: GrowingBuffer;
  readonly #joints: GrowingBuffer;
  readonly #weights: GrowingBuffer;
  readonly #parameters: GrowingBuffer;
  readonly #instances = new Map<number, DeformedInstance>();
  #jointStaging: Float32Array<ArrayBuffer> = new Float32Array(0);
  #weightStaging: Float32Array<ArrayBuffer> = new Float32Array(0);
  #pipeline: GPUComputePipeline | undefined;
  #group: GPUBindGroup | undefined;

  constructor(device: GPUDevice, log: EventLog) {
    const { storage, uniform, vertex } = BUFFER_USAGE;
    this.#device = device;
    this.#log = log;
    this.#sources = new DeformSources(device);
    this.#vertices = new GrowingBuffer(device, 'deformed vertices', vertex | storage, 16);
    this.#joints = new GrowingBuffer(device, 'joints', storage, AFFINE_FLOATS * 4);
    this.#weights = new GrowingBuffer(device, 'morph weights', storage, 16);
    this.#parameters = new GrowingBuffer(device, 'deforms', uniform, PARAMETER_STRIDE);
    const visibility = SHADER_STAGE.compute;
    const read = { type: 'read-only-storage' } as const;
    this.#layout = device.createBindGroupLayout({
      label: 'deform',
      entries: [
        {
          binding: 0,
          visibility,
          buffer: { type: 'uniform', hasDynamicOffset: true, minBindingSize: PARAMETER_BYTES },
        },
        { binding: 1, visibility, buffer: read },
        { binding: 2, visibility, buffer: read },
        { binding: 3, visibility, buffer: { type: 'storage' } },
      ],
    });
  }

  /** A vertex buffer, as the pool's. */
  get buffer(): GPUBuffer {
    return this.#vertices.buffer;
  }

  /** How many instances are bent. */
  get count(): number {
    return this.#instances.size;
  }

  /** How an instance is bent; `undefined` for a rigid one. */
  of(instance: number): DeformedInstance | undefined {
    return this.#instances.get(instance);
  }

  /**
   * Makes room for what a view bends; when its records or deforms changed. What is too large for one binding of the device is
   * rigid, and reported once (`mesh_too_large_to_bend`).
   */
  arrange({ deforms, deformCount, records }: RenderView, pool: GeometryPool): void {
    this.#instances.clear();
    this.hasSkinned = false;
    let vertices = 0;
    let weights = 0;
    const limit = this.#device.limits.maxStorageBufferBindingSize;
    for (let at = 0; at < deformCount * DEFORM_INTS; at += DEFORM_INTS) {
      const instance = deforms[at] as number;
      const meshUuid = records[instance]?.meshUuid ?? '';
      const mesh = pool.get(meshUuid)?.mesh;
      const deform = mesh?.deform;
      const isSkinned = (deforms[at + 2] as number) > 0;
      if (!deform || (deform.targetCount === 0 && !isSkinned)) continue;
      const vertexCount = (deform.rest.length * 4) / VERTEX_BYTES;
      const bytes = Math.max(
        (vertices + vertexCount) * VERTEX_BYTES,
        deform.deltas.byteLength,
        deform.influences.byteLength,
      );
      if (bytes > limit) {
        this.#log.warnOnce('mesh_too_large_to_bend', meshUuid, { mesh: meshUuid, bytes, limit });
        continue;
      }
      this.#instances.set(instance, {
        instance,
        mesh,
        deform,
        vertexCount,
        firstVertex: vertices,
        isSkinned,
        firstJoint: deforms[at + 1] as number,
        jointCount: deforms[at + 2] as number,
        viewWeight: deforms[at + 3] as number,
        weightCount: deforms[at + 4] as number,
        firstWeight: weights,
      });
      this.hasSkinned ||= isSkinned;
      vertices += vertexCount;
      weights += deform.targetCount;
    }
    this.#sources.keep(new Set([...this.#instances.values()].map(({ deform }) => deform)));
    const replaced = [
      this.#vertices.reserve(vertices * VERTEX_BYTES),
      this.#weights.reserve(weights * 4),
      this.#parameters.reserve(this.count * PARAMETER_STRIDE),
    ];
    if (replaced.includes(true)) this.#group = undefined;
    this.#weightStaging = new Float32Array(weights);
    this.#writeParameters();
  }

  /** Takes over joints and weights, and puts the spheres of what is bent around all that it can reach. */
  update({ joints, morphWeights, transforms, state }: RenderView, spheres: Float32Array): void {
    if (this.count === 0) return;
    const staging = this.#weightStaging;
    for (const bent of this.#instances.values()) {
      const { deform, mesh, instance, isSkinned, firstWeight, viewWeight, weightCount } = bent;
      const { targetCount, ownWeights } = deform;
      for (let i = 0; i < targetCount; i++) {
        const given = i < weightCount ? (morphWeights[viewWeight + i] as number) : 0;
        staging[firstWeight + i] = weightCount === 0 ? (ownWeights[i] as number) : given;
      }
      const reach = targetCount === 0 ? 0 : morphReach(deform, staging, firstWeight);
      const at = instance * SPHERE_FLOATS;
      if (isSkinned) {
        deformedSphere(spheres, at, mesh, reach, joints, bent.firstJoint, bent.jointCount);
      } else deformedSphere(spheres, at, mesh, reach, transforms, instance, 1);
    }
    this.#weights.write(0, staging);
    const floats = state.jointCount * AFFINE_FLOATS;
    if (this.#jointStaging.length < floats) this.#jointStaging = new Float32Array(floats * 2);
    this.#jointStaging.set(joints.subarray(0, floats));
    if (this.#joints.reserve(floats * 4)) this.#group = undefined;
    this.#joints.write(0, this.#jointStaging, floats);
  }

  /** Undoes the transforms of skinned instances: their vertices are in the world already. */
  placeSkinned(rows: Float32Array): void {
    for (const { instance, isSkinned } of this.#instances.values()) {
      if (isSkinned) rows.set(IDENTITY_ROWS, instance * AFFINE_FLOATS);
    }
  }

  /**
   * Records the computation of what is seen.
   *
   * @param byCamera - 1 or 0 an instance
   * @param byLight - of the light that casts shadows, the same
   */
  record(
    encoder: GPUCommandEncoder,
    timer: GpuTimer | undefined,
    byCamera: Uint8Array | undefined,
    byLight: Uint8Array | undefined,
  ): void {
    if (this.count === 0) return;
    const timestampWrites = timer?.writesFor('deform');
    const pass = encoder.beginComputePass({
      label: 'deform',
      ...(timestampWrites ? { timestampWrites } : {}),
    });
    pass.setPipeline((this.#pipeline ??= this.#makePipeline()));
    const group = (this.#group ??= this.#makeGroup());
    let offset = -PARAMETER_STRIDE;
    for (const { instance, deform, vertexCount } of this.#instances.values()) {
      offset += PARAMETER_STRIDE;
      if (byCamera?.[instance] !== 1 && byLight?.[instance] !== 1) continue;
      pass.setBindGroup(0, group, [offset]);
      pass.setBindGroup(1, this.#sources.get(deform));
      pass.dispatchWorkgroups(Math.ceil(vertexCount / WORKGROUP_SIZE));
    }
    pass.end();
  }

  dispose(): void {
    this.#sources.dispose();
    for (const buffer of [this.#vertices, this.#joints, this.#weights, this.#parameters]) {
      buffer.dispose();
    }
  }

  #writeParameters(): void {
    const words = new Uint32Array((this.count * PARAMETER_STRIDE) / 4);
    let at = 0;
    for (const bent of this.#instances.values()) {
      const { vertexCount, firstVertex, firstJoint, isSkinned, deform, firstWeight } = bent;
      const influences = isSkinned ? deform.influenceCount : 0;
      const { targetCount } = deform;
      words.set([vertexCount, firstVertex, firstJoint, influences, firstWeight, targetCount], at);
      at += PARAMETER_STRIDE / 4;
    }
    this.#parameters.write(0, words);
  }

  #makePipeline(): GPUComputePipeline {
    const device = this.#device;
    return device.createComputePipeline({
      label: 'deform',
      layout: device.createPipelineLayout({
        bindGroupLayouts: [this.#layout, this.#sources.layout],
      }),
      compute: {
        module: device.createShaderModule({ label: 'deform', code: DEFORM_WGSL }),
        entryPoint: 'deformVertices',
      },
    });
  }

  #makeGroup(): GPUBindGroup {
    const parameters = { buffer: this.#parameters.buffer, size: PARAMETER_BYTES };
    return this.#device.createBindGroup({
      label: 'deform',
      layout: this.#layout,
      entries: [
        { binding: 0, resource: parameters },
        { binding: 1, resource: { buffer: this.#joints.buffer } },
        { binding: 2, resource: { buffer: this.#weights.buffer } },
        { binding: 3, resource: { buffer: this.#vertices.buffer } },
      ],
    });
  }
}
