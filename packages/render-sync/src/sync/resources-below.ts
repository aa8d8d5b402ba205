import type { EntityId, Scene } from '@ecliptic/ecs';
import { Material, Mesh } from '@ecliptic/ecs/components';

/** Uuids of the meshes and materials that an entity and everything below it have. O(entities below). */
export function resourcesBelow(
  scene: Scene,
  entity: EntityId,
): { readonly meshes: ReadonlySet<string>; readonly materials: ReadonlySet<string> } {
  const meshes = new Set<string>();
  const materials = new Set<string>();
  const pending = [entity];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    pending.push(...scene.childrenOf(next));
    const mesh = scene.getComponent(next, Mesh);
    const material = scene.getComponent(next, Material);
    if (mesh) meshes.add(mesh.meshUuid);
    if (material) materials.add(material.materialUuid);
  }
  return { meshes, materials };
}
