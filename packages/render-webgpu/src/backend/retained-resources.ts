import type { EnvironmentData, TextureData } from '@ecliptic/assets';
import type { ResourceKind } from '@ecliptic/render-sync';
import type { PackedMesh } from '../geometry/pack-mesh.js';
import type { PackedMaterial } from '../materials/pack-material.js';

/** What was uploaded, kept so that it can be uploaded to another device after a loss. */
export class RetainedResources {
  readonly meshes: Map<string, PackedMesh> = new Map();
  /** Image files as they came, not decoded. */
  readonly textures: Map<string, TextureData> = new Map();
  readonly materials: Map<string, PackedMaterial> = new Map();
  readonly environments: Map<string, EnvironmentData> = new Map();

  free(resource: ResourceKind, uuid: string): void {
    const {
      meshes: mesh,
      textures: texture,
      materials: material,
      environments: environment,
    } = this;
    ({ mesh, texture, material, environment })[resource].delete(uuid);
  }
}
