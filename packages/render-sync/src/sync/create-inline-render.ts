import type { Scene } from '@ecliptic/ecs';
import type { PoseKernel } from '../hierarchy/pose-kernel.js';
import {
  createInlineRenderer,
  type InlineRendererOptions,
} from '../loop/create-inline-renderer.js';
import type { RenderLoop } from '../loop/render-loop.js';
import type { MailboxWriter } from '../mailbox/mailbox.js';
import type { OverlayState } from '../overlay/overlay-state.js';
import type { RenderAssets } from '../resources/asset-uploads.js';
import { RenderSync } from './render-sync.js';

/** Options of {@link createInlineRender}. */
export interface InlineRenderOptions extends InlineRendererOptions {
  readonly scene: Scene;
  readonly kernel?: PoseKernel;
  readonly assets?: RenderAssets;
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
  const { scene, kernel, assets, budget = {}, log } = options;
  const { loop, overlays, frames, messages } = createInlineRenderer(options);
  const sync = new RenderSync({
    scene,
    frames,
    messages,
    budget,
    ...(kernel === undefined ? {} : { kernel }),
    ...(assets === undefined ? {} : { assets }),
    ...(log === undefined ? {} : { log }),
  });
  return { sync, loop, overlays };
}
