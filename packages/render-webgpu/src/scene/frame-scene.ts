import type { EventLog } from '@ecliptic/core';
import {
  SKY_KINDS,
  type OverlayState,
  type RenderView,
  type TargetSize,
} from '@ecliptic/render-sync';
import type { Gpu } from '../device/gpu.js';
import type { GeometryPool } from '../geometry/geometry-pool.js';
import type { MaterialStore } from '../materials/material-store.js';
import { DrawList } from './draw-list.js';
import { FrameUniforms } from './frame-uniforms.js';
import { LightBuffer } from './light-buffer.js';
import { fitShadow, mainShadowLight } from './main-shadow.js';
import { MeshBundles } from './mesh-bundles.js';
import { MeshInstances } from './mesh-instances.js';
import type { MeshPipelines } from './mesh-pipelines.js';
import { OverlayQuads } from './overlay-quads.js';
import { ViewMatrices } from './view-matrices.js';

const NO_LIGHT = 0xffff_ffff;
const ENVIRONMENT = SKY_KINDS.indexOf('environment');

/** What the passes of a frame draw: made from a render view, on the device. */
export class FrameScene {
  /** Whether there is a camera that can see; without one only sky and overlay are drawn. */
  hasCamera = false;
  /** Whether a light casts shadows in this frame. */
  hasShadow = false;
  /** Index into `SKY_KINDS`. */
  skyKind = 0;
  readonly camera: ViewMatrices = new ViewMatrices();
  readonly shadow: ViewMatrices = new ViewMatrices();
  readonly instances: MeshInstances;
  readonly lights: LightBuffer;
  readonly overlay: OverlayQuads;
  readonly cameraDraws: DrawList;
  readonly shadowDraws: DrawList;
  /** Draw calls recorded in this frame. */
  drawCalls = 0;
  readonly #gpu: Gpu;
  readonly #bundles: MeshBundles;
  readonly #log: EventLog;
  readonly #uniforms: FrameUniforms;
  #bindGroup: GPUBindGroup | undefined;

  constructor(gpu: Gpu, pool: GeometryPool, materials: MaterialStore, log: EventLog) {
    const { device } = gpu;
    this.#gpu = gpu;
    this.#bundles = new MeshBundles(device, pool, materials);
    this.#log = log;
    this.#uniforms = new FrameUniforms(device);
    this.instances = new MeshInstances(device, pool, materials);
    this.lights = new LightBuffer(device);
    this.overlay = new OverlayQuads(device);
    this.cameraDraws = new DrawList(device, 'camera');
    this.shadowDraws = new DrawList(device, 'shadow');
  }

  /** Group 0 of every pipeline. */
  get bindGroup(): GPUBindGroup {
    return (this.#bindGroup ??= this.#gpu.device.createBindGroup({
      label: 'frame',
      layout: this.#gpu.frameLayout,
      entries: [
        { binding: 0, resource: { buffer: this.#uniforms.buffer } },
        { binding: 1, resource: { buffer: this.instances.buffer } },
        { binding: 2, resource: { buffer: this.lights.buffer } },
      ],
    }));
  }

  /** Takes over a view: uploads transforms and lights, culls. */
  update(view: RenderView, size: TargetSize): void {
    this.drawCalls = 0;
    const moved = this.instances.update(view);
    if (this.lights.update(view) || moved) this.#bindGroup = undefined;
    this.hasCamera = view.camera !== undefined && this.camera.setCamera(view.camera);
    if (view.camera && !this.hasCamera) {
      const { id } = view.camera;
      this.#log.warnOnce('camera_unusable', id, { entity: id });
    }
    const { count, buckets, spheres } = this.instances;
    if (this.hasCamera)
      this.cameraDraws.update(buckets, spheres.spheres, count, this.camera.planes);
    else this.cameraDraws.clear();
    this.#updateShadow(view);
    this.#updateUniforms(view, size);
  }

  updateOverlay(overlay: OverlayState | undefined): void {
    this.overlay.update(overlay);
  }

  /**
   * Draws all instances that the camera, or the shadow-casting light, sees: one indirect draw a bucket. What is set on
   * `pass` is not kept.
   */
  drawMeshes(
    pass: GPURenderPassEncoder,
    from: 'camera' | 'shadow',
    pipelines: MeshPipelines,
  ): void {
    const list = from === 'camera' ? this.cameraDraws : this.shadowDraws;
    const { buckets } = this.instances;
    pass.executeBundles([this.#bundles.get(pipelines, buckets, list, this.bindGroup)]);
    this.drawCalls += buckets.buckets.length;
  }

  dispose(): void {
    this.#uniforms.buffer.destroy();
    for (const part of [this.instances, this.lights, this.overlay]) part.dispose();
    this.cameraDraws.dispose();
    this.shadowDraws.dispose();
  }

  #updateShadow(view: RenderView): void {
    const { shadowMapSize, shadowDistance } = this.#gpu.settings;
    const { count, buckets, spheres } = this.instances;
    const light = this.hasCamera && shadowMapSize > 0 ? mainShadowLight(view) : -1;
    const kept = this.lights.sources.indexOf(light);
    this.hasShadow =
      kept >= 0 &&
      fitShadow(this.shadow, view, light, spheres.spheres, this.camera, shadowDistance);
    if (this.hasShadow)
      this.shadowDraws.update(buckets, spheres.spheres, count, this.shadow.planes);
    else this.shadowDraws.clear();
    this.#uniforms.set('shadowLight', this.hasShadow ? kept : NO_LIGHT);
    this.#uniforms.set('shadowViewProjection', this.shadow.viewProjection);
  }

  #updateUniforms({ state }: RenderView, size: TargetSize): void {
    const { exposure, ambient, bloom } = this.#gpu.settings;
    const uniforms = this.#uniforms;
    this.skyKind = state.skyKind;
    if (state.skyKind === ENVIRONMENT) this.#log.warnOnce('environment_sky_unsupported', undefined);
    const sky = [0, 1, 2].map((c) => (state.skyColor[c] ?? 0) * state.skyIntensity);
    uniforms.set('viewProjection', this.camera.viewProjection);
    uniforms.set('inverseViewProjection', this.camera.inverseViewProjection);
    uniforms.set('cameraPosition', this.camera.position);
    uniforms.set('exposure', exposure);
    uniforms.set('size', [size.width, size.height]);
    uniforms.set('ambient', state.skyKind === 0 ? ambient : 0);
    uniforms.set('skyRotation', state.skyRotation);
    uniforms.set('skyColor', sky);
    uniforms.set('skyKind', state.skyKind);
    uniforms.set('sunDirection', this.lights.sunDirection);
    uniforms.set('lightCount', this.lights.sources.length);
    uniforms.set('sunColor', this.lights.sunColor);
    uniforms.set('bloom', bloom);
    uniforms.upload();
  }
}
