import { EclipticError, Epochs, EventLog } from '@ecliptic/core';
import { clampAlpha } from '../loop/interpolation-alpha.js';
import type { EntityId, Scene } from '@ecliptic/ecs';
import type { System } from '@ecliptic/scheduler';
import type { TargetSize } from '../backend/render-backend.js';
import { DebugDraw } from '../debug/debug-draw.js';
import { DEFAULT_FRAME_BUDGET, type FrameBudget } from '../frame-state/frame-state-layout.js';
import type { RenderFrameState } from '../frame-state/frame-state.js';
import { requireBudget } from '../frame-state/require-budget.js';
import type { PoseKernel } from '../hierarchy/pose-kernel.js';
import type { MailboxStats } from '../mailbox/mailbox.js';
import type { RenderMessage } from '../messages/render-message.js';
import { Outbox } from '../queue/outbox.js';
import { AssetUploads, type RenderAssets } from '../resources/asset-uploads.js';
import { ResourceFrees } from '../resources/resource-frees.js';
import { RenderScene } from '../scene/render-scene.js';
import { AnimationPlayer } from '../animation/animation-player.js';
import { CameraSync } from './camera-sync.js';
import { DeformSync } from './deform-sync.js';
import type { FrameTimes } from './frame-times.js';
import { InstanceBindings } from './instance-bindings.js';
import { LightSync } from './light-sync.js';
import { ReadBacks } from './read-backs.js';
import { renderSystems } from './render-systems.js';
import type { RendererChannels } from './renderer-channels.js';
import { resourcesBelow } from './resources-below.js';
import { SceneHierarchy } from './scene-hierarchy.js';
import { TransformSync } from './transform-sync.js';

/** What a {@link RenderSync} is made of. */
export interface RenderSyncOptions extends RendererChannels {
  readonly scene: Scene;
  /** That of the frame mailbox. */
  readonly budget?: Partial<FrameBudget>;
  /** Computes matrices; default: JavaScript. */
  readonly kernel?: PoseKernel;
  /**
   * Where meshes, materials and textures come from, to upload them by themselves, and skins and animations. Default: the caller
   * posts uploads, and nothing is skinned or animated.
   */
  readonly assets?: RenderAssets;
  readonly log?: EventLog;
}

/**
 * The simulation's side of the hand-over: ECS → render scene → mailbox. After the fixed steps and
 * `scene.snapshotTransforms()` of a frame, call {@link RenderSync.sync} (or let the scheduler run
 * {@link RenderSync.systems}), then {@link RenderSync.publish}.
 *
 * @example
 * ```ts
 * const { sync, loop } = createInlineRender({ scene, clock, backend: new NullBackend() });
 * sync.setTarget({ width: 1280, height: 720, pixelRatio: 1 });
 * // each frame, after the fixed steps:
 * sync.sync();
 * sync.publish({ tick, tickTime, stepDuration, alpha, frameTime });
 * loop.runOnce();
 * ```
 */
export class RenderSync {
  readonly scene: Scene;
  readonly renderScene: RenderScene;
  readonly hierarchy: SceneHierarchy;
  readonly bindings: InstanceBindings;
  readonly transformSync: TransformSync;
  readonly lightSync: LightSync;
  readonly cameraSync: CameraSync;
  readonly deformSync: DeformSync;
  /** Plays animations; `undefined` when made without `assets`. */
  readonly animation: AnimationPlayer | undefined;
  /** Questions about the rendered image. */
  readonly readBacks: ReadBacks;
  /** Debug lines for one frame: what is drawn between two publications is in the second. */
  readonly frameDebug: DebugDraw;
  /** Debug lines for one fixed step, drawn by its systems: in each frame until the next step ends. */
  readonly stepDebug: DebugDraw;
  /** Ends `scene` when the scene is replaced, `size` with the target's, `run` on disposal. */
  readonly epochs: Epochs = new Epochs();
  /** For uploads and frees; flushed by {@link RenderSync.publish}. */
  readonly outbox: Outbox<RenderMessage>;
  /** Uploads of assets; `undefined` when made without `assets`. */
  readonly uploads: AssetUploads | undefined;
  readonly #frees: ResourceFrees;
  #channels: RendererChannels;
  readonly #log: EventLog;
  /** What {@link RenderSync.dispose} undoes, last first. */
  readonly #cleanUps: (() => void)[] = [];
  #target: TargetSize = { width: 0, height: 0, pixelRatio: 1 };

