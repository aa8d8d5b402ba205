import { EclipticError, type EventLog } from '@ecliptic/core';
import { ColumnKernels, type KernelBackend } from './column-kernels.js';
import { javascriptKernels } from './javascript-kernels.js';
import { KERNEL_BYTES } from './kernel-bytes.js';
import type { Kernels } from './kernels.js';

/** What kernels are loaded for: an `Arena` of core, or its description in a worker. */
export interface KernelMemory {
  readonly memory: WebAssembly.Memory | undefined;
}

/** Options of {@link loadKernels}. */
export interface KernelOptions {
  /**
   * `auto` (default): WebAssembly where the arena has such memory and the environment allows it, else JavaScript. A scene whose
   * results must be the same bytes on every machine names one.
   */
  readonly backend?: Kernels['backend'] | 'auto';
  /** Told, with the cause, when `auto` falls back to JavaScript. */
  readonly log?: EventLog;
}

interface KernelExports {
  addScaled(target: number, source: number, factor: number, count: number): void;
  interpolate(from: number, to: number, out: number, alpha: number, count: number): void;
  interpolateRotations(from: number, to: number, out: number, alpha: number, rows: number): void;
}

async function instantiate(memory: WebAssembly.Memory): Promise<KernelExports> {
  const bytes = Uint8Array.from(atob(KERNEL_BYTES), (character) => character.charCodeAt(0));
  const module = await WebAssembly.compile(bytes);
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  return instance.exports as unknown as KernelExports;
}

function wasmBackend(memory: WebAssembly.Memory, run: KernelExports): KernelBackend {
  return {
    kind: 'wasm',
    buffer: memory.buffer,
    addScaled(target, source, factor, count) {
      run.addScaled(target.byteOffset, source.byteOffset, factor, count);
    },
    interpolate(from, to, out, alpha, count, start) {
      const target = out.byteOffset + start * 4;
      run.interpolate(from.byteOffset, to.byteOffset, target, alpha, count);
    },
    interpolateRotations(from, to, out, alpha, rows, start) {
      const target = out.byteOffset + start * 4;
      run.interpolateRotations(from.byteOffset, to.byteOffset, target, alpha, rows);
    },
  };
}

/**
 * Kernels for the columns of one arena. Load them once per scene, before it runs, and keep them: the backend is part of what
 * makes a run repeatable.
 *
 * WebAssembly is refused under a Content-Security-Policy without `wasm-unsafe-eval`, and impossible where memory can't be
 * shared; then `auto` gives the JavaScript twins and logs `kernels_fallback`.
 *
 * @throws EclipticError `ecs/kernels-unavailable`, with its cause, when `backend: 'wasm'` can't be had
 *
 * @example
 * ```ts
 * const arena = new Arena();
 * const kernels = await loadKernels(arena);
 * const scene = new Scene({ arena, kernels });
 * kernels.backend; // 'wasm'
 * ```
 */
export async function loadKernels(
  arena: KernelMemory,
  options: KernelOptions = {},
): Promise<Kernels> {
  const { backend = 'auto', log } = options;
  if (backend === 'javascript') return javascriptKernels();
  const { memory } = arena;
  let cause: unknown = new Error('The arena is not backed by a WebAssembly.Memory');
  if (memory !== undefined) {
    try {
      return new ColumnKernels(wasmBackend(memory, await instantiate(memory)));
    } catch (error) {
      cause = error;
    }
  }
  if (backend === 'wasm') {
    throw new EclipticError('ecs/kernels-unavailable', 'WebAssembly kernels can’t be loaded', {
      subjects: { backend },
      fix: 'Give the arena the backing "wasm" and the page the policy "wasm-unsafe-eval", or use the backend "auto".',
      cause,
    });
  }
  log?.info('kernels_fallback', { backend: 'javascript', cause });
  return javascriptKernels();
}
