import type { RemoteError } from '@ecliptic/core';
import type { FrameBudget } from '../frame-state/frame-state-layout.js';
import type { RenderLoopStats } from '../loop/render-loop.js';
import type { MailboxHandle } from '../mailbox/create-mailbox.js';
import type { RenderResourceStats } from '../resources/render-resources.js';

/** First message to a render worker: all ends of the channels. */
export interface RenderStart {
  readonly kind: 'ecliptic:render-start';
  readonly frames: MailboxHandle;
  readonly overlays: MailboxHandle;
  readonly messages: MessagePort;
  readonly budget: FrameBudget;
  readonly overlayQuads: number;
  /** The engine's clock and the wall clock at one moment, to bring this thread's clock in line. */
  readonly engineTime: number;
  readonly wallTime: number;
  /** Nanoseconds a frame at least, where no display sets the pace. */
  readonly framePeriod: number;
  readonly surface: unknown;
  readonly config: unknown;
}

/** What the owner says afterwards. */
export type RenderRequest =
  | { readonly kind: 'ecliptic:render-stop' }
  | { readonly kind: 'ecliptic:render-stats'; readonly id: number };

/** Counters of a render thread. */
export interface RenderThreadStats {
  /** Name of the backend. */
  readonly backend: string;
  readonly loop: RenderLoopStats;
  readonly resources: RenderResourceStats;
  /** What the backend counts, if it does. */
  readonly backendStats: unknown;
}

/** What a render worker says. */
export type RenderAnswer =
  | { readonly kind: 'ecliptic:render-ready' }
  | { readonly kind: 'ecliptic:render-stopped' }
  | { readonly kind: 'ecliptic:render-failed'; readonly error: RemoteError }
  | {
      readonly kind: 'ecliptic:render-stats';
      readonly id: number;
      readonly stats: RenderThreadStats;
    };

/** Milliseconds of the wall clock, the same in all threads of a process or page. */
export function wallTime(): number {
  return performance.timeOrigin + performance.now();
}
