import { EclipticError, EventLog } from '@ecliptic/core';
import {
  checkMesh,
  type EnvironmentUpload,
  type MaterialUpload,
  type MeshUpload,
  type OverlayState,
  type ReadBackRequest,
  type ReadBackResult,
  type RenderBackend,
  type RenderView,
  type ResourceKind,
  type TargetSize,
  type TextureUpload,
} from '@ecliptic/render-sync';
import type { RenderTargetFactory } from '../device/render-target.js';
import { packMesh } from '../geometry/pack-mesh.js';
import type { RenderPassFactory } from '../graph/render-pass.js';
import { bitmapDecoder, type ImageDecoder } from '../materials/decode-image.js';
import { packMaterial, undrawnExtensions } from '../materials/pack-material.js';
import { DEFAULT_PASSES } from '../passes/default-passes.js';
import { completeSettings, type RenderSettings } from '../render-settings.js';
import type { WebGpuBackendStats } from './backend-stats.js';
import { DeviceRenderer } from './device-renderer.js';
import { RetainedResources } from './retained-resources.js';
import { warmUp, type WarmUp } from './warm-up.js';

const FRAMES_IN_FLIGHT = 2;
/** How often a lost device is asked for again before that is an error. */
const RECOVERY_ATTEMPTS = 3;

/** What a {@link WebGpuBackend} is made of. */
export interface WebGpuBackendOptions {
  /**
   * Where to draw. A function is asked again after the device was lost, and everything is uploaded anew; a device
   * alone can't be recovered.
   */
  readonly device: GPUDevice | (() => Promise<GPUDevice>);
  /** What to draw to: {@link canvasTarget}, {@link textureTarget}, or your own. */
  readonly target: RenderTargetFactory;
  /** Default: the platform's `createImageBitmap`, which Node doesn't have: see `@ecliptic/render-webgpu/node`. */
  readonly decodeImage?: ImageDecoder;
  readonly settings?: Partial<RenderSettings>;
  /** Passes, in the order of those that write the same texture. Default {@link DEFAULT_PASSES}. */
  readonly passes?: readonly RenderPassFactory[];
  readonly log?: EventLog;
  /**
   * What the first frames will have in them: {@link WebGpuBackend.initialize} has it drawn once where nobody sees it, so that the device
   * compiles shaders while the first assets are loaded, and not when they are to be seen. Text, debug lines, points, lines and meshes
   * that bend aren't prepared. Default: nothing is. Not for a backend that draws only after all is loaded, and at once.
   */
  readonly warmUp?: WarmUp;
}

/**
 * A renderer on WebGPU for the render loop: deferred, with one indirect draw for all instances that share mesh and material.
 * It touches no DOM: the same code runs on a page, in a worker with an `OffscreenCanvas`, and in Node.
 *
 * Image files are decoded in the background; until then a texture is the pink fallback. Uploads are kept in memory, packed,
 * for recovery from a lost device. Not for more than a few dozen lights: each is computed for every pixel.
 */
export class WebGpuBackend implements RenderBackend {
  readonly name: string = 'webgpu';
  readonly framesInFlight: number = FRAMES_IN_FLIGHT;
  readonly #options: WebGpuBackendOptions;
  readonly #settings: RenderSettings;
  readonly #log: EventLog;
  readonly #retained = new RetainedResources();
  readonly #counts = { frames: 0, skipped: 0, losses: 0, errors: 0 };
  #renderer: DeviceRenderer | undefined;
  #size: TargetSize | undefined;
  #image: GPUTexture | undefined;
  /** What the frame was drawn to, until it ends. */
  #drawn: GPUTexture | undefined;
  #inFlight = 0;
  #idle: Promise<unknown> = Promise.resolve();
  #recovery: Promise<void> = Promise.resolve();
  #failure: EclipticError | undefined;
  #disposed = false;

  /** @throws EclipticError `render-webgpu/setting-invalid` */
  constructor(options: WebGpuBackendOptions) {
    this.#options = options;
    this.#settings = completeSettings(options.settings);
    this.#log = options.log ?? new EventLog('render-webgpu');
  }

