import { AFFINE_FLOATS, type InstanceRecord, type RenderView } from '@ecliptic/render-sync';
import { BUFFER_USAGE } from '../device/gpu-flags.js';
import type { GeometryPool } from '../geometry/geometry-pool.js';
import type { PackedLevel } from '../geometry/pack-mesh.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';
import type { MaterialStore } from '../materials/material-store.js';
import type { DeformedVertices } from './deformed-vertices.js';
import { InstanceBuckets, type DrawPart } from './instance-buckets.js';
import { encodeVariant } from './mesh-variant.js';
import { WorldSpheres } from './world-spheres.js';

const NOWHERE = { center: [0, 0, 0], radius: 0 } as const;

/** The instances of a frame: where they are, on the device, and sorted by what they are drawn with. */
export class MeshInstances {
  readonly buckets: InstanceBuckets = new InstanceBuckets();
  readonly spheres: WorldSpheres = new WorldSpheres();
  count = 0;
  /** Id of each, in the simulation. */
  ids: Uint32Array = new Uint32Array(0);
  /** How often they were sorted. */
  sorts = 0;
  readonly #pool: GeometryPool;
  readonly #materials: MaterialStore;
  readonly #deformed: DeformedVertices;
  readonly #rows: GrowingBuffer;
  #staging: Float32Array<ArrayBuffer> = new Float32Array(0);
  #recordsSeen = -1;
  #deformsSeen = -1;

  constructor(
    device: GPUDevice,
    pool: GeometryPool,
    materials: MaterialStore,
    deformed: DeformedVertices,
  ) {
    this.#pool = pool;
    this.#materials = materials;
    this.#deformed = deformed;
    this.#rows = new GrowingBuffer(
      device,
      'transforms',
      BUFFER_USAGE.storage,
      AFFINE_FLOATS * 4 * 64,
    );
  }

  get buffer(): GPUBuffer {
    return this.#rows.buffer;
  }

  /** @returns whether the buffer is another one now */
  update(view: RenderView): boolean {
    const { transforms, instanceCount, recordsVersion, deformsVersion } = view;
    this.count = instanceCount;
    if (recordsVersion !== this.#recordsSeen || deformsVersion !== this.#deformsSeen) {
      this.#recordsSeen = recordsVersion;
      this.#deformsSeen = deformsVersion;
      this.#deformed.arrange(view, this.#pool);
      this.#sort(view);
    }
    this.spheres.update(transforms, instanceCount);
    this.#deformed.update(view, this.spheres.spheres);
    const floats = instanceCount * AFFINE_FLOATS;
    const replaced = this.#rows.reserve(floats * 4);
    this.#rows.write(0, this.#owned(transforms, floats), floats);
    return replaced;
  }

  dispose(): void {
    this.#rows.dispose();
  }

  /** Memory of our own where another thread could write to the view's while it is uploaded, or skinned instances are placed. */
  #owned(rows: Float32Array, floats: number): Float32Array<ArrayBuffer> {
    const { hasSkinned } = this.#deformed;
    if (rows.buffer instanceof ArrayBuffer && !hasSkinned) return rows as Float32Array<ArrayBuffer>;
    if (this.#staging.length < floats) this.#staging = new Float32Array(Math.ceil(floats * 1.5));
    this.#staging.set(rows.subarray(0, floats));
    this.#deformed.placeSkinned(this.#staging);
    return this.#staging;
  }

  #sort({ records, transforms, joints, instanceCount, kernel }: RenderView): void {
    this.sorts++;
    const deformed = this.#deformed;
    this.ids = Uint32Array.from(records, ({ id }) => id);
    const known = new Map<string, readonly DrawPart[]>();
    this.buckets.sort(instanceCount, (i) => {
      const record = records[i];
      if (!record) return [];
      const bent = deformed.of(i);
      if (bent) {
        const { isSkinned, firstJoint, firstVertex } = bent;
        const mirrored = isSkinned ? isMirrored(joints, firstJoint) : isMirrored(transforms, i);
        return this.#partsOf(record, mirrored, firstVertex);
      }
      const mirrored = isMirrored(transforms, i);
      const key = `${record.meshUuid}|${record.materialUuid ?? ''}|${mirrored}`;
      let parts = known.get(key);
      if (!parts) known.set(key, (parts = this.#partsOf(record, mirrored)));
      return parts;
    });
    this.spheres.setLocal(
      instanceCount,
      (i) => this.#pool.get(records[i]?.meshUuid ?? '')?.mesh ?? NOWHERE,
      kernel,
    );
  }

  /** @param deformedAt - where its vertices are among the deformed ones, if it is bent */
  #partsOf(
    { meshUuid, materialUuid }: InstanceRecord,
    mirrored: boolean,
    deformedAt?: number,
  ): readonly DrawPart[] {
    const range = this.#pool.get(meshUuid);
    if (!range) return [];
    const inPool = (level: PackedLevel): PackedLevel => {
      return { ...level, firstIndex: range.firstIndex + level.firstIndex };
    };
    return range.mesh.submeshes.map(({ topology, firstIndex, indexCount, material, levels }) => {
      const used = materialUuid ?? material;
      const { doubleSided, cut, blend } = this.#materials.get(used);
      return {
        variant: encodeVariant({ topology, doubleSided, cut, mirrored, blend }),
        material: used,
        indexCount,
        firstIndex: range.firstIndex + firstIndex,
        baseVertex: deformedAt ?? range.baseVertex,
        deformed: deformedAt !== undefined,
        // Errors are those of the mesh at rest; and blending surfaces are drawn one by one.
        levels: deformedAt === undefined && !blend ? levels.map(inPool) : [],
      };
    });
  }
}

/** Whether rows `i` turn left into right. */
function isMirrored(rows: Float32Array, i: number): boolean {
  const at = (k: number): number => rows[i * AFFINE_FLOATS + k] ?? 0;
  const determinant =
    at(0) * (at(5) * at(10) - at(6) * at(9)) -
    at(1) * (at(4) * at(10) - at(6) * at(8)) +
    at(2) * (at(4) * at(9) - at(5) * at(8));
  return determinant < 0;
}
