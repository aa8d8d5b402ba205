import type { GeometryPool } from '../geometry/geometry-pool.js';
import type { MaterialStore } from '../materials/material-store.js';
import type { DrawList } from './draw-list.js';
import type { InstanceBuckets } from './instance-buckets.js';
import type { MeshPipelines } from './mesh-pipelines.js';

/** What a recorded bundle was recorded with: any of these being another one means recording again. */
type Ingredients = readonly unknown[];

/**
 * The draws of all buckets, recorded once and played in each frame: which instances are seen is in the buffers of the draw list,
 * so a bundle is good until a bucket, a material's textures or a buffer is another one.
 */
export class MeshBundles {
  readonly #device: GPUDevice;
  readonly #pool: GeometryPool;
  readonly #materials: MaterialStore;
  readonly #recorded = new Map<
    MeshPipelines,
    { readonly bundle: GPURenderBundle; readonly from: Ingredients }
  >();

  constructor(device: GPUDevice, pool: GeometryPool, materials: MaterialStore) {
    this.#device = device;
    this.#pool = pool;
    this.#materials = materials;
  }

  /** @param frame - group 0 */
  get(
    pipelines: MeshPipelines,
    { buckets }: InstanceBuckets,
    list: DrawList,
    frame: GPUBindGroup,
  ): GPURenderBundle {
    const { vertexBuffer, indexBuffer } = this.#pool;
    const from = [
      buckets,
      frame,
      vertexBuffer,
      indexBuffer,
      ...list.buffers,
      this.#materials.version,
    ];
    const known = this.#recorded.get(pipelines);
    if (known?.from.every((ingredient, i) => ingredient === from[i])) return known.bundle;
    const bundle = this.#record(pipelines, buckets, list, frame);
    this.#recorded.set(pipelines, { bundle, from });
    return bundle;
  }

  #record(
    pipelines: MeshPipelines,
    buckets: InstanceBuckets['buckets'],
    list: DrawList,
    frame: GPUBindGroup,
  ): GPURenderBundle {
    const encoder = this.#device.createRenderBundleEncoder(pipelines.bundleFormat);
    encoder.setBindGroup(0, frame);
    encoder.setVertexBuffer(0, this.#pool.vertexBuffer);
    encoder.setIndexBuffer(this.#pool.indexBuffer, 'uint32');
    let variant = -1;
    let group: GPUBindGroup | undefined;
    buckets.forEach((bucket, b) => {
      if (bucket.variant !== variant) {
        variant = bucket.variant;
        group = undefined;
        encoder.setPipeline(pipelines.get(variant));
      }
      if (pipelines.usesMaterial(variant)) {
        const wanted = this.#materials.group(bucket.material);
        if (wanted !== group) encoder.setBindGroup(1, (group = wanted));
      }
      list.draw(encoder, b, bucket.start);
    });
    return encoder.finish();
  }
}
