import type { Engine } from '@ecliptic/engine';
import { RENDER_LOOP, RENDER_SYNC, RENDER_THREAD } from '@ecliptic/engine/plugins';
import type { NullBackend, NullBackendStats, RenderLoopStats } from '@ecliptic/render-sync';

/** What became of the frames of a run. */
export interface Rendering {
  readonly onThread: boolean;
  readonly loop: RenderLoopStats;
  readonly checked: NullBackendStats;
}

/** Of a renderer on this thread, whose checks a null renderer did. */
export function inlineRendering(engine: Engine, checker: NullBackend): Rendering {
  return { onThread: false, loop: engine.get(RENDER_LOOP).stats, checked: checker.stats };
}

/**
 * Of a null renderer on its own thread, once it has drawn the last frame that was published.
 *
 * @throws whatever the renderer failed with
 */
export async function threadRendering(engine: Engine): Promise<Rendering> {
  const thread = engine.get(RENDER_THREAD);
  const { published } = engine.get(RENDER_SYNC).frameStats;
  for (;;) {
    const stats = await thread.stats();
    if (stats === undefined) throw thread.failure ?? new Error('The render thread has ended');
    if (stats.loop.sequence === published) {
      const checked = stats.backendStats as NullBackendStats;
      return { onThread: true, loop: stats.loop, checked };
    }
  }
}
