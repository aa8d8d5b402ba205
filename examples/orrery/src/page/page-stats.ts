import { NANOSECONDS_PER_MILLISECOND } from '@ecliptic/core';
import type { ImportReport } from '@ecliptic/assets';
import type { Engine } from '@ecliptic/engine';
import { RENDER_LOOP, RENDER_THREAD, SCENE, WORLD_TICK } from '@ecliptic/engine/plugins';
import type { RenderLoopStats } from '@ecliptic/render-sync';
import type { WebGpuBackendStats } from '@ecliptic/render-webgpu';
import type { FrameRate } from './frame-rate.js';
import type { PageStats } from './page-messages.js';

/** How fast both threads make frames. */
export interface FrameRates {
  readonly simulation: FrameRate;
  readonly rendering: FrameRate;
}

/** What the page's panel shows. */
export async function pageStats(
  engine: Engine,
  rates: FrameRates,
  imports: readonly ImportReport[],
): Promise<PageStats> {
  const { paused, totalSeconds, stepCount, dropped } = engine.time;
  const thread = engine.services.find(RENDER_THREAD);
  const { width, height, pixelRatio } = engine.frameState.surface;
  return {
    paused,
    seconds: totalSeconds,
    steps: stepCount,
    dropped,
    models: {
      cooked: imports.filter(({ status }) => status === 'unchanged').length,
      imported: imports.filter(({ status }) => status === 'imported').length,
      failed: imports.filter(({ status }) => status === 'failed').map(failure),
    },
    picture: { width: Math.round(width * pixelRatio), height: Math.round(height * pixelRatio) },
    entities: engine.get(SCENE).entityCount,
    frame: rates.simulation.sample(engine.frameState.frame, performance.now()),
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
    renderer: await rendererStats(engine, rates.rendering),
  };
}

function failure({ path, diagnostics }: ImportReport): PageStats['models']['failed'][number] {
  const [first] = diagnostics.filter(({ severity }) => severity === 'error');
  return { path: path.text, reason: first ? `${first.message} [${first.code}]` : '' };
}

async function rendererStats(engine: Engine, rate: FrameRate): Promise<PageStats['renderer']> {
  const thread = engine.services.find(RENDER_THREAD);
  const inline = engine.services.find(RENDER_LOOP);
  const seen = thread
    ? await thread.stats()
    : inline && { loop: inline.stats, backendStats: inline.backend.stats };
  if (!seen) return undefined;
  const { frames }: RenderLoopStats = seen.loop;
  const { instances, visible, drawCalls, triangles, gpuTimes } =
    seen.backendStats as WebGpuBackendStats;
  const frame = rate.sample(frames, performance.now());
  return { frames, frame, instances, visible, drawCalls, triangles, gpuTimes };
}
