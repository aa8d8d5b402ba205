/**
 * A WebGPU renderer: a small render graph of passes that declare what they read and write, deferred lighting, and
 * one indirect draw for all instances of a mesh and material. No DOM: pages, workers, and Node
 * (`@ecliptic/render-webgpu/node`).
 *
 * @packageDocumentation
 */
export {
  createWebGpuBackend,
  WebGpuBackend,
  type WebGpuBackendOptions,
} from './backend/webgpu-backend.js';
export type { WarmUp } from './backend/warm-up.js';
export type { WebGpuBackendStats } from './backend/backend-stats.js';
export { DEFAULT_SETTINGS, type RenderSettings } from './render-settings.js';
export { requestDevice } from './device/request-device.js';
export {
  canvasTarget,
  textureTarget,
  type CanvasLike,
  type RenderTarget,
  type RenderTargetFactory,
  type TextureTarget,
} from './device/render-target.js';
export { readPixels, type PixelRegion, type Pixels } from './device/read-pixels.js';
export type { Gpu } from './device/gpu.js';
export { bitmapDecoder, type DecodedImage, type ImageDecoder } from './materials/decode-image.js';
export { TARGET, type TextureDescription } from './graph/texture-description.js';
export { orderPasses, type PassAccess } from './graph/pass-order.js';
export { planTransients, type TransientPlan } from './graph/transient-slots.js';
export type { PassContext, RenderPass, RenderPassFactory } from './graph/render-pass.js';
export { RenderGraph } from './graph/render-graph.js';
export type { FrameScene } from './scene/frame-scene.js';
export type { DrawList } from './scene/draw-list.js';
export type { ViewMatrices } from './scene/view-matrices.js';
export { MeshPipelines, type MeshPipelineOptions } from './scene/mesh-pipelines.js';
export { FRAME_WGSL } from './shaders/frame.wgsl.js';
export { FULL_SCREEN_WGSL } from './shaders/full-screen.wgsl.js';
export { MESH_WGSL } from './shaders/mesh.wgsl.js';
export {
  ADDITIVE,
  fullScreenPass,
  PREMULTIPLIED,
  type FullScreenPassOptions,
  type Specialization,
} from './passes/full-screen-pass.js';
export {
  ALBEDO_FORMAT,
  DEPTH_FORMAT,
  FRAME_TEXTURES,
  LIGHT_FORMAT,
} from './passes/frame-textures.js';
export { DEFAULT_PASSES } from './passes/default-passes.js';
export { depthPrePass, gBufferPass, shadowPass } from './passes/mesh-passes.js';
export { bloomPasses, lightingPass, skyPass, toneMappingPass } from './passes/light-passes.js';
export { blendPass } from './passes/blend-pass.js';
export { gridPass } from './passes/grid-pass.js';
export { debugLinesPass } from './passes/debug-lines-pass.js';
export { overlayPass } from './passes/overlay-pass.js';
export type { MeshInstances } from './scene/mesh-instances.js';
export type { LightBuffer } from './scene/light-buffer.js';
export type { BlendedDraws } from './scene/blended-draws.js';
export type { DeformedInstance, DeformedVertices } from './scene/deformed-vertices.js';
export type { DebugLines } from './scene/debug-lines.js';
export type { OverlayQuads } from './scene/overlay-quads.js';
export type { Bucket, DrawPart, InstanceBuckets } from './scene/instance-buckets.js';
export type { LocalSphere, WorldSpheres } from './scene/world-spheres.js';
export type { MeshVariant } from './scene/mesh-variant.js';
export type { GpuTimer } from './device/gpu-timer.js';
