import { mkdir } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { gltfImporter, type ImportReport } from '@ecliptic/assets';
import { type Clock, NANOSECONDS_PER_SECOND, systemClock } from '@ecliptic/core';
import { createEngine, type Engine, type MountSpec } from '@ecliptic/engine';
import { nodePlatform } from '@ecliptic/engine/node';
import {
  actors,
  assets,
  ecs,
  renderSync,
  scheduler,
  vfs,
  WORLD_TICK,
} from '@ecliptic/engine/plugins';
import { loadPoseKernel } from '@ecliptic/render-sync';
import { diskBackend } from '@ecliptic/vfs/node';
import { mountFolders } from './mount-folders.js';
import type { Target } from './open-target.js';
import type { PictureBackend } from './page/picture-backend.js';
import { orrery } from './orrery-plugin.js';
import { inlineRendering, threadRendering, type Rendering } from './render/rendering.js';

/** Where cooked artifacts are mounted. */
const CACHE = '/.cache';
const DEFAULT_SIZE = { width: 1_280, height: 720 };

/** What to run. */
export interface RunOptions {
  readonly target: Target;
  /** Simulated time. */
  readonly seconds: number;
  readonly fps: number;
  readonly asteroids: number | undefined;
  /** Which systems run on workers: those where it pays (default), all that may, or none. */
  readonly offload?: 'auto' | 'always' | 'never';
  /** Pixels of the target; 1280 × 720 if left out. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /**
   * A renderer that is to draw the last frame, on this thread. By default a null renderer on a thread of its own checks the frames
   * that it takes, and draws nothing.
   */
  readonly picture?: PictureBackend | undefined;
  /** Absolute folder that keeps cooked artifacts from run to run; made if missing. Without one every run imports. */
  readonly cache?: string;
}

/** A finished run. The engine is still live: read it, then shut it down. */
export interface Run {
  readonly engine: Engine;
  readonly rendering: Rendering;
  readonly imports: readonly ImportReport[];
  /** Real time, milliseconds. */
  readonly startUp: number;
  readonly simulation: number;
}

/** Composes the engine, runs it for a while of simulated time as fast as it goes, and leaves it live. */
export async function runOrrery(options: RunOptions): Promise<Run> {
  const clock = new SimulatedClock();
  const imports: ImportReport[] = [];
  const { picture } = options;
  const target = { ...(options.size ?? DEFAULT_SIZE), pixelRatio: 1 };
  const started = performance.now();
  const cache = await openCache(options.cache);
  const engine = createEngine({
    // Ctrl+C ends the process: nothing here has to be saved first.
    platform: nodePlatform({ signals: [] }),
    mounts: [...(await mountFolders(options.target.folders)), ...cache],
    clock,
    plugins: [
      ecs({ name: 'orrery' }),
      scheduler({
        clock: systemClock(),
        workers: { create: systemsWorker, offload: options.offload ?? 'auto' },
      }),
      actors(),
      vfs(),
      assets([gltfImporter()], {
        hotReload: false,
        ...(cache.length > 0 ? { cache: CACHE } : {}),
      }),
      renderSync({
        target,
        kernel: await loadPoseKernel(),
        ...(picture ? { backend: picture } : { thread: { worker: renderWorker } }),
      }),
      orrery({
        show: options.target.show,
        asteroids: options.asteroids,
        onImported: (reports) => imports.push(...reports),
      }),
    ],
  });
  await engine.initialize();
  if (options.offload !== 'never') await engine.get(WORLD_TICK).workersReady();
  const ready = performance.now();
  try {
    await simulate(engine, clock, options);
    const simulation = performance.now() - ready;
    const rendering = picture
      ? inlineRendering(engine, picture.checker)
      : await threadRendering(engine);
    return { engine, rendering, imports, startUp: ready - started, simulation };
  } catch (error) {
    await engine.shutdown();
    throw error;
  }
}

/** Imports what a target shows, so that who has `cache` needn't. */
export async function cook(target: Target, cache: string): Promise<void> {
  const nothing = { seconds: 0, fps: 1, asteroids: 0, offload: 'never' } as const;
  const { engine } = await runOrrery({ target, cache, ...nothing });
  await engine.shutdown();
}

function systemsWorker(): Worker {
  return new Worker(new URL('./systems/systems.worker.js', import.meta.url));
}

function renderWorker(): Worker {
  return new Worker(new URL('./render/checking.worker.js', import.meta.url));
}

async function openCache(folder: string | undefined): Promise<readonly MountSpec[]> {
  if (folder === undefined) return [];
  await mkdir(folder, { recursive: true });
  return [{ at: CACHE, backend: diskBackend(folder) }];
}

async function simulate(
  engine: Engine,
  clock: SimulatedClock,
  { seconds, fps, picture }: RunOptions,
): Promise<void> {
  const frames = Math.ceil(seconds * fps);
  // The first frame only notes the time: what it shows is the state before the first step.
  for (let frame = 0; frame <= frames; frame++) {
    if (picture && frame === frames) picture.armed = true;
    clock.set(Math.round((frame * NANOSECONDS_PER_SECOND) / fps));
    await engine.runFrame();
  }
}

/** Simulated time moves a frame at a time; time-outs are of real time. */
class SimulatedClock implements Clock {
  readonly #real = systemClock();
  #now = 0;

  now(): number {
    return this.#now;
  }

  /** @param to - nanoseconds since the start */
  set(to: number): void {
    this.#now = to;
  }

  schedule(delay: number, callback: () => void): () => void {
    return this.#real.schedule(delay, callback);
  }
}
