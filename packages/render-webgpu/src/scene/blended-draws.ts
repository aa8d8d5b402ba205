import { BUFFER_USAGE } from '../device/gpu-flags.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';
import type { InstanceBuckets } from './instance-buckets.js';
import { isBlended } from './mesh-variant.js';
import { SPHERE_FLOATS } from './world-spheres.js';

/** Words of a run: bucket, first, count. */
const RUN_WORDS = 3;
/** Parts that can be told apart beside a 32-bit distance in a 64-bit float. */
const MOST_PARTS = 2 ** 21;

/**
 * What is seen of blending materials, from the back to the front: runs of neighbours in that order that share a bucket. By the distance
 * of their spheres' centres, so meshes that pass through each other may come out in the wrong order.
 */
export class BlendedDraws {
  /** How many parts of instances there are. */
  count = 0;
  /** How many draws they take. */
  runCount = 0;
  readonly #members: GrowingBuffer;
  #keys = new Float64Array(0);
  #bucketOf = new Uint32Array(0);
  #instanceOf = new Uint32Array(0);
  #ordered: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  #runs = new Uint32Array(0);
  readonly #distance = new Float32Array(1);
  readonly #distanceBits = new Uint32Array(this.#distance.buffer);

  constructor(device: GPUDevice) {
    this.#members = new GrowingBuffer(device, 'blended: instances', BUFFER_USAGE.vertex, 256);
  }

  /** Instances in drawing order: the second vertex buffer of mesh pipelines. */
  get buffer(): GPUBuffer {
    return this.#members.buffer;
  }

  /**
   * Sorts. O(parts · log), without allocation once it is large enough. Beyond two million parts the rest is left out.
   *
   * @param isSeen - 1 or 0 an instance
   * @param eye - x, y, z of the camera
   */
  update(
    { buckets, members }: InstanceBuckets,
    isSeen: Uint8Array,
    spheres: Float32Array,
    eye: Float32Array,
  ): void {
    this.clear();
    for (let b = 0; b < buckets.length; b++) {
      const bucket = buckets[b];
      if (!bucket || !isBlended(bucket.variant)) continue;
      this.#reserve(this.count + bucket.count);
      for (let i = bucket.start; i < bucket.start + bucket.count; i++) {
        const instance = members[i] as number;
        if (isSeen[instance] === 1 && this.count < MOST_PARTS) {
          this.#add(b, instance, spheres, eye);
        }
      }
    }
    if (this.count > 0) this.#order();
  }

  /** Nothing is seen. */
  clear(): void {
    this.count = 0;
    this.runCount = 0;
  }

  /** Bucket of a run. */
  bucketOf(run: number): number {
    return this.#runs[run * RUN_WORDS] as number;
  }

  /** Where a run begins in {@link BlendedDraws.buffer}. */
  firstOf(run: number): number {
    return this.#runs[run * RUN_WORDS + 1] as number;
  }

  /** How many instances a run has. */
  countOf(run: number): number {
    return this.#runs[run * RUN_WORDS + 2] as number;
  }

  dispose(): void {
    this.#members.dispose();
  }

  #add(bucket: number, instance: number, spheres: Float32Array, eye: Float32Array): void {
    const part = this.count++;
    const at = instance * SPHERE_FLOATS;
    const x = (spheres[at] as number) - (eye[0] as number);
    const y = (spheres[at + 1] as number) - (eye[1] as number);
    const z = (spheres[at + 2] as number) - (eye[2] as number);
    this.#distance[0] = x * x + y * y + z * z;
    // Bits of floats that aren't negative are in the order of the floats.
    this.#keys[part] = (this.#distanceBits[0] as number) * MOST_PARTS + part;
    this.#bucketOf[part] = bucket;
    this.#instanceOf[part] = instance;
  }

  #order(): void {
    const { count } = this;
    const keys = this.#keys.subarray(0, count).sort();
    let run = -1;
    for (let i = 0; i < count; i++) {
      const part = (keys[count - 1 - i] as number) % MOST_PARTS;
      const bucket = this.#bucketOf[part] as number;
      this.#ordered[i] = this.#instanceOf[part] as number;
      if (run < 0 || this.bucketOf(run) !== bucket) {
        run++;
        this.#runs[run * RUN_WORDS] = bucket;
        this.#runs[run * RUN_WORDS + 1] = i;
        this.#runs[run * RUN_WORDS + 2] = 0;
      }
      this.#runs[run * RUN_WORDS + 2] = (this.#runs[run * RUN_WORDS + 2] as number) + 1;
    }
    this.runCount = run + 1;
    this.#members.reserve(count * 4);
    this.#members.write(0, this.#ordered, count);
  }

  #reserve(parts: number): void {
    if (this.#keys.length >= parts) return;
    const length = Math.ceil(parts * 1.5);
    const grown = (old: Uint32Array): Uint32Array<ArrayBuffer> => {
      const next = new Uint32Array(length);
      next.set(old);
      return next;
    };
    const keys = new Float64Array(length);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#bucketOf = grown(this.#bucketOf);
    this.#instanceOf = grown(this.#instanceOf);
    this.#ordered = new Uint32Array(length);
    this.#runs = new Uint32Array(length * RUN_WORDS);
  }
}
