import { INVALID_ENTITY, read, type EntityId, type Scene } from '@ecliptic/ecs';
import { Name } from '@ecliptic/ecs/components';
import { Orbit } from '../../world/components.js';

/** What moves as one: the nearest entity upwards that orbits, or the one above all. */
export function bodyOf(scene: Scene, part: EntityId): EntityId {
  const above = scene.parentOf(part);
  return scene.hasComponent(part, Orbit) || above === INVALID_ENTITY ? part : bodyOf(scene, above);
}

/** An entity and what is below it, without what orbits it. */
export function partsOf(scene: Scene, entity: EntityId): EntityId[] {
  const below = scene.childrenOf(entity).filter((child) => !scene.hasComponent(child, Orbit));
  return [entity, ...below.flatMap((child) => partsOf(scene, child))];
}

/** The sun and what was given a name and a path of its own. */
export function namedBodies(scene: Scene): EntityId[] {
  const bodies: EntityId[] = [];
  scene.forEach([read(Name)], (entity) => {
    const isCenter =
      scene.parentOf(entity) === INVALID_ENTITY && scene.childrenOf(entity).length > 0;
    if (isCenter || scene.hasComponent(entity, Orbit)) bodies.push(entity);
  });
  return bodies.toSorted((a, b) => a - b);
}