  /** @throws EclipticError `render-sync/frame-too-small` for frames of a smaller budget; the kernel's and the scene's own errors */
  constructor(options: RenderSyncOptions) {
    const { scene, frames, messages, kernel } = options;
    const budget = { ...DEFAULT_FRAME_BUDGET, ...options.budget };
    requireBudget(frames, budget);
    const log = options.log ?? new EventLog('render-sync');
    this.#log = log;
    this.scene = scene;
    this.#channels = { frames, messages };
    const cleanUps = this.#cleanUps;
    try {
      this.outbox = new Outbox(messages);
      cleanUps.push(() => this.outbox.clear());
      this.readBacks = new ReadBacks(this.outbox, messages);
      cleanUps.push(() => this.readBacks.dispose());
      this.hierarchy = new SceneHierarchy(scene, {
        log,
        instances: budget.instances,
        ...(kernel === undefined ? {} : { kernel }),
      });
      cleanUps.push(() => this.hierarchy.dispose());
      this.renderScene = new RenderScene({ budget, memory: this.hierarchy.kernel.rowMemory });
      cleanUps.push(() => this.renderScene.leaveMemory());
      this.#frees = new ResourceFrees(this.outbox, this.renderScene);
      const { debugLines } = this.renderScene.budget;
      this.frameDebug = new DebugDraw(debugLines, log);
      this.stepDebug = new DebugDraw(debugLines, log);
      cleanUps.push(scene.observeSnapshot(() => this.stepDebug.end()));
      this.bindings = new InstanceBindings(scene, this.renderScene, log);
      cleanUps.push(() => this.bindings.dispose());
      this.transformSync = new TransformSync(this.hierarchy, this.bindings, this.renderScene);
      this.lightSync = new LightSync(scene, this.hierarchy, this.renderScene, log);
      this.cameraSync = new CameraSync(scene, this.hierarchy, this.renderScene, log);
      this.deformSync = new DeformSync({
        scene,
        hierarchy: this.hierarchy,
        bindings: this.bindings,
        target: this.renderScene,
        skins: options.assets,
        log,
      });
      cleanUps.push(() => this.deformSync.dispose());
      this.animation = options.assets && new AnimationPlayer(scene, options.assets, log);
      this.uploads =
        options.assets && new AssetUploads(options.assets, this.outbox, this.renderScene, log);
      cleanUps.push(() => this.uploads?.dispose());
    } catch (error) {
      // Nobody else could: it would follow the scene for ever.
      this.#cleanUp();
      throw error;
    }
  }

  /** Frame states that were published, taken by the renderer, and replaced before it took them. */
  get frameStats(): MailboxStats {
    return this.#channels.frames.stats;
  }

  /**
   * Goes on with another renderer, as after the first has failed. With the next publication it is told of all instances, and of all
   * assets that were uploaded. What waited for the one before is dropped, and its read-backs are rejected.
   *
   * What the caller has posted to `outbox` itself is the caller's to post again, as the overlays are to publish. A canvas can be given to
   * one renderer only, so another one needs another canvas.
   *
   * @param channels - of the same budget as those before
   * @throws EclipticError `render-sync/frame-too-small` for a smaller one; nothing has changed then
   *
   * @example
   * ```ts
   * thread = new RenderThread(options);
   * await thread.started;
   * sync.attach(thread);
   * ```
   */
  attach({ frames, messages }: RendererChannels): void {
    requireBudget(frames, this.renderScene.budget);
    this.#channels = { frames, messages };
    this.outbox.attach(messages);
    this.readBacks.attach(messages);
    this.#frees.clear();
    this.uploads?.sendAnew();
    this.renderScene.announceAnew();
  }

  /**
   * Size of what is drawn to, from the next publication on, in whole pixels: fractions are cut. A width or height of 0: nothing is
   * drawn.
   *
   * @throws EclipticError `render-sync/target-invalid` for what is negative or not finite, and a pixel ratio of 0
   */
  setTarget({ width, height, pixelRatio }: TargetSize): void {
    const isSize = width >= 0 && height >= 0 && pixelRatio > 0;
    if (!isSize || !Number.isFinite(width + height + pixelRatio)) {
      throw new EclipticError(
        'render-sync/target-invalid',
        `A target of ${width} × ${height} pixels`,
        {
          subjects: { width, height, pixelRatio },
          fix: 'Give physical pixels, 0 while there is nothing to draw to, and a pixel ratio above 0.',
        },
      );
    }
    const before = this.#target;
    this.#target = { width: Math.floor(width), height: Math.floor(height), pixelRatio };
    const isSame = before.width === this.#target.width && before.height === this.#target.height;
    if (!isSame) this.epochs.advance('size');
  }

