/**
 * What stands between the simulation and a renderer: hierarchy, retained render scene, latest-state
 * mailboxes, the reliable queue and the render loop. No GPU code and no DOM.
 *
 * @packageDocumentation
 */
export type {
  MailboxReader,
  MailboxStats,
  MailboxWriter,
  SlotFormat,
  SlotState,
} from './mailbox/mailbox.js';
export {
  createSharedMailbox,
  sharedMailboxBytes,
  SharedMailboxReader,
  SharedMailboxWriter,
  sharedSlotStates,
  type SharedMailboxHandle,
} from './mailbox/shared-mailbox.js';
export { TransferMailboxReader, TransferMailboxWriter } from './mailbox/transfer-mailbox.js';
export {
  createMailbox,
  openMailbox,
  type Mailbox,
  type MailboxHandle,
  type MailboxOptions,
  type TransferMailboxHandle,
} from './mailbox/create-mailbox.js';
export { memoryLinks, portLink, type MessageLink } from './queue/message-link.js';
export {
  DEFAULT_QUEUE_CAPACITY,
  ReliableReceiver,
  ReliableSender,
} from './queue/reliable-queue.js';
export { AFFINE_FLOATS, matrixToRows, rowsToMatrix } from './math/affine-rows.js';
export { RowsInterpolator } from './math/interpolate-rows.js';
export {
  CAMERA_FLOATS,
  DEFAULT_FRAME_BUDGET,
  DEBUG_LINE_FLOATS,
  DEFORM_INTS,
  FRAME_HEADER,
  frameStateLayout,
  INSTANCE_HIDDEN,
  INSTANCE_MOVING,
  LIGHT_FLOATS,
  LIGHT_KINDS,
  PROJECTIONS,
  SKY_KINDS,
  type FrameBudget,
  type FrameStateLayout,
} from './frame-state/frame-state-layout.js';
export { frameStateFormat, type FrameStateFormat } from './frame-state/frame-state-format.js';
export { RenderFrameState } from './frame-state/frame-state.js';
export type { VersionedRows } from './frame-state/row-pool.js';
export type { InstanceDescription, InstanceRecord } from './scene/instance-record.js';
export { NO_INSTANCE, RenderScene, type RenderSceneOptions } from './scene/render-scene.js';
export { RenderLights, type LightDescription } from './scene/render-lights.js';
export { RenderCameras, type CameraLens } from './scene/render-cameras.js';
export { DebugDraw, type DebugColor } from './debug/debug-draw.js';
export { RenderDeforms } from './scene/render-deforms.js';
export { RenderSky, type SkyDescription } from './scene/render-sky.js';
export type {
  EnvironmentUpload,
  MaterialUpload,
  MeshUpload,
  RenderMessage,
  ResourceKind,
  TextureUpload,
} from './messages/render-message.js';
export type {
  ReadBackAnswer,
  ReadBackRequest,
  ReadBackResult,
  Screenshot,
} from './messages/read-back.js';
export { ReadBacks } from './sync/read-backs.js';
export type { RenderBackend, TargetSize } from './backend/render-backend.js';
export { NullBackend, type NullBackendStats } from './backend/null-backend.js';
export { checkMesh, type MeshFacts } from './backend/check-mesh.js';
export { RenderResources, type RenderResourceStats } from './resources/render-resources.js';
export { FONT_ATLAS_UUID } from './overlay/font-atlas-uuid.js';
export { OverlayState, overlayStateFormat, QUAD, QUAD_FLOATS } from './overlay/overlay-state.js';
export { interpolationAlpha } from './loop/interpolation-alpha.js';
export { RenderView, type CameraView, type ResidentMeshes } from './loop/render-view.js';
export {
  createInlineRenderer,
  type InlineRenderer,
  type InlineRendererOptions,
} from './loop/create-inline-renderer.js';
export {
  RenderLoop,
  type RenderLoopOptions,
  type RenderLoopStats,
  type RenderOutcome,
} from './loop/render-loop.js';
export { NO_NODE, type ParentLinks } from './hierarchy/parent-links.js';
export { TransformTree } from './hierarchy/transform-tree.js';
export { PoseSet } from './hierarchy/pose-set.js';
export {
  LOCAL_FLOATS,
  type PoseArrays,
  type PoseKernel,
  type RowPoses,
} from './hierarchy/pose-kernel.js';
export type { PoseMemory } from './hierarchy/pose-memory.js';
export { InstanceKernel, loadInstanceKernel } from './loop/instance-kernel.js';
export type {
  InstanceEnd,
  LocalColumns,
  LocalPoses,
  NodeRows,
  PairColumns,
  RowKernel,
  WorldPoses,
  WorldRows,
} from './hierarchy/row-kernel.js';
export { javascriptPoseKernel } from './hierarchy/javascript-pose-kernel.js';
export { Outbox } from './queue/outbox.js';
export { SceneHierarchy, type SceneHierarchyOptions } from './sync/scene-hierarchy.js';
export { InstanceBindings } from './sync/instance-bindings.js';
export { TransformSync } from './sync/transform-sync.js';
export { LightSync } from './sync/light-sync.js';
export { CameraSync } from './sync/camera-sync.js';
export { DeformSync, type DeformSyncOptions, type SkinAssets } from './sync/deform-sync.js';
export { crossFade } from './animation/cross-fade.js';
export { AnimationPlayer, type AnimationAssets } from './animation/animation-player.js';
export { sampleAnimation, type SampleShape } from './animation/sample-animation.js';
export { RENDER_SYSTEMS, renderSystems, type RenderSystemsTarget } from './sync/render-systems.js';
export { RenderSync, type RenderSyncOptions } from './sync/render-sync.js';
export type { FrameTimes } from './sync/frame-times.js';
export type { RendererChannels } from './sync/renderer-channels.js';
export {
  createInlineRender,
  type InlineRender,
  type InlineRenderOptions,
} from './sync/create-inline-render.js';
export { RenderThread, type RenderThreadOptions } from './thread/render-thread.js';
export type { RenderThreadStats } from './thread/render-protocol.js';
export type { NodeWorkerLike, RenderWorker, WebWorkerLike } from './thread/worker-connection.js';
export { loadPoseKernel, type PoseKernelOptions } from './hierarchy/load-pose-kernel.js';
export { AssetUploads, type RenderAssets } from './resources/asset-uploads.js';
