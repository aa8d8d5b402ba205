import { BUFFER_USAGE } from '../device/gpu-flags.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';
import { cullSpheres } from './frustum.js';
import type { InstanceBuckets } from './instance-buckets.js';
import { isTriangles } from './mesh-variant.js';

/** Words of the arguments of an indexed indirect draw. */
const ARGUMENT_WORDS = 5;

/** What is seen from one place: the buckets' visible instances, and the arguments of one indirect draw a bucket. */
export class DrawList {
  /** Instances that are seen, of those given. */
  visibleInstances = 0;
  /** Of all draws. */
  triangles = 0;
  /** Which instances are seen, 1 or 0 each. */
  seen: Uint8Array = new Uint8Array(0);
  readonly #members: GrowingBuffer;
  readonly #arguments: GrowingBuffer;
  #compacted: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  #words: Uint32Array<ArrayBuffer> = new Uint32Array(0);

  constructor(device: GPUDevice, label: string) {
    this.#members = new GrowingBuffer(device, `${label}: instances`, BUFFER_USAGE.vertex, 4_096);
    this.#arguments = new GrowingBuffer(device, `${label}: draws`, BUFFER_USAGE.indirect, 4_096);
  }

  /** Culls, compacts and uploads. O(instances + parts), without allocation once it is large enough. */
  update(
    buckets: InstanceBuckets,
    spheres: Float32Array,
    count: number,
    planes: Float32Array,
  ): void {
    if (this.seen.length < count) this.seen = new Uint8Array(Math.ceil(count * 1.5));
    this.visibleInstances = cullSpheres(this.seen, spheres, count, planes);
    this.#compact(buckets);
  }

  /** Nothing is seen. */
  clear(): void {
    this.#words.fill(0);
    this.visibleInstances = 0;
    this.triangles = 0;
  }

  /** The buffers that draws refer to; other ones once they had to grow. */
  get buffers(): readonly [GPUBuffer, GPUBuffer] {
    return [this.#members.buffer, this.#arguments.buffer];
  }

  /** Draws a bucket; vertex and index buffers, pipeline and bind groups are set. */
  draw(pass: GPURenderCommandsMixin, bucket: number, start: number): void {
    // The instances' own buffer starts at the bucket, so no device needs to know of first instances.
    pass.setVertexBuffer(1, this.#members.buffer, start * 4);
    pass.drawIndexedIndirect(this.#arguments.buffer, bucket * ARGUMENT_WORDS * 4);
  }

  dispose(): void {
    this.#members.dispose();
    this.#arguments.dispose();
  }

  #compact({ buckets, members }: InstanceBuckets): void {
    if (this.#compacted.length < members.length) this.#compacted = new Uint32Array(members.length);
    const words = buckets.length * ARGUMENT_WORDS;
    if (this.#words.length < words) this.#words = new Uint32Array(words * 2);
    const seen = this.seen;
    const compacted = this.#compacted;
    let end = 0;
    this.triangles = 0;
    for (let b = 0; b < buckets.length; b++) {
      const bucket = buckets[b];
      if (!bucket) continue;
      const { start, count } = bucket;
      let to = start;
      for (let i = start; i < start + count; i++) {
        const instance = members[i] as number;
        if (seen[instance] === 1) compacted[to++] = instance;
      }
      const at = b * ARGUMENT_WORDS;
      this.#words[at] = bucket.indexCount;
      this.#words[at + 1] = to - start;
      this.#words[at + 2] = bucket.firstIndex;
      this.#words[at + 3] = bucket.baseVertex;
      this.#words[at + 4] = 0;
      if (isTriangles(bucket.variant)) this.triangles += (bucket.indexCount / 3) * (to - start);
      end = start + count;
    }
    this.#members.reserve(end * 4);
    this.#arguments.reserve(words * 4);
    this.#members.write(0, compacted, end);
    this.#arguments.write(0, this.#words, words);
  }
}

/** How an instance's index reaches the vertex shader. */
export const INSTANCE_LAYOUT: GPUVertexBufferLayout = {
  arrayStride: 4,
  stepMode: 'instance',
  attributes: [{ shaderLocation: 6, offset: 0, format: 'uint32' }],
};
