import type { EventLog } from '@ecliptic/core';
import { INSTANCE_MOVING } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { compileKernel } from '../hierarchy/compile-kernel.js';
import { AFFINE_FLOATS } from '../math/affine-rows.js';
import { NEAR } from '../math/interpolate-rows.js';
import { INSTANCE_KERNEL_BYTES } from './instance-kernel-bytes.js';

const PAGE = 65_536;
/** Bytes of a cache line. */
const LINE = 64;
const SPHERE_FLOATS = 4;
const PLANE_FLOATS = 24;

/** What instances.as exports; pointers and counts. */
interface InstanceExports {
  place(
    sources: number,
    count: number,
    flags: number,
    moving: number,
    previous: number,
    current: number,
    alpha: number,
    near: number,
    out: number,
    far: number,
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
  /** By instance, its dense index in the frame state. */
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
  readonly #flags: Uint32Array<ArrayBuffer>;
  readonly #previous: Float32Array<ArrayBuffer>;
  readonly #current: Float32Array<ArrayBuffer>;
  readonly #seen: Uint8Array<ArrayBuffer>;
  readonly #planes: Float32Array<ArrayBuffer>;

  /** @param module - of {@link loadInstanceKernel} */
  constructor(module: WebAssembly.Module, capacity: number) {
    const floats = 3 * AFFINE_FLOATS + 2 * SPHERE_FLOATS;
    const bytes = capacity * (floats * 4 + 3 * 4 + 1) + PLANE_FLOATS * 4 + 10 * LINE;
    const pages = Math.ceil(bytes / PAGE);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const buffer = memory.buffer as ArrayBuffer;
    let end = 0;
    const take = (length: number, width: number): number => {
      const start = end;
      end = Math.ceil((start + length * width) / LINE) * LINE;
      return start;
    };
    const rows = (width: number): Float32Array<ArrayBuffer> =>
      new Float32Array(buffer, take(capacity * width, 4), capacity * width);
    const words = (): Uint32Array<ArrayBuffer> =>
      new Uint32Array(buffer, take(capacity, 4), capacity);
    this.capacity = capacity;
    this.transforms = rows(AFFINE_FLOATS);
    this.#previous = rows(AFFINE_FLOATS);
    this.#current = rows(AFFINE_FLOATS);
    this.localSpheres = rows(SPHERE_FLOATS);
    this.spheres = rows(SPHERE_FLOATS);
    this.sources = words();
    this.far = words();
    this.#flags = words();
    this.#planes = new Float32Array(buffer, take(PLANE_FLOATS, 4), PLANE_FLOATS);
    this.#seen = new Uint8Array(buffer, take(capacity, 1), capacity);
    const { exports } = new WebAssembly.Instance(module, { env: { memory } });
    this.#run = exports as unknown as InstanceExports;
  }

  /**
   * Places the first `count` instances of {@link InstanceKernel.sources}, but for those that turn too far for a straight line.
   *
   * @param alpha - between the state's two ends
   * @returns how many those are, in {@link InstanceKernel.far}
   */
  place(state: RenderFrameState, count: number, alpha: number): number {
    const { instanceCount, instanceFlags, instancePrevious, instanceCurrent } = state;
    const floats = instanceCount * AFFINE_FLOATS;
    this.#flags.set(instanceFlags.subarray(0, instanceCount));
    this.#current.set(instanceCurrent.subarray(0, floats));
    if (alpha < 1) this.#previous.set(instancePrevious.subarray(0, floats));
    return this.#run.place(
      this.sources.byteOffset,
      count,
      this.#flags.byteOffset,
      INSTANCE_MOVING,
      this.#previous.byteOffset,
      this.#current.byteOffset,
      alpha,
      NEAR,
      this.transforms.byteOffset,
      this.far.byteOffset,
    );
  }

  /** Computes {@link InstanceKernel.spheres} of the first `count` instances. */
  moveSpheres(count: number): void {
    const { transforms, localSpheres, spheres } = this;
    this.#run.moveSpheres(
      transforms.byteOffset,
      count,
      localSpheres.byteOffset,
      spheres.byteOffset,
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
