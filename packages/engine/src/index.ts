/**
 * Composes the packages of Ecliptic, and yours, into an engine: services, plugins, lifecycle, the main loop.
 *
 * @packageDocumentation
 */
import 'reflect-metadata';

export { createEngine, type EngineOptions } from './engine/create-engine.js';
export type { Engine } from './engine/engine.js';
export type { EngineState } from './engine/engine-state.js';
export type { EngineContext } from './engine/engine-context.js';
export type { EnginePlugin, PluginOption, StopReason } from './plugin/engine-plugin.js';
export type { LifecycleStep, StepCleanup, SubsystemPlugin } from './lifecycle/lifecycle-step.js';
export {
  INITIALIZATION_ORDER,
  SHUTDOWN_ORDER,
  type InitializationPlace,
  type ShutdownPlace,
  type StepPlace,
} from './lifecycle/places.js';
export {
  CleanupError,
  EngineFrameError,
  EngineInitializationError,
  EngineShutdownError,
} from './lifecycle/engine-errors.js';
export {
  parseEngineConfig,
  type EngineConfig,
  type EngineConfigInput,
  type LoopConfig,
  type MemoryConfig,
  type TimeoutConfig,
} from './config/engine-config.js';
export { FRAME_PLACES, type FramePlace } from './frame/frame-places.js';
export type { FrameHook, FrameHookOptions, FrameHooks } from './frame/frame-hooks.js';
export type { FrameState, Surface } from './frame/frame-state.js';
export { type GameTime } from './frame/game-time.js';
export { type Input } from './input/input-latch.js';
export { type InputState } from './input/input-state.js';
export type {
  BlurEvent,
  ButtonEvent,
  InputEvent,
  PointerEvent,
  WheelEvent,
} from './input/input-event.js';
export type { EnginePlatform, PackagedAssets, PlatformHost } from './platform/engine-platform.js';
export type {
  CloseEvent,
  PlatformEvent,
  ResizeEvent,
  VisibilityEvent,
} from './platform/platform-event.js';
export { headlessPlatform, type HeadlessPlatform } from './platform/headless-platform.js';
export { createToken, type Token } from './services/token.js';
export {
  type BindOptions,
  type ServiceRegistry,
  type ServicesOf,
} from './services/service-registry.js';
export { type ServiceClass } from './services/injected-tokens.js';
export {
  CLOCK,
  CONFIG,
  EPOCHS,
  INPUT,
  LOG,
  MOUNTS,
  PLATFORM,
  TIME,
  type MountSpec,
} from './services/engine-tokens.js';
export { type CameraController } from './camera/camera-controller.js';
export { FlyController, type FlyControllerOptions } from './camera/fly-controller.js';
export { OrbitController, type OrbitControllerOptions } from './camera/orbit-controller.js';
