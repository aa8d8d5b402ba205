import { EclipticError, EventLog } from '@ecliptic/core';
import { HIERARCHY_BYTES } from './hierarchy-bytes.js';
import { javascriptPoseKernel } from './javascript-pose-kernel.js';
import { LOCAL_FLOATS, MAX_MAGNITUDE, type PoseArrays, type PoseKernel } from './pose-kernel.js';
import type { PoseMemory } from './pose-memory.js';

const PAGE = 65_536;
/** Bytes of a cache line. */
const LINE = 64;
/** Bytes a node: a pose set's arrays, and the tree's. */
const POSE_BYTES = LOCAL_FLOATS * 4 + 64 + 4 + 1;
const TREE_BYTES = 4;

/** Options of {@link loadPoseKernel}. */
export interface PoseKernelOptions {
  /** Most nodes: the scene's `maxEntities`. Default 65,536. */
  readonly capacity?: number;
  /** Pose sets over the same tree. Default 3, as a {@link SceneHierarchy} has. */
  readonly poseSets?: number;
  /**
   * `auto` (default): WebAssembly where the environment allows it, else JavaScript. A simulation whose results must be
   * the same bytes on every machine names one.
   */
  readonly backend?: PoseKernel['backend'] | 'auto';
  /** Told, with the cause, when `auto` falls back to JavaScript. Default: a log of `render-sync`. */
  readonly log?: EventLog;
}

interface KernelExports {
  readonly propagate: (
    list: number,
    count: number,
    parents: number,
    locals: number,
    worlds: number,
    bad: number,
    limit: number,
  ) => number;
}

/**
 * Loads a kernel for one hierarchy. WebAssembly is refused under a Content-Security-Policy without
 * `wasm-unsafe-eval`; then `auto` gives the JavaScript one and logs `pose_kernel_fallback`.
 *
 * @throws EclipticError `render-sync/kernel-unavailable`, with its cause, when `backend: 'wasm'` can't be had
 *
 * @example
 * ```ts
 * const hierarchy = new SceneHierarchy(scene, { kernel: await loadPoseKernel() });
 * ```
 */
export async function loadPoseKernel(options: PoseKernelOptions = {}): Promise<PoseKernel> {
  const { capacity = 65_536, poseSets = 3, backend = 'auto', log } = options;
  if (backend === 'javascript') return javascriptPoseKernel;
  try {
    return await instantiate(capacity, poseSets);
  } catch (cause) {
    if (backend === 'wasm') {
      throw new EclipticError('render-sync/kernel-unavailable', 'WebAssembly can’t be had here', {
        cause,
        fix: "Allow 'wasm-unsafe-eval' in the Content-Security-Policy, or use another backend.",
      });
    }
    (log ?? new EventLog('render-sync')).warn('pose_kernel_fallback', { cause });
    return javascriptPoseKernel;
  }
}

async function instantiate(capacity: number, poseSets: number): Promise<PoseKernel> {
  const bytes = Uint8Array.from(atob(HIERARCHY_BYTES), (character) => character.charCodeAt(0));
  // Every array begins at a cache line, so that no matrix is in two.
  const arrays = 1 + poseSets * 4;
  const needed = capacity * (TREE_BYTES + poseSets * POSE_BYTES) + arrays * LINE;
  const pages = Math.max(1, Math.ceil(needed / PAGE));
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const module = await WebAssembly.compile(bytes);
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  const { propagate } = instance.exports as unknown as KernelExports;
  return new WasmPoseKernel(memory, propagate);
}

/** The kernel in WebAssembly: works on arrays in a memory of its own, which never grows. */
class WasmPoseKernel implements PoseKernel {
  readonly backend = 'wasm';
  readonly memory: PoseMemory;
  readonly #buffer: ArrayBuffer;
  readonly #run: KernelExports['propagate'];
  #end = 0;

  constructor(memory: WebAssembly.Memory, run: KernelExports['propagate']) {
    this.#buffer = memory.buffer as ArrayBuffer;
    this.#run = run;
    this.memory = {
      float32: (length) => new Float32Array(this.#buffer, this.#take(length * 4), length),
      int32: (length) => new Int32Array(this.#buffer, this.#take(length * 4), length),
      uint8: (length) => new Uint8Array(this.#buffer, this.#take(length), length),
    };
  }

  propagate(poses: PoseArrays, start: number, end: number): number {
    const { updated, local, world, bad } = poses;
    const { parent } = poses.tree;
    if (world.buffer !== this.#buffer || parent.buffer !== this.#buffer) {
      throw new EclipticError(
        'render-sync/kernel-memory',
        'A pose set is not in its kernel’s memory',
        {
          fix: 'Make the tree with kernel.memory and the pose sets with the same kernel.',
        },
      );
    }
    return this.#run(
      updated.byteOffset + start * 4,
      end - start,
      parent.byteOffset,
      local.byteOffset,
      world.byteOffset,
      bad.byteOffset,
      MAX_MAGNITUDE,
    );
  }

  #take(bytes: number): number {
    const start = this.#end;
    const end = Math.ceil((start + bytes) / LINE) * LINE;
    if (end > this.#buffer.byteLength) {
      throw new EclipticError('render-sync/kernel-memory', 'A kernel’s memory is used up', {
        subjects: { bytes: this.#buffer.byteLength, wanted: bytes },
        fix: 'Load a kernel for each hierarchy, with its capacity and number of pose sets.',
      });
    }
    this.#end = end;
    return start;
  }
}
