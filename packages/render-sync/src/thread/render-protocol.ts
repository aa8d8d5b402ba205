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

/** An error as it travels. */
export interface PackedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: string | undefined;
}

/** What a render worker says. */
export type RenderAnswer =
  | { readonly kind: 'ecliptic:render-ready' }
  | { readonly kind: 'ecliptic:render-stopped' }
  | { readonly kind: 'ecliptic:render-failed'; readonly error: PackedError }
  | {
      readonly kind: 'ecliptic:render-stats';
      readonly id: number;
      readonly stats: RenderThreadStats;
    };

/** Milliseconds of the wall clock, the same in all threads of a process or page. */
export function wallTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Makes an error fit to travel. */
export function packError(error: unknown): PackedError {
  const known = error instanceof Error ? error : new Error(String(error));
  const code = 'code' in known && typeof known.code === 'string' ? known.code : undefined;
  return { name: known.name, message: known.message, stack: known.stack, code };
}

/** The error that {@link packError} packed, with the stack of the thread that threw it. */
export function unpackError({ name, message, stack, code }: PackedError): Error {
  const error = Object.assign(new Error(message), {
    name,
    ...(code === undefined ? {} : { code }),
  });
  if (stack !== undefined) error.stack = stack;
  return error;
}
