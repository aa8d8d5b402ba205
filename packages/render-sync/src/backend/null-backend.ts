import type { RenderView } from '../loop/render-view.js';
import type {
  EnvironmentUpload,
  MaterialUpload,
  MeshUpload,
  ResourceKind,
  TextureUpload,
} from '../messages/render-message.js';
import type { ReadBackRequest, ReadBackResult } from '../messages/read-back.js';
import type { OverlayState } from '../overlay/overlay-state.js';
import { jointsNeeded } from '../resources/joints-needed.js';
import { CallOrder } from './call-order.js';
import { checkMesh, type MeshFacts } from './check-mesh.js';
import { checkView, invalid, type ResidentMesh } from './check-view.js';
import type { RenderBackend, TargetSize } from './render-backend.js';

const CLEAR = [0, 0, 0, 0] as const;

/** What a {@link NullBackend} has seen. */
export interface NullBackendStats {
  readonly frames: number;
  readonly resizes: number;
  /** Mesh submissions: one a frame that uploads any. */
  readonly meshSubmissions: number;
  readonly meshUploads: number;
  readonly textureUploads: number;
  readonly materialUploads: number;
  readonly environmentUploads: number;
  readonly frees: number;
  readonly geometryResets: number;
  readonly residentMeshes: number;
  readonly residentTextures: number;
  readonly residentMaterials: number;
  readonly residentEnvironments: number;
  /** Of the resident meshes and textures. */
  readonly residentBytes: number;
  /** In the last frame. */
  readonly instances: number;
  readonly triangles: number;
  readonly lights: number;
  /** Instances with joints or morph weights. */
  readonly deforms: number;
  readonly debugLines: number;
  /** Requests about images, in all frames. */
  readonly readBacks: number;
  readonly overlayQuads: number;
  /** In all frames. */
  readonly totalInstances: number;
}

/**
 * A renderer that checks everything and draws nothing: for servers, tests and benchmarks. A call out of
 * order, a mesh that isn't resident, a number that isn't finite or a free of something unknown is an
 * error at that call, so a render loop or sync system that passes here hands any backend what it may expect.
 *
 * @example
 * ```ts
 * const backend = new NullBackend();
 * // … run a render loop with it …
 * backend.stats.triangles; // in the last frame
 * ```
 */
