import type { Clock, EventLog } from '@ecliptic/core';
import type { RenderBackend } from '../backend/render-backend.js';
import type { FrameBudget } from '../frame-state/frame-state-layout.js';
import { frameStateFormat } from '../frame-state/frame-state-format.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { createMailbox, openMailbox } from '../mailbox/create-mailbox.js';
import type { MailboxWriter } from '../mailbox/mailbox.js';
import type { RenderMessage } from '../messages/render-message.js';
import { overlayStateFormat, type OverlayState } from '../overlay/overlay-state.js';
import { memoryLinks } from '../queue/message-link.js';
import { ReliableReceiver, ReliableSender } from '../queue/reliable-queue.js';
import { RenderLoop } from './render-loop.js';

/** Options of {@link createInlineRenderer}. */
export interface InlineRendererOptions {
  readonly backend: RenderBackend;
  readonly clock: Clock;
  /** That of what publishes to it. */
  readonly budget?: Partial<FrameBudget>;
  readonly log?: EventLog;
}

/** A renderer within this thread, with the same ways to it as a `RenderThread` has. */
export interface InlineRenderer {
  readonly loop: RenderLoop;
  readonly frames: MailboxWriter<RenderFrameState>;
  readonly overlays: MailboxWriter<OverlayState>;
  readonly messages: ReliableSender<RenderMessage>;
}

/**
 * Makes a renderer within this thread: to go on after another one has failed, or without a {@link RenderSync}. To begin with both,
 * `createInlineRender` is shorter.
 *
 * @example
 * ```ts
 * const renderer = createInlineRenderer({ backend: new NullBackend(), clock });
 * await renderer.loop.initialize();
 * sync.attach(renderer);
 * ```
 */
export function createInlineRenderer(options: InlineRendererOptions): InlineRenderer {
  const { backend, clock, budget = {}, log } = options;
  const format = frameStateFormat(budget);
  // Within one thread shared memory needs no isolation, so the buffer kind is whatever there is.
  const frames = createMailbox(format);
  const overlays = createMailbox(overlayStateFormat());
  const [near, far] = memoryLinks();
  const loop = new RenderLoop({
    backend,
    frames: openMailbox(frames.handle, format),
    overlays: openMailbox(overlays.handle, overlayStateFormat()),
    messages: new ReliableReceiver<RenderMessage>(far),
    clock,
    ...(log === undefined ? {} : { log }),
  });
  const messages = new ReliableSender<RenderMessage>(near);
  return { loop, frames: frames.writer, overlays: overlays.writer, messages };
}
