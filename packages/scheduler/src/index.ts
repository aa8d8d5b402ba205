/**
 * Systems with declared access, in parallel waves; fixed steps, frame timing and frame caps; and the
 * queue of work for the main thread.
 *
 * @packageDocumentation
 */
export {
  FixedTimestepAccumulator,
  type FixedTimestepOptions,
} from './time/fixed-timestep-accumulator.js';
export { FrameTimer, type FrameTimerOptions } from './time/frame-timer.js';
export { FrameRateCap, type FrameRateCapOptions } from './time/frame-rate-cap.js';
export { MutableTimeStep, type TimeStep } from './time/time-step.js';
export { VirtualTime } from './time/virtual-time.js';
export { yieldToEventLoop } from './time/yield-to-event-loop.js';
export {
  MainThreadQueue,
  type MainThreadQueueConnection,
  type MainThreadQueueOptions,
} from './queue/main-thread-queue.js';
export {
  connectMainThreadQueue,
  type MainThreadPoster,
  type MainThreadQueueEndpoint,
} from './queue/main-thread-poster.js';
export type { SlotRingMemory } from './queue/slot-ring.js';
export type { MessagePayload } from './queue/message-codec.js';
export {
  ifPresent,
  readersOf,
  writersOf,
  type OrderReference,
  type SystemSelection,
} from './schedule/order-reference.js';
export type { AccessTarget } from './schedule/access.js';
export {
  defineSystem,
  type FailurePolicy,
  type PreparedQueries,
  type System,
  type SystemContext,
  type SystemDeclaration,
  type SystemDefinition,
  type SystemHooks,
  type SystemQueries,
  type SystemSetup,
  type WorkerQuery,
  type WorkerSystemContext,
  type WorkerSystemDefinition,
} from './system/system.js';
export type { SystemScene } from './system/system-scene.js';
export type { UpdateKind } from './schedule/schedule.js';
export { WorldTick } from './tick/world-tick.js';
export { DEFAULT_PHASES, type WorldTickOptions } from './tick/world-tick-options.js';
export type { ConflictPolicy, ScheduledWave } from './tick/committed-schedule.js';
export type { SystemId, SystemReference } from './tick/system-registry.js';
export type { SystemMetrics } from './tick/system-metrics.js';
export { SystemsFailedError } from './tick/system-errors.js';
export type { ChromeTrace, TraceEvent } from './tick/trace.js';
export type { WorkerOptions } from './workers/worker-options.js';
export type {
  NodeSystemsWorker,
  SystemsWorker,
  WebSystemsWorker,
} from './workers/systems-worker.js';
export {
  checkDeterminism,
  type DeterminismOptions,
  type DeterminismRun,
  type DeterminismSubject,
} from './testing/check-determinism.js';
export type { WorkerCommands } from './workers/worker-commands.js';