  /**
   * The same work as systems of the scheduler, by name: `ecliptic.animation` (where there are assets) and `ecliptic.hierarchy`
   * in each fixed step; `ecliptic.transformSync`, `ecliptic.lightSync`, `ecliptic.cameraSync` and `ecliptic.deformSync` in each
   * frame.
   */
  systems(): readonly System[] {
    return renderSystems(this);
  }

  /** ECS → render scene, at once: what the frame systems do, for those without a scheduler. */
  sync(): void {
    this.transformSync.update();
    this.lightSync.update();
    this.cameraSync.update();
    this.deformSync.update();
  }

  /**
   * Publishes the render scene as a frame state, after the messages that it relies on. Never waits; leads nowhere when the renderer has
   * failed.
   *
   * @returns number of the publication
   */
  publish(times: FrameTimes): number {
    const { frames, messages } = this.#channels;
    this.renderScene.sendChanges(messages);
    this.#frees.flush();
    this.uploads?.flush();
    this.outbox.flush();
    const state = frames.begin();
    state.reset();
    this.renderScene.writeTo(state);
    this.#writeDebug(state);
    state.tick = times.tick;
    state.tickTime = times.tickTime;
    state.stepDuration = times.stepDuration;
    state.alpha = clampAlpha(times.alpha);
    state.frameTime = times.frameTime;
    state.timeScale = times.timeScale ?? 1;
    state.epoch = this.epochs.count('scene');
    state.width = this.#target.width;
    state.height = this.#target.height;
    state.pixelRatio = this.#target.pixelRatio;
    return frames.publish();
  }

  /**
   * After the scene's content was replaced (a document loaded, a snapshot restored): begins a scene epoch,
   * reads the hierarchy anew and binds every instance anew.
   *
   * @param options - `resetGeometry`: forget all meshes of the renderer, to upload those of the new scene
   * into empty buffers. Default false.
   * @throws EclipticError `render-sync/queue-full` when that can't be told now; nothing has changed then
   */
  replaceScene(options: { readonly resetGeometry?: boolean } = {}): void {
    const resets = options.resetGeometry === true;
    if (resets) this.outbox.post({ kind: 'reset-geometry' });
    this.epochs.advance('scene');
    this.hierarchy.rebuild();
    this.bindings.rebuild();
    this.deformSync.rebuild();
    if (resets) this.uploads?.forgetMeshes();
  }

  /**
   * Destroys an entity with its children, their instances, and the renderer's meshes and materials that
   * no instance uses any more. To keep those, use `scene.destroyEntity`: the instances go with it too. A renderer that is far behind
   * hears of it in a later publication.
   *
   * @throws EclipticError `ecs/stale-entity`
   */
  deleteEntity(entity: EntityId): void {
    const { meshes, materials } = resourcesBelow(this.scene, entity);
    this.scene.destroyEntity(entity);
    for (const uuid of meshes) this.#free('mesh', uuid);
    for (const uuid of materials) this.#free('material', uuid);
  }

  /**
   * The entity that is seen at a pixel of the next image; see {@link ReadBacks} for how long that takes and how it fails.
   *
   * @param x - physical pixels from the left
   * @param y - physical pixels from the top
   * @returns `undefined` for the sky, and for what was destroyed meanwhile
   */
  async pick(x: number, y: number, signal?: AbortSignal): Promise<EntityId | undefined> {
    const instance = await this.readBacks.pick(x, y, signal);
    return instance === undefined ? undefined : this.bindings.entityOf(instance);
  }

  /** Ends every epoch and stops following the scene. The mailbox and queue are the caller's. */
  dispose(): void {
    this.epochs.advance('run');
    this.#cleanUp();
    this.#log.flush();
  }

  #cleanUp(): void {
    for (const cleanUp of this.#cleanUps.splice(0).toReversed()) cleanUp();
  }

  #writeDebug(state: RenderFrameState): void {
    const fits = this.stepDebug.writeTo(state) && this.frameDebug.writeTo(state);
    this.frameDebug.clear();
    if (fits) return;
    const budget = state.debugColors.length;
    this.#log.warnOnce('debug_lines_over_budget', budget, { budget });
  }

  #free(resource: 'mesh' | 'material', uuid: string): void {
    if (this.#frees.free(resource, uuid)) this.uploads?.forget(uuid);
  }
}
