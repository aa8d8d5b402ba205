import type { EventLog } from '@ecliptic/core';
import type { RenderBackend } from '../backend/render-backend.js';
import type {
  EnvironmentUpload,
  MaterialUpload,
  MeshUpload,
  RenderMessage,
  ResourceKind,
  TextureUpload,
} from '../messages/render-message.js';
import { jointsNeeded } from './joints-needed.js';

/** What a {@link RenderResources} has counted. */
export interface RenderResourceStats {
  readonly meshes: number;
  readonly textures: number;
  readonly materials: number;
  readonly environments: number;
  /** Uploads that wait for the next frame. */
  readonly pending: number;
  /** Resources that wait until no frame in flight uses them. */
  readonly deferredFrees: number;
  /** Uploads that the backend refused. Each was logged. */
  readonly failed: number;
}

interface DeferredFree {
  readonly resource: ResourceKind;
  readonly uuid: string;
  /** Last frame that may use it. */
  readonly frame: number;
}

/**
 * What is resident in the backend, and what is on its way there and away: uploads wait for the start of
 * a frame and go in batches; what is freed stops being drawn at once, but is released only when no
 * frame in flight can use it any more.
 *
 * On the renderer's thread; the render loop drives it.
 */
export class RenderResources {
  readonly #backend: RenderBackend;
  readonly #log: EventLog;
  readonly #resident: Readonly<Record<ResourceKind, Set<string>>> = {
    mesh: new Set(),
    texture: new Set(),
    material: new Set(),
    environment: new Set(),
  };
  /** Resident meshes with joints: how many their vertices refer to. */
  readonly #jointsNeeded = new Map<string, number>();
  #meshes = new Map<string, MeshUpload>();
  #textures = new Map<string, TextureUpload>();
  #materials = new Map<string, MaterialUpload>();
  #environments = new Map<string, EnvironmentUpload>();
  #deferred: DeferredFree[] = [];
  #reset = false;
  #version = 0;
  #failed = 0;

  constructor(backend: RenderBackend, log: EventLog) {
    this.#backend = backend;
    this.#log = log;
  }

  /** Grows whenever what is resident changes. */
  get version(): number {
    return this.#version;
  }

  /** Whether the backend has it, and may draw with it. */
  isResident(resource: ResourceKind, uuid: string): boolean {
    return this.#resident[resource].has(uuid);
  }

  /**
   * How many of the `given` joints a mesh can be bent by: all, or 0 where it has no joints or would need more. The latter is
   * reported once a mesh (`skeleton_too_small`). O(1).
   */
  jointsFor(mesh: string, given: number): number {
    const needed = this.#jointsNeeded.get(mesh);
    if (needed === undefined || given === 0) return 0;
    if (needed <= given) return given;
    this.#log.warnOnce('skeleton_too_small', mesh, { mesh, joints: given, needed });
    return 0;
  }

  get stats(): RenderResourceStats {
    return {
      meshes: this.#resident.mesh.size,
      textures: this.#resident.texture.size,
      materials: this.#resident.material.size,
      environments: this.#resident.environment.size,
      pending:
        this.#meshes.size + this.#textures.size + this.#materials.size + this.#environments.size,
      deferredFrees: this.#deferred.length,
      failed: this.#failed,
    };
  }

  /**
   * Takes a message about resources; others are ignored. An upload replaces a waiting one of the same
   * uuid.
   *
   * @param frame - the last frame that was begun: what is freed may be in use up to it
   */
  handle(message: RenderMessage, frame: number): void {
    switch (message.kind) {
      case 'mesh':
        this.#meshes.set(message.uuid, { uuid: message.uuid, mesh: message.mesh });
        break;
      case 'texture':
        this.#textures.set(message.uuid, { uuid: message.uuid, texture: message.texture });
        break;
      case 'material':
        this.#materials.set(message.uuid, { uuid: message.uuid, material: message.material });
        break;
      case 'environment':
        this.#environments.set(message.uuid, {
          uuid: message.uuid,
          environment: message.environment,
        });
        break;
      case 'free':
        this.#free(message.resource, message.uuid, frame);
        break;
      case 'reset-geometry':
        this.#meshes.clear();
        this.#resident.mesh.clear();
        this.#jointsNeeded.clear();
        this.#deferred = this.#deferred.filter(({ resource }) => resource !== 'mesh');
        this.#reset = true;
        this.#version++;
        break;
      default:
    }
  }

  /** Inside a frame: resets geometry if asked to, uploads all meshes at once, the rest one by one. */
  flush(): void {
    if (this.#reset) {
      this.#reset = false;
      this.#backend.resetGeometry();
    }
    if (this.#meshes.size > 0) {
      const meshes = [...this.#meshes.values()];
      this.#meshes = new Map();
      // One bad mesh must not take the others with it: after a failed batch each goes alone.
      if (!this.#upload('mesh', meshes, () => this.#uploadMeshes(meshes), meshes.length > 1)) {
        for (const mesh of meshes) this.#upload('mesh', [mesh], () => this.#uploadMeshes([mesh]));
      }
    }
    for (const texture of drain(this.#textures)) {
      this.#upload('texture', [texture], () => this.#backend.uploadTexture(texture));
    }
    for (const material of drain(this.#materials)) {
      this.#upload('material', [material], () => this.#backend.uploadMaterial(material));
    }
    for (const environment of drain(this.#environments)) {
      this.#upload('environment', [environment], () =>
        this.#backend.uploadEnvironment(environment),
      );
    }
  }

  /** At the start of frame `frame`: releases what no frame in flight can use any more. */
  releaseUnused(frame: number): void {
    const oldestInFlight = frame - this.#backend.framesInFlight;
    const keep: DeferredFree[] = [];
    for (const free of this.#deferred) {
      if (free.frame > oldestInFlight) keep.push(free);
      else this.#backend.free(free.resource, free.uuid);
    }
    this.#deferred = keep;
  }

  #free(resource: ResourceKind, uuid: string, frame: number): void {
    this.#pending(resource).delete(uuid);
    if (!this.#resident[resource].delete(uuid)) return;
    if (resource === 'mesh') this.#jointsNeeded.delete(uuid);
    this.#deferred.push({ resource, uuid, frame });
    this.#version++;
  }

  #uploadMeshes(meshes: readonly MeshUpload[]): void {
    this.#backend.uploadMeshes(meshes);
    for (const { uuid, mesh } of meshes) {
      const needed = jointsNeeded(mesh);
      if (needed > 0) this.#jointsNeeded.set(uuid, needed);
      else this.#jointsNeeded.delete(uuid);
    }
  }

  #pending(resource: ResourceKind): Map<string, unknown> {
    if (resource === 'mesh') return this.#meshes;
    if (resource === 'texture') return this.#textures;
    return resource === 'material' ? this.#materials : this.#environments;
  }

  /** @returns false when it failed and the caller wants to try again; a final failure is logged */
  #upload(
    resource: ResourceKind,
    uploads: readonly { uuid: string }[],
    run: () => void,
    retry = false,
  ): boolean {
    const uuids = uploads.map(({ uuid }) => uuid);
    try {
      run();
    } catch (error) {
      if (!retry) {
        this.#failed += uuids.length;
        this.#log.error('upload_failed', { backend: this.#backend.name, resource, uuids, error });
      }
      return !retry;
    }
    for (const uuid of uuids) this.#resident[resource].add(uuid);
    // Freed and uploaded again: the upload has replaced what was to be released.
    this.#deferred = this.#deferred.filter(
      (free) => free.resource !== resource || !uuids.includes(free.uuid),
    );
    this.#version++;
    return true;
  }
}

function drain<T>(waiting: Map<string, T>): T[] {
  const all = [...waiting.values()];
  waiting.clear();
  return all;
}
