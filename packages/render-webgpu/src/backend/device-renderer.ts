import type { EventLog } from '@ecliptic/core';
import type {
  OverlayState,
  ReadBackRequest,
  ReadBackResult,
  RenderView,
  ResourceKind,
  TargetSize,
} from '@ecliptic/render-sync';
import { GpuTimer } from '../device/gpu-timer.js';
import { createGpu } from '../device/gpu.js';
import { readPixels } from '../device/read-pixels.js';
import type { RenderTarget } from '../device/render-target.js';
import { EnvironmentStore } from '../environment/environment-store.js';
import { GeometryPool } from '../geometry/geometry-pool.js';
import { RenderGraph } from '../graph/render-graph.js';
import type { RenderPassFactory } from '../graph/render-pass.js';
import type { ImageDecoder } from '../materials/decode-image.js';
import { MaterialStore } from '../materials/material-store.js';
import { TextureStore } from '../materials/texture-store.js';
import type { RenderSettings } from '../render-settings.js';
import { FrameScene } from '../scene/frame-scene.js';
import { InstancePicker } from '../scene/instance-picker.js';
import type { RetainedResources } from './retained-resources.js';

/** What a {@link DeviceRenderer} is made of. */
export interface DeviceRendererOptions {
  readonly device: GPUDevice;
  readonly target: RenderTarget;
  readonly settings: RenderSettings;
  readonly passes: readonly RenderPassFactory[];
  readonly decodeImage: ImageDecoder;
  readonly log: EventLog;
}

/** Everything that lives on one device, and dies with it. */
export class DeviceRenderer {
  readonly device: GPUDevice;
  readonly target: RenderTarget;
  readonly pool: GeometryPool;
  readonly textures: TextureStore;
  readonly materials: MaterialStore;
  readonly environments: EnvironmentStore;
  readonly scene: FrameScene;
  /** Another scene that the graph can draw, of the same resources; who makes it disposes of it. */
  readonly createScene: () => FrameScene;
  readonly graph: RenderGraph;
  readonly timer: GpuTimer | undefined;
  readonly picker: InstancePicker;

  constructor(options: DeviceRendererOptions) {
    const { device, target, settings, passes, decodeImage, log } = options;
    this.device = device;
    this.target = target;
    const gpu = createGpu(device, target.format, settings);
    this.pool = new GeometryPool(device);
    this.textures = new TextureStore(device, decodeImage, log);
    this.materials = new MaterialStore(gpu, this.textures, log);
    this.environments = new EnvironmentStore(device);
    this.createScene = () => new FrameScene(gpu, this, log);
    this.scene = this.createScene();
    this.picker = new InstancePicker(gpu);
    this.timer = GpuTimer.create(device);
    this.graph = new RenderGraph(
      gpu,
      passes.map((make) => make(gpu)),
      this.timer,
    );
  }

  /** Uploads all that was uploaded to an earlier device. */
  restore({ meshes, textures, materials, environments }: RetainedResources): void {
    this.pool.add(meshes);
    for (const [uuid, texture] of textures) this.textures.add(uuid, texture);
    for (const [uuid, material] of materials) this.materials.add(uuid, material);
    for (const [uuid, environment] of environments) this.environments.add(uuid, environment);
  }

  free(resource: ResourceKind, uuid: string): void {
    const { pool: mesh, textures: texture, materials: material, environments: environment } = this;
    ({ mesh, texture, material, environment })[resource].free(uuid);
  }

  update(view: RenderView, size: TargetSize): void {
    this.scene.update(view, size);
  }

  /** Records and submits the frame. */
  draw(image: GPUTexture, overlay: OverlayState | undefined): void {
    this.scene.updateOverlay(overlay);
    const encoder = this.device.createCommandEncoder({ label: 'frame' });
    this.timer?.begin();
    this.scene.deform(encoder, this.timer);
    this.graph.execute(encoder, this.scene, image);
    this.timer?.resolve(encoder);
    this.device.queue.submit([encoder.finish()]);
    this.timer?.read();
  }

  /** Finds out something about the image that the frame was drawn to; asks the device at once. */
  async readBack(image: GPUTexture, request: ReadBackRequest): Promise<ReadBackResult> {
    const { kind } = request;
    if (kind === 'screenshot') {
      const { width, height, data } = await readPixels(this.device, image);
      return { kind, width, height, pixels: data };
    }
    const { x, y } = request;
    if (kind === 'pick') {
      const { width, height } = image;
      return { kind, instance: await this.picker.pick(this.scene, x, y, width, height) };
    }
    const { data } = await readPixels(this.device, image, { x, y, width: 1, height: 1 });
    const [red = 0, green = 0, blue = 0, alpha = 0] = data;
    return { kind, color: [red, green, blue, alpha] };
  }

  dispose(): void {
    this.graph.dispose();
    this.scene.dispose();
    this.materials.dispose();
    this.environments.dispose();
    this.textures.dispose();
    this.pool.dispose();
    this.timer?.dispose();
    this.target.dispose();
  }
}
