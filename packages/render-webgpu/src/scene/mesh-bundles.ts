import type { GeometryPool } from '../geometry/geometry-pool.js';
import type { MaterialStore } from '../materials/material-store.js';
import type { DeformedVertices } from './deformed-vertices.js';
import type { DrawList } from './draw-list.js';
import type { InstanceBuckets } from './instance-buckets.js';
import type { MeshPipelines } from './mesh-pipelines.js';

/** What a recorded bundle was recorded with: any of these being another one means recording again. */
type Ingredients = readonly unknown[];

/** A bundle, and how many draws it has. */
export interface RecordedDraws {
  readonly bundle: GPURenderBundle;
  readonly draws: number;
}

/**
 * The draws of all buckets, recorded once and played in each frame: which instances are seen is in the buffers of the draw list,
 * so a bundle is good until a bucket, a material's textures or a buffer is another one.
 */
export class MeshBundles {
  readonly #device: GPUDevice;
  readonly #pool: GeometryPool;
  readonly #materials: MaterialStore;
  readonly #deformed: DeformedVertices;
  readonly #recorded = new Map<MeshPipelines, RecordedDraws & { readonly from: Ingredients }>();

  constructor(
    device: GPUDevice,
    pool: GeometryPool,
    materials: MaterialStore,
    deformed: DeformedVertices,
  ) {
    this.#device = device;
    this.#pool = pool;
    this.#materials = materials;
    this.#deformed = deformed;
  }

  /** @param frame - group 0 */
  get(
    pipelines: MeshPipelines,
    { buckets }: InstanceBuckets,
    list: DrawList,
    frame: GPUBindGroup,
  ): RecordedDraws {
    const { vertexBuffer, indexBuffer } = this.#pool;
    const from = [
      buckets,
      frame,
      vertexBuffer,
      indexBuffer,
      this.#deformed.buffer,
      ...list.buffers,
      this.#materials.version,
    ];
    const known = this.#recorded.get(pipelines);
    if (known?.from.every((ingredient, i) => ingredient === from[i])) return known;
    const recorded = { ...this.#record(pipelines, buckets, list, frame), from };
    this.#recorded.set(pipelines, recorded);
    return recorded;
  }

  #record(
    pipelines: MeshPipelines,
    buckets: InstanceBuckets['buckets'],
    list: DrawList,
    frame: GPUBindGroup,
  ): RecordedDraws {
    const encoder = this.#device.createRenderBundleEncoder(pipelines.bundleFormat);
    encoder.setBindGroup(0, frame);
    encoder.setIndexBuffer(this.#pool.indexBuffer, 'uint32');
    let variant = -1;
    let group: GPUBindGroup | undefined;
    let vertices: GPUBuffer | undefined;
    let draws = 0;
    for (const bucket of buckets) {
      if (!pipelines.draws(bucket.variant)) continue;
      if (bucket.variant !== variant) {
        variant = bucket.variant;
        group = undefined;
        encoder.setPipeline(pipelines.get(variant));
      }
      if (pipelines.usesMaterial(variant)) {
        const wanted = this.#materials.group(bucket.material);
        if (wanted !== group) encoder.setBindGroup(1, (group = wanted));
      }
      const source = bucket.deformed ? this.#deformed.buffer : this.#pool.vertexBuffer;
      if (source !== vertices) encoder.setVertexBuffer(0, (vertices = source));
      draws += list.draw(encoder, bucket);
    }
    return { bundle: encoder.finish(), draws };
  }
}