export class NullBackend implements RenderBackend {
  readonly name: string = 'null';
  readonly framesInFlight: number;
  readonly #order = new CallOrder();
  readonly #meshes = new Map<string, ResidentMesh>();
  readonly #textures = new Map<string, number>();
  readonly #materials = new Set<string>();
  readonly #environments = new Set<string>();
  readonly #counts = {
    frames: 0,
    resizes: 0,
    meshSubmissions: 0,
    meshUploads: 0,
    textureUploads: 0,
    materialUploads: 0,
    environmentUploads: 0,
    frees: 0,
    geometryResets: 0,
    instances: 0,
    triangles: 0,
    lights: 0,
    deforms: 0,
    debugLines: 0,
    readBacks: 0,
    overlayQuads: 0,
    totalInstances: 0,
  };
  #size: TargetSize | undefined;

  constructor(options: { readonly framesInFlight?: number } = {}) {
    this.framesInFlight = options.framesInFlight ?? 2;
  }

  get stats(): NullBackendStats {
    let residentBytes = 0;
    for (const { bytes } of this.#meshes.values()) residentBytes += bytes;
    for (const bytes of this.#textures.values()) residentBytes += bytes;
    return {
      ...this.#counts,
      residentMeshes: this.#meshes.size,
      residentTextures: this.#textures.size,
      residentMaterials: this.#materials.size,
      residentEnvironments: this.#environments.size,
      residentBytes,
    };
  }

  /** Size of the target, once it was told. */
  get size(): TargetSize | undefined {
    return this.#size;
  }

  initialize(): void {
    this.#order.move('initialize', 'new', 'idle');
  }

  /** @throws EclipticError `render-sync/backend-invalid` for no whole number of pixels */
  resize(size: TargetSize): void {
    this.#order.move('resize', 'idle', 'idle');
    const { width, height, pixelRatio } = size;
    if (!(Number.isInteger(width) && Number.isInteger(height) && width > 0 && height > 0)) {
      throw invalid(`A target of ${width} × ${height} pixels`, { width, height });
    }
    if (!(pixelRatio > 0)) throw invalid(`A pixel ratio of ${pixelRatio}`, { pixelRatio });
    this.#size = { width, height, pixelRatio };
    this.#counts.resizes++;
  }

  acquire(): boolean {
    this.#order.move('acquire', 'idle', 'acquired');
    if (this.#size === undefined) throw invalid('acquire() before the first resize()', {});
    return true;
  }

  /** @throws EclipticError `render-sync/backend-invalid` for another frame than the next */
  beginFrame(frame: number): void {
    this.#order.move('beginFrame', 'acquired', 'frame');
    if (frame !== this.#counts.frames + 1) {
      throw invalid(`Frame ${frame} after frame ${this.#counts.frames}`, { frame });
    }
    this.#counts.frames = frame;
  }

  resetGeometry(): void {
    this.#order.move('resetGeometry', 'frame', 'frame');
    this.#meshes.clear();
    this.#counts.geometryResets++;
  }

  /** @throws EclipticError `render-sync/mesh-invalid`; nothing of the batch is resident then */
  uploadMeshes(meshes: readonly MeshUpload[]): void {
    this.#order.move('uploadMeshes', 'frame', 'frame');
    if (meshes.length === 0) throw invalid('A submission without meshes', {});
    const checked = meshes.map(({ uuid, mesh }) => checkMesh(uuid, mesh));
    for (const [i, { uuid, mesh }] of meshes.entries()) {
      this.#meshes.set(uuid, { ...(checked[i] as MeshFacts), joints: jointsNeeded(mesh) });
    }
    this.#counts.meshSubmissions++;
    this.#counts.meshUploads += meshes.length;
  }

  /** @throws EclipticError `render-sync/backend-invalid` for an empty texture */
  uploadTexture({ uuid, texture }: TextureUpload): void {
    this.#order.move('uploadTexture', 'frame', 'frame');
    if (!(texture.width > 0 && texture.height > 0 && texture.bytes.byteLength > 0)) {
      throw invalid(`Texture ${uuid} is empty`, { uuid });
    }
    this.#textures.set(uuid, texture.bytes.byteLength);
    this.#counts.textureUploads++;
  }

  /** @throws EclipticError `render-sync/backend-invalid` for numbers that aren't finite */
  uploadMaterial({ uuid, material }: MaterialUpload): void {
    this.#order.move('uploadMaterial', 'frame', 'frame');
    const numbers = [
      ...material.baseColor,
      ...material.emissive,
      material.metallic,
      material.roughness,
    ];
    if (!numbers.every(Number.isFinite)) throw invalid(`Material ${uuid} isn't finite`, { uuid });
    this.#materials.add(uuid);
    this.#counts.materialUploads++;
  }

  /** @throws EclipticError `render-sync/backend-invalid` for levels that aren't cubes, or no nine harmonics */
  uploadEnvironment({ uuid, environment }: EnvironmentUpload): void {
    this.#order.move('uploadEnvironment', 'frame', 'frame');
    const { levels, irradiance } = environment;
    const isWhole =
      levels.length > 0 && levels.every(({ size, faces }) => faces.length === 6 * size * size * 4);
    if (!isWhole || irradiance.length !== 27) {
      throw invalid(`Environment ${uuid} isn't whole`, { uuid });
    }
    this.#environments.add(uuid);
    this.#counts.environmentUploads++;
  }

  /** @throws EclipticError `render-sync/backend-invalid` for what isn't resident */
  free(resource: ResourceKind, uuid: string): void {
    this.#order.move('free', 'frame', 'frame');
    const resident = {
      mesh: this.#meshes,
      texture: this.#textures,
      material: this.#materials,
      environment: this.#environments,
    };
    if (!resident[resource].delete(uuid)) {
      throw invalid(`free() of ${resource} ${uuid}, which isn't resident`, { resource, uuid });
    }
    this.#counts.frees++;
  }

  /** @throws EclipticError `render-sync/backend-invalid` for a mesh that isn't resident, a transform that isn't finite … */
  renderScene(view: RenderView): void {
    this.#order.move('renderScene', 'frame', 'scene');
    if (view.frame !== this.#counts.frames) {
      throw invalid(`A view of frame ${view.frame} in frame ${this.#counts.frames}`, {});
    }
    if (!(view.alpha >= 0 && view.alpha <= 1)) throw invalid(`An alpha of ${view.alpha}`, {});
    const triangles = checkView(view, this.#meshes);
    this.#counts.instances = view.instanceCount;
    this.#counts.totalInstances += view.instanceCount;
    this.#counts.triangles = triangles;
    this.#counts.lights = view.state.lightCount;
    this.#counts.debugLines = view.state.debugLineCount;
    this.#counts.deforms = view.deformCount;
  }

  /** @throws EclipticError `render-sync/backend-invalid` for more quads than the overlay holds */
  executeGraph(overlay: OverlayState | undefined): void {
    this.#order.move('executeGraph', 'scene', 'graph');
    const quads = overlay?.quadCount ?? 0;
    if (overlay && !(quads >= 0 && quads <= overlay.capacity)) {
      throw invalid(`An overlay of ${quads} quads, of ${overlay.capacity}`, { quads });
    }
    this.#counts.overlayQuads = quads;
  }

  /**
   * Finds the nothing that it draws: no instance, and black that can be seen through.
   *
   * @throws EclipticError `render-sync/backend-invalid` for a pixel outside the target
   */
  readBack(request: ReadBackRequest): Promise<ReadBackResult> {
    this.#order.move('readBack', 'graph', 'graph');
    const { width, height } = this.#size ?? { width: 0, height: 0 };
    this.#counts.readBacks++;
    if (request.kind === 'screenshot') {
      return Promise.resolve({
        ...request,
        width,
        height,
        pixels: new Uint8Array(width * height * 4),
      });
    }
    const { kind, x, y } = request;
    const isWhole = Number.isInteger(x) && Number.isInteger(y);
    if (!isWhole || x < 0 || x >= width || y < 0 || y >= height) {
      throw invalid(`A request for pixel ${x}, ${y}`, { x, y, width, height });
    }
    const seen = kind === 'pick' ? { kind, instance: undefined } : { kind, color: CLEAR };
    return Promise.resolve(seen);
  }

  /** Shows nothing. */
  present(): void {
    this.#order.move('present', 'graph', 'presented');
  }

  /** @throws EclipticError `render-sync/backend-invalid` for another frame than the one that began */
  endFrame(frame: number): void {
    this.#order.move('endFrame', 'presented', 'idle');
    if (frame !== this.#counts.frames) throw invalid(`endFrame(${frame})`, { frame });
  }

  dispose(): void {
    if (this.#order.phase === 'disposed') throw invalid('dispose() twice', {});
    this.#order.end();
    this.#meshes.clear();
    this.#textures.clear();
    this.#materials.clear();
    this.#environments.clear();
  }
}
