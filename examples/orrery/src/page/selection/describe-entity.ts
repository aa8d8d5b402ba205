import { INVALID_ENTITY, type Component, type EntityId, type Scene } from '@ecliptic/ecs';
import type { EntityLink, SelectedComponent, SelectedEntity } from '../page-messages.js';
import { labelEntity } from './label-entity.js';
import type { World } from './world.js';

/** An entity with its components and their values, for people. What is derived at run time is left out. */
export function describeEntity(world: World, entity: EntityId): SelectedEntity {
  const { scene } = world;
  const linkTo = (other: EntityId): EntityLink => {
    return { entity: other, name: labelEntity(world, other) };
  };
  const parent = scene.parentOf(entity);
  return {
    ...linkTo(entity),
    parent: parent === INVALID_ENTITY ? undefined : linkTo(parent),
    children: scene.childrenOf(entity).map(linkTo),
    components: scene.componentTypes
      .filter((component) => scene.hasComponent(entity, component))
      .map((component) => describeComponent(scene, entity, component)),
  };
}

function describeComponent(
  scene: Scene,
  entity: EntityId,
  component: Component,
): SelectedComponent {
  const view = scene.getComponent(entity, component) as Record<string, unknown> | undefined;
  const fields = component.fields
    .filter(({ field }) => !field.runtime)
    .map(({ name }) => ({ name, value: show(view?.[name]) }));
  return { name: component.name, fields };
}

function show(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(5)));
  if (hasNumbers(value)) return value.toArray().map(show).join(', ');
  return String(value);
}

/** Whether it is a view of a vector or matrix. */
function hasNumbers(value: unknown): value is { toArray(): readonly number[] } {
  return typeof value === 'object' && value !== null && 'toArray' in value;
}
