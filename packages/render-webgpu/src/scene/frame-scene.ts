import type { EventLog } from '@ecliptic/core';
import type { OverlayState, RenderView, TargetSize } from '@ecliptic/render-sync';
import type { GpuTimer } from '../device/gpu-timer.js';
import type { Gpu } from '../device/gpu.js';
import type { GeometryPool } from '../geometry/geometry-pool.js';
import type { MaterialStore } from '../materials/material-store.js';
import type { TextureStore } from '../materials/texture-store.js';
import type { EnvironmentStore } from '../environment/environment-store.js';
import { SkyEnvironment } from '../environment/sky-environment.js';
import { BlendedDraws } from './blended-draws.js';
import { DebugLines } from './debug-lines.js';
import { DeformedVertices } from './deformed-vertices.js';
import { DrawList } from './draw-list.js';
import { FrameUniforms } from './frame-uniforms.js';
import { LevelOfDetail } from './level-of-detail.js';
import { LightBuffer } from './light-buffer.js';
import { fitShadow, mainShadowLight } from './main-shadow.js';
import { MeshBundles } from './mesh-bundles.js';
import { MeshInstances } from './mesh-instances.js';
import type { MeshPipelines } from './mesh-pipelines.js';
import { OverlayQuads } from './overlay-quads.js';
import { ViewMatrices } from './view-matrices.js';

const NO_LIGHT = 0xffff_ffff;

