import { INVALID_ENTITY, type EntityId, type Scene } from '@ecliptic/ecs';
import { Transient } from './identity-components.js';

/** Entities that belong into scene files: all but the transient ones and those below them. Parents come before children. */
export function persistentEntities(scene: Scene): EntityId[] {
  const roots: EntityId[] = [];
  scene.forEach([], (entity) => {
    if (scene.parentOf(entity) === INVALID_ENTITY) roots.push(entity);
  });
  const found: EntityId[] = [];
  const open = roots.toReversed();
  for (let entity = open.pop(); entity !== undefined; entity = open.pop()) {
    if (scene.hasComponent(entity, Transient)) continue;
    found.push(entity);
    for (const child of scene.childrenOf(entity).toReversed()) open.push(child);
  }
  return found;
}