  get stats(): WebGpuBackendStats {
    const renderer = this.#renderer;
    const scene = renderer?.scene;
    return {
      ...this.#counts,
      instances: scene?.instances.count ?? 0,
      visible: scene?.cameraDraws.visibleInstances ?? 0,
      deformed: scene?.deformed.count ?? 0,
      buckets: scene?.instances.buckets.buckets.length ?? 0,
      sorts: scene?.instances.sorts ?? 0,
      triangles: scene?.cameraDraws.triangles ?? 0,
      drawCalls: scene?.drawCalls ?? 0,
      lights: scene?.lights.sources.length ?? 0,
      meshes: this.#retained.meshes.size,
      materials: this.#retained.materials.size,
      environments: this.#retained.environments.size,
      textures: renderer?.textures.size ?? 0,
      pendingTextures: renderer?.textures.pending ?? 0,
      geometryBytes: renderer?.pool.bytes ?? 0,
      passes: renderer?.graph.passes.map(({ name }) => name) ?? [],
      gpuTimes: renderer?.timer?.results ?? {},
    };
  }

  /** The device it draws with now; `undefined` before {@link WebGpuBackend.initialize} and while a lost one is replaced. */
  get device(): GPUDevice | undefined {
    return this.#renderer?.device;
  }

  /** Resolves when all images are decoded, the device has drawn all frames, and a lost device is replaced or given up. */
  async settled(): Promise<void> {
    await this.#recovery;
    await this.#renderer?.textures.settled();
    await this.#idle;
  }

