import type { MainThreadQueueOptions, WorldTickOptions } from '@ecliptic/scheduler';
import type { SubsystemPlugin } from '../lifecycle/lifecycle-step.js';
import { mainThreadQueue } from './main-thread-queue.js';
import { worldTick } from './world-tick.js';

/** Options of {@link scheduler}. */
export interface SchedulerOptions extends WorldTickOptions {
  /** Options of the queue for the main thread. */
  readonly queue?: MainThreadQueueOptions;
}

/** Everything of `@ecliptic/scheduler`: a preset of {@link worldTick} and {@link mainThreadQueue}. */
export function scheduler(options: SchedulerOptions = {}): readonly SubsystemPlugin[] {
  const { queue, ...systems } = options;
  return [worldTick(systems), mainThreadQueue(queue)];
}
