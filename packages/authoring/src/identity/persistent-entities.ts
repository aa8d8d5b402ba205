import { INVALID_ENTITY, type EntityId, type Scene } from '@ecliptic/ecs';
import { Transient } from './identity-components.js';

/** Entities without a parent that belong into scene files: all but the transient ones. */
export function persistentRoots(scene: Scene): EntityId[] {
  const roots: EntityId[] = [];
  scene.forEach([], (entity) => {
    if (scene.parentOf(entity) === INVALID_ENTITY) roots.push(entity);
  });
  return roots.filter((entity) => !scene.hasComponent(entity, Transient));
}

/** Entities that belong into scene files: all but the transient ones and those below them. Parents come before children. */
export function persistentEntities(scene: Scene): EntityId[] {
  const found: EntityId[] = [];
  const open = persistentRoots(scene).toReversed();
  for (let entity = open.pop(); entity !== undefined; entity = open.pop()) {
    found.push(entity);
    const children = scene.childrenOf(entity);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i] as EntityId;
      if (!scene.hasComponent(child, Transient)) open.push(child);
    }
  }
  return found;
}
