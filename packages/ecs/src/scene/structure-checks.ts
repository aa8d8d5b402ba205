import { EclipticError } from '@ecliptic/core';
import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import type { Component, FieldSlot } from '../schema/component.js';
import { validateValue } from '../schema/validate-value.js';
import type { ComponentType } from '../storage/component-type.js';
import type { SceneCore } from './scene-core.js';

/** Reports, once a field, that a text was too long. */
export function reportCut(core: SceneCore, type: ComponentType, cut: FieldSlot): void {
  const name = `${type.component.name}.${cut.name}`;
  core.log.warnOnce('text_cut', name, { scene: core.name, bytes: cut.field.stride });
}

/** Refuses what a component can't be given: by its schema in development builds, and by who keeps an index of it. */
export function checkValue(
  core: SceneCore,
  type: ComponentType,
  entity: EntityId,
  value: object | undefined,
): void {
  if (core.development && value !== undefined) validateValue(type.component, value);
  if (type.index) type.index.check(entity, value);
}

/** @throws EclipticError `ecs/component-budget` where an entity that holds so many can't get one more */
export function checkCount(core: SceneCore, held: number, component: Component): void {
  const { maxComponentsPerEntity } = core.limits;
  if (held < maxComponentsPerEntity) return;
  core.log.warnOnce('component_limit', component.name, { scene: core.name });
  throw new EclipticError(
    'ecs/component-budget',
    `An entity of scene "${core.name}" has ${held} components; "${component.name}" would be one more`,
    {
      subjects: { scene: core.name, component: component.name, maxComponentsPerEntity },
      fix: 'Merge components, or raise the option maxComponentsPerEntity.',
    },
  );
}

/** How many components a living entity has. */
export function componentCount(core: SceneCore, entity: EntityId): number {
  let count = core.tableOf(entity & INDEX_MASK).types.length;
  for (const { sparse } of core.sparse) if (sparse?.has(entity)) count++;
  return count;
}

/** Tells who watches a component that it came. */
export function tellAdded({ index, hooks }: ComponentType, entity: EntityId): void {
  index?.added(entity);
  if (hooks) for (const observer of hooks.add) observer(entity);
}

/** Tells who watches a component that it was set where it was already. */
export function tellSet({ index, hooks }: ComponentType, entity: EntityId): void {
  index?.set(entity);
  if (hooks) for (const observer of hooks.set) observer(entity);
}

/** Tells who watches a component that it is about to go. */
export function tellRemoved({ index, hooks }: ComponentType, entity: EntityId): void {
  index?.removed(entity);
  if (hooks) for (const observer of hooks.remove) observer(entity);
}

/** Error of adding what is there. */
export function duplicate(
  core: SceneCore,
  component: Component,
  entity: EntityId | undefined,
): EclipticError {
  return new EclipticError(
    'ecs/duplicate-component',
    `"${component.name}" is already on entity ${entity ?? 'to be created'} of scene "${core.name}"`,
    {
      subjects: { scene: core.name, component: component.name, entity },
      fix: 'Use setComponent to create or update.',
    },
  );
}
