/**
 * WebGPU in Node, by the npm package `webgpu`: pictures without a window.
 *
 * @packageDocumentation
 */
export { openNodeGpu, type NodeGpu, type NodeGpuOptions } from './node/node-gpu.js';
export { OffscreenBackend, type OffscreenOptions } from './node/offscreen-backend.js';
export { nodeDecoder } from './node/decode-image.js';
