import type { AssetManager, PrefabData } from '@ecliptic/assets';
import { INVALID_ENTITY, type EntityId, type Scene } from '@ecliptic/ecs';
import { Mesh, Name, Transform } from '@ecliptic/ecs/components';

/**
 * Spawns the nodes of a model's default scene as entities under `parent`.
 *
 * @returns the entities, parents before children
 */
export function spawnModel(scene: Scene, model: PrefabData, parent: EntityId): readonly EntityId[] {
  const entities: EntityId[] = [];
  for (const node of model.nodes) {
    const entity = scene.createEntity(
      [Transform, { position: node.translation, rotation: node.rotation, scale: node.scale }],
      [Name, { value: node.name }],
    );
    if (node.mesh !== undefined && !node.hidden) {
      scene.addComponent(entity, Mesh, { meshUuid: node.mesh });
    }
    const above = node.parent < 0 ? parent : (entities[node.parent] ?? INVALID_ENTITY);
    if (above !== INVALID_ENTITY) scene.setParent(entity, above);
    entities.push(entity);
  }
  return entities;
}

/** How far a model reaches from its origin along an axis, over the boxes of its meshes; 1 for one without any. O(nodes). */
export function modelRadius(model: PrefabData, assets: AssetManager): number {
  let radius = 0;
  const reach: { offset: number; scale: number }[] = [];
  for (const node of model.nodes) {
    // An upper bound is enough: each node adds its distance, scaled by what is above it.
    const above = reach[node.parent] ?? { offset: 0, scale: 1 };
    const own = {
      offset: above.offset + above.scale * Math.hypot(...node.translation),
      scale: above.scale * Math.max(...node.scale.map(Math.abs)),
    };
    reach.push(own);
    const bounds = node.mesh === undefined ? undefined : assets.getMesh(node.mesh)?.bounds;
    if (!bounds) continue;
    const corner = [0, 1, 2].map((c) =>
      Math.max(Math.abs(bounds.min[c] ?? 0), Math.abs(bounds.max[c] ?? 0)),
    );
    radius = Math.max(radius, own.offset + own.scale * Math.max(...corner));
  }
  return radius > 0 ? radius : 1;
}
