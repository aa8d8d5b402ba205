import type { EventLog } from '@ecliptic/core';
import type { LoopConfig } from '../config/engine-config.js';
import type { Closing } from '../lifecycle/closing.js';
import { EngineFrameError } from '../lifecycle/engine-errors.js';
import type { MainLoop } from './main-loop.js';

/** What {@link runFrames} needs. */
export interface RunFramesOptions {
  readonly loop: MainLoop;
  readonly closing: Closing;
  readonly config: LoopConfig;
  readonly log: EventLog;
  /** Ends it too. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs frames at the loop's pace until the engine is told to close.
 *
 * @throws EngineFrameError if a frame fails and the configuration says `stop`
 */
export async function runFrames(options: RunFramesOptions): Promise<void> {
  const { loop, closing, signal } = options;
  const onAbort = (): void => closing.request('aborted', 'the signal of run() was aborted');
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    while (closing.why === undefined) {
      await runFrame(options);
      await loop.pace(closing.signal);
    }
  } catch (error) {
    closing.request('failed', String(error));
    throw error;
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

async function runFrame({ loop, config, log }: RunFramesOptions): Promise<void> {
  try {
    await loop.frame();
  } catch (error) {
    if (config.onFrameError === 'continue' && error instanceof EngineFrameError) {
      log.error('frame_failed', { plugin: error.plugin, step: error.step, error });
      return;
    }
    throw error;
  }
}
