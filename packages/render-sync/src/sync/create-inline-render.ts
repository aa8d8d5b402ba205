import type { Clock, EventLog } from '@ecliptic/core';
import type { Scene } from '@ecliptic/ecs';
import type { RenderBackend } from '../backend/render-backend.js';
import type { FrameBudget } from '../frame-state/frame-state-layout.js';
import { frameStateFormat } from '../frame-state/frame-state-format.js';
import type { PoseKernel } from '../hierarchy/pose-kernel.js';
import { RenderLoop } from '../loop/render-loop.js';
import { createMailbox, openMailbox } from '../mailbox/create-mailbox.js';
import type { MailboxWriter } from '../mailbox/mailbox.js';
import type { RenderMessage } from '../messages/render-message.js';
import { overlayStateFormat, type OverlayState } from '../overlay/overlay-state.js';
import { memoryLinks } from '../queue/message-link.js';
import { ReliableReceiver, ReliableSender } from '../queue/reliable-queue.js';
import type { RenderAssets } from '../resources/asset-uploads.js';
import { RenderSync } from './render-sync.js';

/** Options of {@link createInlineRender}. */
export interface InlineRenderOptions {
  readonly scene: Scene;
  readonly backend: RenderBackend;
  readonly clock: Clock;
  readonly budget?: Partial<FrameBudget>;
  readonly kernel?: PoseKernel;
  readonly assets?: RenderAssets;
  readonly log?: EventLog;
}

/** Both sides of the hand-over in one thread. */
export interface InlineRender {
  readonly sync: RenderSync;
  readonly loop: RenderLoop;
  readonly overlays: MailboxWriter<OverlayState>;
}

/**
 * Wires simulation and renderer within one thread: for servers, tests and machines without threads. Call
 * `loop.initialize()` before the first frame, `loop.runOnce()` after each publication, and in the end
 * `sync.dispose()` and `loop.dispose()`. It is the code that a render thread runs, so what works here
 * works there.
 */
export function createInlineRender(options: InlineRenderOptions): InlineRender {
  const { scene, backend, clock, budget = {} } = options;
  const format = frameStateFormat(budget);
  // Within one thread shared memory needs no isolation, so the buffer kind is whatever there is.
  const frames = createMailbox(format);
  const overlays = createMailbox(overlayStateFormat());
  const [near, far] = memoryLinks();
  const log = options.log === undefined ? {} : { log: options.log };
  const sync = new RenderSync({
    scene,
    frames: frames.writer,
    messages: new ReliableSender<RenderMessage>(near),
    budget,
    ...(options.kernel === undefined ? {} : { kernel: options.kernel }),
    ...(options.assets === undefined ? {} : { assets: options.assets }),
    ...log,
  });
  const loop = new RenderLoop({
    backend,
    frames: openMailbox(frames.handle, format),
    overlays: openMailbox(overlays.handle, overlayStateFormat()),
    messages: new ReliableReceiver<RenderMessage>(far),
    clock,
    ...log,
  });
  return { sync, loop, overlays: overlays.writer };
}
