import { BUFFER_USAGE } from '../device/gpu-flags.js';
import { GrowingBuffer } from '../geometry/growing-buffer.js';
import type { Bucket, InstanceBuckets } from './instance-buckets.js';
import type { LevelOfDetail } from './level-of-detail.js';
import { isTriangles } from './mesh-variant.js';
import type { WorldSpheres } from './world-spheres.js';

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

  /**
   * Culls, chooses versions, compacts and uploads. O(instances + parts), without allocation once it is large enough.
   *
   * @param detail - how large things are to the camera, also in a list of what a light sees: so a shadow is that of what is drawn
   */
  update(
    buckets: InstanceBuckets,
    spheres: WorldSpheres,
    count: number,
    planes: Float32Array,
    detail: LevelOfDetail,
  ): void {
    if (this.seen.length < count) this.seen = new Uint8Array(Math.ceil(count * 1.5));
    this.visibleInstances = spheres.cull(this.seen, count, planes);
    this.#compact(buckets, spheres.spheres, detail);
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

  /**
   * Draws a bucket; vertex and index buffers, pipeline and bind groups are set.
   *
   * @returns how many draws that takes
   */
  draw(pass: GPURenderCommandsMixin, { firstDraw, firstSlot, count, levels }: Bucket): number {
    for (let level = 0; level <= levels.length; level++) {
      // The instances' own buffer starts at the draw, so no device needs to know of first instances.
      pass.setVertexBuffer(1, this.#members.buffer, (firstSlot + level * count) * 4);
      pass.drawIndexedIndirect(this.#arguments.buffer, (firstDraw + level) * ARGUMENT_WORDS * 4);
    }
    return 1 + levels.length;
  }

  dispose(): void {
    this.#members.dispose();
    this.#arguments.dispose();
  }

  #compact(
    { buckets, members, draws, slots }: InstanceBuckets,
    spheres: Float32Array,
    detail: LevelOfDetail,
  ): void {
    if (this.#compacted.length < slots) this.#compacted = new Uint32Array(Math.ceil(slots * 1.5));
    const words = draws * ARGUMENT_WORDS;
    if (this.#words.length < words) this.#words = new Uint32Array(words * 2);
    const args = this.#words;
    this.triangles = 0;
    for (let b = 0; b < buckets.length; b++) {
      const bucket = buckets[b];
      if (!bucket) continue;
      const { firstDraw, levels } = bucket;
      for (let level = 0; level <= levels.length; level++) this.#begin(bucket, level);
      if (levels.length === 0) {
        args[firstDraw * ARGUMENT_WORDS + 1] = this.#gather(bucket, members);
      } else this.#gatherByLevel(bucket, members, spheres, detail);
      if (!isTriangles(bucket.variant)) continue;
      for (let level = 0; level <= levels.length; level++) {
        const at = (firstDraw + level) * ARGUMENT_WORDS;
        this.triangles += ((args[at] as number) / 3) * (args[at + 1] as number);
      }
    }
    this.#members.reserve(slots * 4);
    this.#arguments.reserve(words * 4);
    this.#members.write(0, this.#compacted, slots);
    this.#arguments.write(0, args, words);
  }

  /** @returns how many of a bucket's instances are seen */
  #gather({ start, count, firstSlot }: Bucket, members: Uint32Array): number {
    const seen = this.seen;
    const compacted = this.#compacted;
    const end = start + count;
    let slot = firstSlot;
    for (let i = start; i < end; i++) {
      const instance = members[i] as number;
      // Without a branch, which would be a guess: what isn't seen is written over by the next.
      compacted[slot] = instance;
      slot += seen[instance] as number;
    }
    return slot - firstSlot;
  }

  #gatherByLevel(
    { start, count, firstDraw, firstSlot, levels }: Bucket,
    members: Uint32Array,
    spheres: Float32Array,
    detail: LevelOfDetail,
  ): void {
    const seen = this.seen;
    const compacted = this.#compacted;
    const args = this.#words;
    const end = start + count;
    for (let i = start; i < end; i++) {
      const instance = members[i] as number;
      if (seen[instance] === 0) continue;
      const level = detail.levelOf(levels, spheres, instance);
      const drawn = (firstDraw + level) * ARGUMENT_WORDS + 1;
      const known = args[drawn] as number;
      compacted[firstSlot + level * count + known] = instance;
      args[drawn] = known + 1;
    }
  }

  /** A draw of no instances yet. */
  #begin({ firstDraw, indexCount, firstIndex, baseVertex, levels }: Bucket, level: number): void {
    const at = (firstDraw + level) * ARGUMENT_WORDS;
    const simpler = levels[level - 1];
    this.#words[at] = simpler ? simpler.indexCount : indexCount;
    this.#words[at + 1] = 0;
    this.#words[at + 2] = simpler ? simpler.firstIndex : firstIndex;
    this.#words[at + 3] = baseVertex;
    this.#words[at + 4] = 0;
  }
}

/** How an instance's index reaches the vertex shader. */
export const INSTANCE_LAYOUT: GPUVertexBufferLayout = {
  arrayStride: 4,
  stepMode: 'instance',
  attributes: [{ shaderLocation: 6, offset: 0, format: 'uint32' }],
};
