import type { EventLog } from '@ecliptic/core';
import { INSTANCE_MOVING } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { compileKernel } from '../hierarchy/compile-kernel.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';
import { NEAR } from '../math/interpolate-rows.js';
import { INSTANCE_KERNEL_BYTES } from './instance-kernel-bytes.js';
import { ArrayChunks } from './array-chunks.js';

const PAGE = 65_536;
/** Bytes of a cache line. */
const LINE = 64;
const SPHERE_FLOATS = 4;
const PLANE_FLOATS = 24;
/** Instances whose two ends are copied at once: 100 KB, which the second cache of a core holds. */
const CHUNK = 1_024;

/** What instances.as exports; pointers and counts. */
interface InstanceExports {
  anyMoves(flags: number, count: number, moving: number): number;
  place(
    sources: number,
    first: number,
    count: number,
    flags: number,
    moving: number,
    previous: number,
    current: number,
    alpha: number,
    near: number,
    out: number,
    local: number,
    spheres: number,
    far: number,
    farCount: number,
  ): number;
  moveSpheres(rows: number, count: number, local: number, out: number): void;
  cullSpheres(seen: number, spheres: number, count: number, planes: number): number;
}

/**
 * The module of {@link InstanceKernel}s, or `undefined` where WebAssembly is refused, as under a Content-Security-Policy without
 * `wasm-unsafe-eval`: that is logged, and JavaScript computes the same.
 */
export async function loadInstanceKernel(log: EventLog): Promise<WebAssembly.Module | undefined> {
  try {
    return await compileKernel(INSTANCE_KERNEL_BYTES);
  } catch (cause) {
    log.info('instance_kernel_fallback', { cause });
    return undefined;
  }
}

/**
 * What a renderer computes for each instance in each frame, in WebAssembly: where it is, the sphere around it, and whether that is seen.
 * The same bits as in JavaScript. Its arrays are in a memory of its own, for `capacity` instances; it allocates nothing else.
 */
export class InstanceKernel {
  readonly capacity: number;
  /** By instance, its dense index in the frame state, ascending. */
  readonly sources: Uint32Array<ArrayBuffer>;
  /** Affine rows by instance. */
  readonly transforms: Float32Array<ArrayBuffer>;
  /** By instance, the sphere of its mesh: x, y, z, radius. */
  readonly localSpheres: Float32Array<ArrayBuffer>;
  /** By instance, its sphere in the world. */
  readonly spheres: Float32Array<ArrayBuffer>;
  /** Instances that {@link InstanceKernel.place} left out. */
  readonly far: Uint32Array<ArrayBuffer>;
  readonly #run: InstanceExports;
  readonly #flagChunks = new ArrayChunks<Uint32Array>(CHUNK);
  readonly #rowChunks = new ArrayChunks<Float32Array>(CHUNK * AFFINE_FLOATS);
  /** Of one chunk, as both ends. */
  readonly #flags: Uint32Array<ArrayBuffer>;
  readonly #previous: Float32Array<ArrayBuffer>;
  readonly #current: Float32Array<ArrayBuffer>;
  readonly #seen: Uint8Array<ArrayBuffer>;
  readonly #planes: Float32Array<ArrayBuffer>;

