import { EclipticError, EventLog } from '@ecliptic/core';
import { ARENA_KERNEL_BYTES } from './arena-kernel-bytes.js';
import { compileKernel } from './compile-kernel.js';
import { HIERARCHY_BYTES } from './hierarchy-bytes.js';
import { javascriptPoseKernel } from './javascript-pose-kernel.js';
import type { PoseKernel } from './pose-kernel.js';
import { wasmPoseKernel } from './wasm-pose-kernel.js';

/** Options of {@link loadPoseKernel}. */
export interface PoseKernelOptions {
  /** Most nodes: the `maxEntities` of its scene. Default 65,536, as a scene's. */
  readonly capacity?: number;
  /** Pose sets over the same tree. Default 2, as a {@link SceneHierarchy} has. */
  readonly poseSets?: number;
  /**
   * `auto` (default): WebAssembly where the environment allows it, else JavaScript. A simulation whose results must be
   * the same bytes on every machine names one.
   */
  readonly backend?: PoseKernel['backend'] | 'auto';
  /** Told, with the cause, when `auto` falls back to JavaScript. Default: a log of `render-sync`. */
  readonly log?: EventLog;
}

/**
 * Loads a kernel for one hierarchy. WebAssembly is refused under a Content-Security-Policy without
 * `wasm-unsafe-eval`; then `auto` gives the JavaScript one and logs `pose_kernel_fallback`.
 *
 * Where the scene's arena is memory of WebAssembly, as it is by default where memory can be shared, and has room, the hierarchy's arrays
 * are in it, some 270 bytes an entity of the capacity, and rows of components are compared and copied in WebAssembly, too.
 *
 * @throws EclipticError `render-sync/kernel-unavailable`, with its cause, when `backend: 'wasm'` can't be had
 *
 * @example
 * ```ts
 * const hierarchy = new SceneHierarchy(scene, { kernel: await loadPoseKernel() });
 * ```
 */
export async function loadPoseKernel(options: PoseKernelOptions = {}): Promise<PoseKernel> {
  const { capacity = 65_536, poseSets = 2, backend = 'auto', log } = options;
  if (backend === 'javascript') return javascriptPoseKernel;
  try {
    const [own, shared] = await Promise.all(
      [HIERARCHY_BYTES, ARENA_KERNEL_BYTES].map(compileKernel),
    );
    return wasmPoseKernel(
      own as WebAssembly.Module,
      shared as WebAssembly.Module,
      capacity,
      poseSets,
    );
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
