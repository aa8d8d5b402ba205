import { INVALID_ENTITY, type EntityId } from '@ecliptic/ecs';
import { Mesh, Name } from '@ecliptic/ecs/components';
import { Orbit, Spin } from '../../world/components.js';
import type { World } from './world.js';

/**
 * What people call an entity: its name; or that of its mesh, with a number, as there may be many; or that of what is above it, and
 * what sets it apart from that, as "Ember, spinning".
 */
export function labelEntity(world: World, entity: EntityId): string {
  const { scene, assets } = world;
  const name = scene.getComponent(entity, Name)?.value ?? '';
  if (name !== '') return name;
  const mesh = scene.getComponent(entity, Mesh);
  const model = mesh === undefined ? undefined : assets.getMesh(mesh.meshUuid)?.name;
  if (model) return `${model.charAt(0).toUpperCase()}${model.slice(1)} ${entity}`;
  const parent = scene.parentOf(entity);
  if (parent === INVALID_ENTITY) return `Entity ${entity}`;
  const traits = [
    ...(scene.hasComponent(entity, Orbit) ? ['orbiting'] : []),
    ...(scene.hasComponent(entity, Spin) ? ['spinning'] : []),
  ];
  return [labelEntity(world, parent), ...(traits.length > 0 ? traits : [`part ${entity}`])].join(
    ', ',
  );
}
