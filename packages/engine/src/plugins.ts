/**
 * The packages of Ecliptic as plugins, each with the tokens of its services. Every one can be left out, or replaced by one that
 * binds the same tokens.
 *
 * @packageDocumentation
 */
export { ecs, COMMANDS, SCENE } from './plugins/ecs.js';
export { worldTick, SYSTEM_RELOADER, WORLD_TICK } from './plugins/world-tick.js';
export { type SystemReloader } from './plugins/system-reloader.js';
export { mainThreadQueue, MAIN_THREAD_QUEUE } from './plugins/main-thread-queue.js';
export { scheduler, type SchedulerOptions } from './plugins/scheduler.js';
export { actors, ACTORS } from './plugins/actors.js';
export { vfs, VFS } from './plugins/vfs.js';
export { cameraControl, CAMERA_CONTROLLER } from './plugins/camera-control.js';
export {
  assets,
  ARTIFACT_STORE,
  ASSET_HOT_RELOAD,
  ASSET_IDENTITY,
  ASSET_MANAGER,
  ASSET_REGISTRY,
  IMPORT_COORDINATOR,
  IMPORTERS,
  type AssetsOptions,
} from './plugins/assets.js';
export {
  renderSync,
  OVERLAYS,
  RENDER_LOOP,
  RENDER_SYNC,
  RENDER_THREAD,
  type RenderSyncPluginOptions,
} from './plugins/render-sync.js';
export type { RenderThreadSetup } from './plugins/render-hand-over.js';
