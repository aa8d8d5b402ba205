import { gltfImporter, type ImportReport } from '@ecliptic/assets';
import { createEngine, type Engine, type EnginePlugin } from '@ecliptic/engine';
import type { EnginePlatform } from '@ecliptic/engine';
import { actors, assets, ecs, renderSync, scheduler, vfs } from '@ecliptic/engine/plugins';
import type { SchedulerOptions } from '@ecliptic/engine/plugins';
import { loadPoseKernel } from '@ecliptic/render-sync';
import { orrery } from '../orrery-plugin.js';
import { pageCamera } from './page-camera.js';
import { CACHE, pageMounts } from './page-mounts.js';
import { shownAt } from './page-places.js';

/** What the page's engine is made of. */
export interface PageEngineOptions {
  readonly platform: EnginePlatform;
  /** Address of the page. */
  readonly page: URL;
  readonly canvas: OffscreenCanvas;
  readonly asteroids: number | undefined;
  /** What the user does with it. */
  readonly controls: readonly EnginePlugin[];
  /** Told how each import ended, of changed files too. */
  readonly onReport: (report: ImportReport) => void;
}

/** Whether a worker of this browser can have workers of its own. */
const CAN_HAVE_WORKERS = typeof Worker === 'function';

/** Composes the engine of the page; it has to be initialized and run. */
export async function createPageEngine(options: PageEngineOptions): Promise<Engine> {
  const { platform, page, canvas, asteroids, controls, onReport } = options;
  const show = shownAt(page);
  // All at the same time.
  const [mounts, rendering, kernel] = await Promise.all([
    pageMounts(page, show),
    renderingOn(canvas),
    loadPoseKernel(),
  ]);
  return createEngine({
    platform,
    mounts,
    config: { loop: { frameRateCap: 120 } },
    plugins: [
      ecs({ name: 'orrery' }),
      scheduler(systemThreads()),
      actors(),
      vfs(),
      assets([gltfImporter()], { cache: CACHE, onReport }),
      renderSync({ ...rendering, kernel }),
      orrery({ show, asteroids }),
      pageCamera(),
      ...controls,
    ],
  });
}

/** A thread for the renderer. Without one it draws on this thread, and is loaded only then. */
async function renderingOn(canvas: OffscreenCanvas): Promise<Parameters<typeof renderSync>[0]> {
  if (!CAN_HAVE_WORKERS) {
    const { pageBackend } = await import('./page-backend.js');
    return { backend: pageBackend(canvas) };
  }
  const worker = new Worker(new URL('./render.worker.js', import.meta.url), { type: 'module' });
  return { thread: { worker: () => worker, surface: canvas } };
}

/**
 * Threads for the systems, where they pay: as many as there are cores beside this thread's and the renderer's. Without shared memory the
 * scheduler uses none.
 */
function systemThreads(): SchedulerOptions {
  const count = navigator.hardwareConcurrency - 2;
  if (!CAN_HAVE_WORKERS || count < 1) return {};
  return {
    workers: {
      count,
      create: () =>
        new Worker(new URL('../systems/systems.worker.js', import.meta.url), { type: 'module' }),
    },
  };
}
