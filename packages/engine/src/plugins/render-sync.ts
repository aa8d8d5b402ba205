import { NANOSECONDS_PER_SECOND, NIL_UUID } from '@ecliptic/core';
import {
  type FrameBudget,
  type FrameTimes,
  type MailboxWriter,
  type OverlayState,
  type PoseKernel,
  type RenderBackend,
  type RenderLoop,
  type RenderSync,
  type RenderThread,
  type TargetSize,
} from '@ecliptic/render-sync';
import type { FrameState, Surface } from '../frame/frame-state.js';
import type { GameTime } from '../frame/game-time.js';
import type { LifecycleStep, SubsystemPlugin } from '../lifecycle/lifecycle-step.js';
import { CLOCK, CONFIG } from '../services/engine-tokens.js';
import { createToken, type Token } from '../services/token.js';
import { ASSET_MANAGER } from './assets.js';
import { SCENE } from './ecs.js';
import { createHandOver, type RenderHandOver, type RenderThreadSetup } from './render-hand-over.js';
import { WORLD_TICK } from './world-tick.js';

/** Part of a clean-up's time-out after which a thread that hangs is terminated, so that this still counts as cleaned up. */
const STOP_SHARE = 0.8;

/** The simulation's side of the hand-over: render scene, bindings, uploads. */
export const RENDER_SYNC: Token<RenderSync> = createToken<RenderSync>('renderSync.sync');
/** The renderer's side, where it is on this thread. */
export const RENDER_LOOP: Token<RenderLoop> = createToken<RenderLoop>('renderSync.loop');
/** The renderer's thread, where it has one. */
export const RENDER_THREAD: Token<RenderThread> = createToken<RenderThread>('renderSync.thread');
/** Where hooks at `overlay` publish what is drawn over the scene. */
export const OVERLAYS: Token<MailboxWriter<OverlayState>> =
  createToken<MailboxWriter<OverlayState>>('renderSync.overlays');

const RENDER_HAND_OVER: Token<RenderHandOver> = createToken<RenderHandOver>('renderSync.handOver');

/** Options of {@link renderSync}. */
export interface RenderSyncPluginOptions {
  /**
   * The renderer, on this thread; by default one that checks everything and draws nothing. The engine disposes of it.
   */
  readonly backend?: RenderBackend;
  /** How to make a renderer on a thread of its own, instead of `backend`: a worker whose module calls `serveRender`. */
  readonly thread?: RenderThreadSetup;
  /** Size of what is drawn to where the platform has no surface. By default nothing is drawn there. */
  readonly target?: TargetSize;
  /** Overrides the configuration's budget of instances; lights and cameras. */
  readonly budget?: Partial<FrameBudget>;
  /**
   * Computes matrices; JavaScript by default. `await loadPoseKernel()`, of `@ecliptic/render-sync`, is several times as fast where WebAssembly is
   * allowed. It serves one engine, and needs `capacity` where the configuration's `memory.entities` are more than 65,536.
   */
  readonly kernel?: PoseKernel;
}

/**
 * From components to frames: transforms, lights and cameras are taken to the render scene, and a complete frame state is published,
 * once a frame; assets that are ready are uploaded. The renderer runs on a thread of its own, or on this one. A renderer that
 * fails ends one frame with its error. Where frames go on after errors (`onFrameError: 'continue'`), so does the simulation, without a
 * picture; `RenderSync.attach` gives it another renderer.
 *
 * Binds {@link RENDER_SYNC}, {@link RENDER_LOOP} or {@link RENDER_THREAD}, and {@link OVERLAYS}; needs {@link SCENE}.
 */
export function renderSync(options: RenderSyncPluginOptions = {}): SubsystemPlugin {
  const { backend, thread, target, budget, kernel } = options;
  return {
    id: 'ecliptic.renderSync',
    after: ['ecliptic.ecs', 'ecliptic.worldTick', 'ecliptic.assets'],
    configure(services) {
      services.bindFactory(
        RENDER_HAND_OVER,
        [SCENE, CLOCK, CONFIG],
        (scene, clock, { memory, timeouts }) =>
          createHandOver({
            scene,
            clock,
            backend,
            thread,
            kernel,
            assets: services.find(ASSET_MANAGER),
            budget: { instances: memory.renderInstances, ...budget },
            stopTimeout: timeouts.cleanup * STOP_SHARE * NANOSECONDS_PER_SECOND,
          }),
      );
      services.bindFactory(RENDER_SYNC, [RENDER_HAND_OVER], ({ sync }) => sync);
      if (thread === undefined) {
        services.bindFactory(RENDER_LOOP, [RENDER_HAND_OVER], ({ loop }) => loop as RenderLoop);
      } else {
        services.bindFactory(
          RENDER_THREAD,
          [RENDER_HAND_OVER],
          (both) => both.thread as RenderThread,
        );
      }
      services.bindFactory(OVERLAYS, [RENDER_HAND_OVER], ({ overlays }) => overlays);
    },
    steps: [renderResources(target), FALLBACK_TEXTURE, RENDER_PIPELINE, START_RENDERING],
    initialize({ get, find, frame }) {
      const { hierarchy, systems } = systemsOf(get(RENDER_SYNC));
      const worldTick = find(WORLD_TICK);
      if (worldTick) for (const system of systems) worldTick.registerSystem(system);
      else frame.on('snapshot', 'update the hierarchy', () => void hierarchy.updateWorld());
    },
  };
}