  /**
   * @throws EclipticError `render-webgpu/no-device` when none can be had, as the `device` function says; errors of the render
   * graph, see {@link RenderGraph}
   */
  async initialize(): Promise<void> {
    await this.#start();
    const { warmUp: wanted } = this.#options;
    if (wanted && this.#renderer) warmUp(this.#renderer, wanted);
  }

  resize(size: TargetSize): void {
    this.#size = size;
    this.#renderer?.target.resize(size.width, size.height);
  }

  /** @throws EclipticError `render-webgpu/device-lost` when the device is lost and can't be replaced */
  acquire(): boolean {
    if (this.#failure) throw this.#failure;
    const ready = this.#renderer !== undefined && this.#inFlight < FRAMES_IN_FLIGHT;
    this.#image = ready ? this.#renderer?.target.acquire() : undefined;
    if (this.#image === undefined) this.#counts.skipped++;
    return this.#image !== undefined;
  }

  beginFrame(): void {}

  resetGeometry(): void {
    this.#retained.meshes.clear();
    this.#renderer?.pool.clear();
  }

  /** @throws EclipticError `render-sync/mesh-invalid`; nothing of the batch is uploaded then */
  uploadMeshes(meshes: readonly MeshUpload[]): void {
    const packed = new Map(
      meshes.map(({ uuid, mesh }) => {
        checkMesh(uuid, mesh);
        return [uuid, packMesh(mesh)] as const;
      }),
    );
    for (const [uuid, mesh] of packed) this.#retained.meshes.set(uuid, mesh);
    this.#renderer?.pool.add(packed);
  }

  uploadTexture({ uuid, texture }: TextureUpload): void {
    const kept = { ...texture, bytes: Uint8Array.from(texture.bytes) };
    this.#retained.textures.set(uuid, kept);
    this.#renderer?.textures.add(uuid, kept);
  }

  uploadMaterial({ uuid, material }: MaterialUpload): void {
    for (const extension of undrawnExtensions(material)) {
      this.#log.warnOnce('material_extension_not_drawn', extension, { extension, material: uuid });
    }
    const packed = packMaterial(material);
    this.#retained.materials.set(uuid, packed);
    this.#renderer?.materials.add(uuid, packed);
  }

  uploadEnvironment({ uuid, environment }: EnvironmentUpload): void {
    this.#retained.environments.set(uuid, environment);
    this.#renderer?.environments.add(uuid, environment);
  }

  free(resource: ResourceKind, uuid: string): void {
    this.#retained.free(resource, uuid);
    this.#renderer?.free(resource, uuid);
  }

  renderScene(view: RenderView): void {
    if (this.#size) this.#renderer?.update(view, this.#size);
  }

  executeGraph(overlay: OverlayState | undefined): void {
    const renderer = this.#renderer;
    if (!renderer || !this.#image) return;
    renderer.draw(this.#image, overlay);
    this.#drawn = this.#image;
    this.#image = undefined;
    this.#counts.frames++;
    this.#inFlight++;
    // A device that is lost answers too, or refuses: either way the frame is over.
    this.#idle = renderer.device.queue
      .onSubmittedWorkDone()
      .catch(() => {})
      .then(() => {
        if (renderer === this.#renderer) this.#inFlight--;
      });
  }

  /**
   * A pick draws the meshes that the camera sees once more, at one pixel; the foremost counts, also when it lets light through.
   *
   * @throws EclipticError `render-webgpu/nothing-drawn` when the device was lost in this frame; `render-webgpu/unreadable-format`
   * for colours of a target that isn't 8 bits a channel; what the device says when it is lost before the answer
   */
  async readBack(request: ReadBackRequest): Promise<ReadBackResult> {
    const renderer = this.#renderer;
    const image = this.#drawn;
    if (!renderer || !image) {
      throw new EclipticError('render-webgpu/nothing-drawn', 'This frame was not drawn', {
        fix: 'Ask again: the next frame answers.',
      });
    }
    return renderer.readBack(image, request);
  }

  /** The platform presents by itself when the frame's task ends. */
  present(): void {}

  endFrame(): void {
    this.#drawn = undefined;
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.#recovery;
    this.#renderer?.dispose();
    if (typeof this.#options.device === 'function') this.#renderer?.device.destroy();
    this.#renderer = undefined;
  }

  async #start(): Promise<void> {
    const { device: source, passes = DEFAULT_PASSES, decodeImage } = this.#options;
    const device = typeof source === 'function' ? await source() : source;
    const target = this.#options.target(device);
    if (this.#size) target.resize(this.#size.width, this.#size.height);
    const renderer = new DeviceRenderer({
      device,
      target,
      settings: this.#settings,
      passes,
      decodeImage: decodeImage ?? bitmapDecoder(),
      log: this.#log,
    });
    device.addEventListener('uncapturederror', ({ error }) => {
      this.#counts.errors++;
      this.#log.warnOnce('device_error', error.message, { error: error.message });
    });
    renderer.restore(this.#retained);
    this.#inFlight = 0;
    this.#renderer = renderer;
    void device.lost.then((info) => {
      if (renderer === this.#renderer && !this.#disposed) this.#onLost(info);
    });
  }

  #onLost({ reason, message }: GPUDeviceLostInfo): void {
    this.#counts.losses++;
    this.#log.warn('device_lost', { reason, message });
    this.#renderer = undefined;
    this.#image = undefined;
    this.#drawn = undefined;
    this.#recovery = this.#recover(message);
  }

  async #recover(message: string): Promise<void> {
    let cause: unknown;
    if (typeof this.#options.device === 'function') {
      for (let attempt = 0; attempt < RECOVERY_ATTEMPTS && !this.#disposed; attempt++) {
        try {
          await this.#start();
          this.#log.info('device_recovered', { attempts: attempt + 1 });
          return;
        } catch (error) {
          cause = error;
        }
      }
    }
    this.#failure = new EclipticError(
      'render-webgpu/device-lost',
      `The device was lost: ${message}`,
      {
        cause,
        fix: 'Pass a function as `device`, so that another one can be had; then start the renderer again.',
      },
    );
  }
}

/**
 * Makes a {@link WebGpuBackend}.
 *
 * @throws EclipticError `render-webgpu/setting-invalid`
 *
 * @example
 * ```ts
 * const backend = createWebGpuBackend({
 *   device: requestDevice,
 *   target: canvasTarget(canvas, navigator.gpu.getPreferredCanvasFormat()),
 * });
 * const engine = createEngine({ plugins: [ecs(), renderSync({ backend })] });
 * ```
 */
export function createWebGpuBackend(options: WebGpuBackendOptions): WebGpuBackend {
  return new WebGpuBackend(options);
}