/** What a {@link FrameScene} draws with. */
export interface SceneResources {
  readonly pool: GeometryPool;
  readonly materials: MaterialStore;
  readonly textures: TextureStore;
  readonly environments: EnvironmentStore;
}

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
  readonly deformed: DeformedVertices;
  readonly debugLines: DebugLines;
  readonly lights: LightBuffer;
  readonly overlay: OverlayQuads;
  readonly cameraDraws: DrawList;
  readonly shadowDraws: DrawList;
  readonly blended: BlendedDraws;
  /** Draw calls recorded in this frame. */
  drawCalls = 0;
  readonly #gpu: Gpu;
  readonly #pool: GeometryPool;
  readonly #materials: MaterialStore;
  readonly #environments: EnvironmentStore;
  readonly #environment: SkyEnvironment;
  readonly #bundles: MeshBundles;
  readonly #log: EventLog;
  readonly #uniforms: FrameUniforms;
  readonly #detail = new LevelOfDetail(this.camera.position);
  #bindGroup: GPUBindGroup | undefined;

  constructor(
    gpu: Gpu,
    { pool, materials, textures, environments }: SceneResources,
    log: EventLog,
  ) {
    const { device } = gpu;
    this.#gpu = gpu;
    this.#pool = pool;
    this.#materials = materials;
    this.#environments = environments;
    this.#environment = new SkyEnvironment(environments, log);
    this.deformed = new DeformedVertices(device, log);
    this.#bundles = new MeshBundles(device, pool, materials, this.deformed);
    this.#log = log;
    this.#uniforms = new FrameUniforms(device);
    this.instances = new MeshInstances(device, pool, materials, this.deformed);
    this.debugLines = new DebugLines(device);
    this.lights = new LightBuffer(device);
    this.overlay = new OverlayQuads(device, textures, log);
    this.cameraDraws = new DrawList(device, 'camera');
    this.shadowDraws = new DrawList(device, 'shadow');
    this.blended = new BlendedDraws(device);
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
        { binding: 3, resource: this.#environment.current.view },
        { binding: 4, resource: this.#environments.table },
        { binding: 5, resource: this.#gpu.environmentSampler },
      ],
    }));
  }

  /** Takes over a view: uploads transforms and lights, culls. */
  update(view: RenderView, size: TargetSize): void {
    this.drawCalls = 0;
    const moved = this.instances.update(view);
    this.debugLines.update(view.state);
    const lit = this.lights.update(view);
    const environed = this.#environment.update(view);
    if (moved || lit || environed) this.#bindGroup = undefined;
    this.hasCamera = view.camera !== undefined && this.camera.setCamera(view.camera);
    if (view.camera && !this.hasCamera) {
      const { id } = view.camera;
      this.#log.warnOnce('camera_unusable', id, { entity: id });
    }
    const { count, buckets, spheres } = this.instances;
    const { cameraDraws, camera, blended } = this;
    if (view.camera && this.hasCamera) {
      this.#detail.setLens(view.camera, size.height, this.#gpu.settings.lodError);
      cameraDraws.update(buckets, spheres, count, camera.planes, this.#detail);
      blended.update(buckets, cameraDraws.seen, spheres.spheres, camera.position);
    } else {
      cameraDraws.clear();
      blended.clear();
    }
    this.#updateShadow(view);
    this.#updateUniforms(view, size);
  }

  /** Bends the vertices of what is seen; before anything is drawn. */
  deform(encoder: GPUCommandEncoder, timer: GpuTimer | undefined): void {
    const { hasCamera, hasShadow, cameraDraws, shadowDraws } = this;
    const byCamera = hasCamera ? cameraDraws.seen : undefined;
    this.deformed.record(encoder, timer, byCamera, hasShadow ? shadowDraws.seen : undefined);
  }

  updateOverlay(overlay: OverlayState | undefined): void {
    this.overlay.update(overlay);
  }

  /**
   * Draws all instances that the camera, or the shadow-casting light, sees: one indirect draw a bucket; nothing in a frame without a
   * camera, or without such a light. What is set on `pass` is not kept.
   */
  drawMeshes(
    pass: GPURenderPassEncoder,
    from: 'camera' | 'shadow',
    pipelines: MeshPipelines,
  ): void {
    if (!(from === 'camera' ? this.hasCamera : this.hasShadow)) return;
    const list = from === 'camera' ? this.cameraDraws : this.shadowDraws;
    const { buckets } = this.instances;
    const { bundle, draws } = this.#bundles.get(pipelines, buckets, list, this.bindGroup);
    pass.executeBundles([bundle]);
    this.drawCalls += draws;
  }

  /**
   * Draws what the camera sees of blending materials, from the back to the front.
   *
   * @param inputs - group 2
   */
  drawBlended(pass: GPURenderPassEncoder, pipelines: MeshPipelines, inputs: GPUBindGroup): void {
    const { blended, instances } = this;
    pass.setBindGroup(0, this.bindGroup);
    pass.setBindGroup(2, inputs);
    pass.setVertexBuffer(1, blended.buffer);
    pass.setIndexBuffer(this.#pool.indexBuffer, 'uint32');
    for (let run = 0; run < blended.runCount; run++) {
      const bucket = instances.buckets.buckets[blended.bucketOf(run)];
      if (!bucket) continue;
      pass.setPipeline(pipelines.get(bucket.variant));
      pass.setBindGroup(1, this.#materials.group(bucket.material));
      pass.setVertexBuffer(0, bucket.deformed ? this.deformed.buffer : this.#pool.vertexBuffer);
      const { indexCount, firstIndex, baseVertex } = bucket;
      const first = blended.firstOf(run);
      pass.drawIndexed(indexCount, blended.countOf(run), firstIndex, baseVertex, first);
      this.drawCalls++;
    }
  }

  dispose(): void {
    this.#uniforms.buffer.destroy();
    const { instances, deformed, debugLines, lights, overlay, cameraDraws, shadowDraws, blended } =
      this;
    for (const part of [
      instances,
      deformed,
      debugLines,
      lights,
      overlay,
      cameraDraws,
      shadowDraws,
      blended,
    ]) {
      part.dispose();
    }
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
      this.shadowDraws.update(buckets, spheres, count, this.shadow.planes, this.#detail);
    else this.shadowDraws.clear();
    this.#uniforms.set('shadowLight', this.hasShadow ? kept : NO_LIGHT);
    this.#uniforms.set('shadowViewProjection', this.shadow.viewProjection);
  }

  #updateUniforms({ state }: RenderView, size: TargetSize): void {
    const { exposure, ambient, bloom } = this.#gpu.settings;
    const uniforms = this.#uniforms;
    this.skyKind = state.skyKind;
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
    uniforms.setIrradiance(this.#environment.current.irradiance);
    uniforms.upload();
  }
}
