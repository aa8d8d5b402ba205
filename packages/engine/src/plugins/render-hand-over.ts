import type { Clock } from '@ecliptic/core';
import type { Scene } from '@ecliptic/ecs';
import {
  createInlineRender,
  NullBackend,
  RenderSync,
  RenderThread,
  type FrameBudget,
  type MailboxWriter,
  type OverlayState,
  type PoseKernel,
  type RenderAssets,
  type RenderBackend,
  type RenderLoop,
  type RenderThreadOptions,
} from '@ecliptic/render-sync';

/** How a renderer on a thread of its own is made. */
export type RenderThreadSetup = Pick<
  RenderThreadOptions,
  'worker' | 'surface' | 'config' | 'frameRate' | 'overlayQuads' | 'shared'
>;

/** What a {@link RenderHandOver} is made of. */
export interface RenderHandOverOptions {
  readonly scene: Scene;
  readonly clock: Clock;
  readonly budget: Partial<FrameBudget>;
  readonly kernel: PoseKernel | undefined;
  /** What is uploaded; nothing where there are no assets. */
  readonly assets: RenderAssets | undefined;
  /** For a renderer on this thread. */
  readonly backend: RenderBackend | undefined;
  /** For a renderer on its own. */
  readonly thread: RenderThreadSetup | undefined;
  /** Nanoseconds that a thread may take to end. */
  readonly stopTimeout: number;
}

/** Both sides of the hand-over, whether the renderer has a thread of its own or not. */
export interface RenderHandOver {
  readonly sync: RenderSync;
  readonly overlays: MailboxWriter<OverlayState>;
  /** The renderer, where it is on this thread. */
  readonly loop: RenderLoop | undefined;
  /** Its thread, where it has one. */
  readonly thread: RenderThread | undefined;
}

/** Wires the two sides; a thread begins to start. */
export function createHandOver(options: RenderHandOverOptions): RenderHandOver {
  const { scene, clock, budget, kernel, backend, thread: setup } = options;
  const shared = {
    scene,
    budget,
    ...(kernel === undefined ? {} : { kernel }),
    ...(options.assets === undefined ? {} : { assets: options.assets }),
  };
  if (setup === undefined) {
    const inline = createInlineRender({ ...shared, clock, backend: backend ?? new NullBackend() });
    return { ...inline, thread: undefined };
  }
  const thread = new RenderThread({ ...setup, clock, budget, stopTimeout: options.stopTimeout });
  const sync = new RenderSync({ ...shared, frames: thread.frames, messages: thread.messages });
  return { sync, overlays: thread.overlays, loop: undefined, thread };
}
