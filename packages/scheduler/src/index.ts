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
export type { MessagePayload } from './queue/message-codec.js';
export {
  optional,
  readersOf,
  writersOf,
  type OrderReference,
  type SystemSelection,
} from './schedule/order-reference.js';
export type { AccessTarget } from './schedule/access.js';