  /** @param module - of {@link loadInstanceKernel} */
  constructor(module: WebAssembly.Module, capacity: number) {
    const perInstance = (AFFINE_FLOATS + 2 * SPHERE_FLOATS + 2) * 4 + 1;
    const perChunked = (2 * AFFINE_FLOATS + 1) * 4;
    const bytes = capacity * perInstance + CHUNK * perChunked + PLANE_FLOATS * 4 + 10 * LINE;
    const pages = Math.ceil(bytes / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const buffer = memory.buffer as ArrayBuffer;
    let end = 0;
    const take = (length: number, width: number): number => {
      const start = end;
      end = Math.ceil((start + length * width) / LINE) * LINE;
      return start;
    };
    const floats = (length: number): Float32Array<ArrayBuffer> =>
      new Float32Array(buffer, take(length, 4), length);
    const words = (length: number): Uint32Array<ArrayBuffer> =>
      new Uint32Array(buffer, take(length, 4), length);
    this.capacity = capacity;
    this.transforms = floats(capacity * AFFINE_FLOATS);
    this.localSpheres = floats(capacity * SPHERE_FLOATS);
    this.spheres = floats(capacity * SPHERE_FLOATS);
    this.sources = words(capacity);
    this.far = words(capacity);
    this.#flags = words(CHUNK);
    this.#previous = floats(CHUNK * AFFINE_FLOATS);
    this.#current = floats(CHUNK * AFFINE_FLOATS);
    this.#planes = floats(PLANE_FLOATS);
    this.#seen = new Uint8Array(buffer, take(capacity, 1), capacity);
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    this.#run = exports as unknown as InstanceExports;
  }

  /**
   * Places the first `count` instances of {@link InstanceKernel.sources} with their spheres, but for those that turn too far for a
   * straight line. A piece of the state at a time, so that what is copied here is still in the processor's cache when it is read. What
   * has the axes that it had before keeps its radius: after a change of {@link InstanceKernel.localSpheres}, or of transforms from
   * outside, call {@link InstanceKernel.moveSpheres}.
   *
   * @param alpha - between the state's two ends
   * @returns how many those are, in {@link InstanceKernel.far}
   */
  place(state: RenderFrameState, count: number, alpha: number): number {
    const { sources, transforms, localSpheres, spheres, far } = this;
    const flags = this.#flags.byteOffset;
    const previous = this.#previous.byteOffset;
    const current = this.#current.byteOffset;
    const flagChunks = this.#flagChunks.of(state.instanceFlags);
    const previousChunks = this.#rowChunks.of(state.instancePrevious);
    const currentChunks = this.#rowChunks.of(state.instanceCurrent);
    let first = 0;
    let farCount = 0;
    for (let c = 0; c < flagChunks.length && first < count; c++) {
      const chunk = flagChunks[c] as Uint32Array;
      const start = c * CHUNK;
      const end = firstFrom(sources, start + chunk.length, first, count);
      if (end === first) continue;
      this.#flags.set(chunk);
      this.#current.set(currentChunks[c] as Float32Array);
      if (alpha < 1 && this.#run.anyMoves(flags, chunk.length, INSTANCE_MOVING) !== 0) {
        this.#previous.set(previousChunks[c] as Float32Array);
      }
      // As if the whole state were there: pointers to its beginning, which is not read.
      farCount = this.#run.place(
        sources.byteOffset,
        first,
        end - first,
        flags - start * 4,
        INSTANCE_MOVING,
        previous - start * AFFINE_FLOATS * 4,
        current - start * AFFINE_FLOATS * 4,
        alpha,
        NEAR,
        transforms.byteOffset,
        localSpheres.byteOffset,
        spheres.byteOffset,
        far.byteOffset,
        farCount,
      );
      first = end;
    }
    return farCount;
  }

  /** Computes the spheres of `count` instances from `first` anew, from where they are. */
  moveSpheres(first: number, count: number): void {
    const { transforms, localSpheres, spheres } = this;
    this.#run.moveSpheres(
      transforms.byteOffset + first * AFFINE_FLOATS * 4,
      count,
      localSpheres.byteOffset + first * SPHERE_FLOATS * 4,
      spheres.byteOffset + first * SPHERE_FLOATS * 4,
    );
  }

  /**
   * Which of the first `count` spheres touch a frustum.
   *
   * @param seen - 1 or 0 a sphere is written here
   * @param planes - six, 4 numbers each: normal and distance, pointing inwards
   * @returns how many do
   */
  cullSpheres(seen: Uint8Array, count: number, planes: Float32Array): number {
    this.#planes.set(planes);
    const { byteOffset } = this.#seen;
    const total = this.#run.cullSpheres(
      byteOffset,
      this.spheres.byteOffset,
      count,
      this.#planes.byteOffset,
    );
    seen.set(this.#seen.subarray(0, count));
    return total;
  }
}

/** The first of ascending numbers in `[low, high)` that is `limit` or more; `high` if none is. */
function firstFrom(ascending: Uint32Array, limit: number, low: number, high: number): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ascending[middle] as number) < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}
