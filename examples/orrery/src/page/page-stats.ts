import { NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import type { ImportReport } from '@ecliptic/assets';
import type { Engine } from '@ecliptic/engine';
import { RENDER_LOOP, RENDER_THREAD, SCENE, WORLD_TICK } from '@ecliptic/engine/plugins';
import type { RenderLoopStats } from '@ecliptic/render-sync';
import type { WebGpuBackendStats } from '@ecliptic/render-webgpu';
import type { PageStats } from './page-messages.js';

/** What the page's panel shows. */
export async function pageStats(
  engine: Engine,
  frame: number,
  imports: readonly ImportReport[],
): Promise<PageStats> {
  const { paused, totalSeconds, stepCount, dropped } = engine.time;
  const thread = engine.services.find(RENDER_THREAD);
  return {
    paused,
    seconds: totalSeconds,
    steps: stepCount,
    dropped,
    models: {
      cooked: imports.filter(({ status }) => status === 'unchanged').length,
      imported: imports.filter(({ status }) => status === 'imported').length,
    },
    entities: engine.get(SCENE).entityCount,
    frame,
    systems: engine
      .get(WORLD_TICK)
      .metrics()
      .map(({ name, rows, mean, p99, workerShare }) => ({
        name,
        rows,
        mean: mean / NANOSECONDS_PER_MILLISECOND,
        p99: p99 / NANOSECONDS_PER_MILLISECOND,
        workerShare,
      })),
    sharedMemory: typeof SharedArrayBuffer === 'function',
    renderThread: thread !== undefined,
    renderer: await rendererStats(engine),
  };
}

async function rendererStats(engine: Engine): Promise<PageStats['renderer']> {
  const thread = engine.services.find(RENDER_THREAD);
  const inline = engine.services.find(RENDER_LOOP);
  const seen = thread
    ? await thread.stats()
    : inline && { loop: inline.stats, backendStats: inline.backend.stats };
  if (!seen) return undefined;
  const { frames, smoothedDelta }: RenderLoopStats = seen.loop;
  const { instances, visible, drawCalls, triangles, gpuTimes } =
    seen.backendStats as WebGpuBackendStats;
  const milliseconds = smoothedDelta / NANOSECONDS_PER_MILLISECOND;
  return { frames, frame: milliseconds, instances, visible, drawCalls, triangles, gpuTimes };
}