function systemsOf(sync: RenderSync) {
  // The others take what is drawn to the render scene, which is later in the frame than the systems: at `sync`.
  const systems = sync.systems().filter(({ updateKind }) => updateKind === 'tick');
  return { hierarchy: sync.hierarchy, systems };
}

function renderResources(target: TargetSize | undefined): LifecycleStep {
  return {
    name: 'RenderResources',
    at: 'renderResources',
    needs: ['scene'],
    initialize({ get, frame, time }) {
      const sync = get(RENDER_SYNC);
      frame.on('sync', 'components to the render scene', ({ surface }) => {
        sync.setTarget(targetOf(surface, target));
        sync.sync();
      });
      frame.on('publish', 'publish the frame state', (state) => {
        sync.publish(timesOf(state, time));
      });
    },
    cleanups: [
      // No GPU work after this. A thread begins to start with this step, so it is this step's to stop.
      {
        at: 'renderThread',
        name: 'render thread',
        cleanup: ({ get }) => get(RENDER_HAND_OVER).thread?.stop(),
      },
      // It follows the scene, so it ends before that goes.
      { at: 'scene', name: 'RenderSync', cleanup: ({ get }) => get(RENDER_SYNC).dispose() },
    ],
  };
}

/** Under the nil uuid, for every texture that isn't there. */
const FALLBACK_TEXTURE: LifecycleStep = {
  name: 'fallback texture',
  at: 'fallbackTexture',
  needs: ['renderResources'],
  initialize({ get, find }) {
    const texture = find(ASSET_MANAGER)?.getTexture(NIL_UUID);
    if (texture) get(RENDER_SYNC).outbox.post({ kind: 'texture', uuid: NIL_UUID, texture });
  },
};

/** A renderer on this thread prepares its device here; one on its own does it there. */
const RENDER_PIPELINE: LifecycleStep = {
  name: 'render pipeline',
  at: 'renderPipeline',
  needs: ['renderResources'],
  initialize: ({ get }) => get(RENDER_HAND_OVER).loop?.initialize(),
  cleanups: [{ at: 'renderPipeline', cleanup: ({ get }) => get(RENDER_HAND_OVER).loop?.dispose() }],
};

const START_RENDERING: LifecycleStep = {
  name: 'render thread',
  at: 'renderThread',
  needs: ['renderPipeline'],
  async initialize({ get, frame }) {
    const handOver = get(RENDER_HAND_OVER);
    await handOver.thread?.started;
    frame.on('publish', 'draw', drawing(handOver));
  },
};

/** Draws; an error that lasts is thrown once. */
function drawing({ loop, thread }: RenderHandOver): () => void {
  let known: unknown;
  return () => {
    try {
      if (thread?.failure) throw thread.failure;
      loop?.runOnce();
    } catch (error) {
      if (error === known) return;
      known = error;
      throw error;
    }
  };
}

function targetOf(surface: Surface, headless: TargetSize | undefined): TargetSize {
  const { width, height, pixelRatio } = surface;
  if (width === 0 && headless) return headless;
  return {
    width: Math.round(width * pixelRatio),
    height: Math.round(height * pixelRatio),
    pixelRatio,
  };
}

function timesOf({ now, alpha }: FrameState, time: GameTime): FrameTimes {
  const stepDuration = time.fixedDelta * NANOSECONDS_PER_SECOND;
  const timeScale = time.paused ? 0 : time.scale;
  const sinceStep = timeScale > 0 ? (alpha * stepDuration) / timeScale : 0;
  return {
    tick: time.stepCount,
    tickTime: Math.round(now - sinceStep),
    stepDuration,
    alpha,
    frameTime: now,
    timeScale,
  };
}
