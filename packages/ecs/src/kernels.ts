/**
 * Arithmetic on whole columns, in WebAssembly where that can be had and in JavaScript everywhere.
 *
 * @packageDocumentation
 */
export { javascriptKernels } from './kernels/javascript-kernels.js';
export type { Kernels, PoseColumns } from './kernels/kernels.js';
export { loadKernels, type KernelMemory, type KernelOptions } from './kernels/load-kernels.js';
