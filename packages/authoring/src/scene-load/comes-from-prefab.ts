import type { Component } from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { PrefabInstance, PrefabPart } from '../prefab/prefab-instance.js';
import type { InstanceBlock } from '../scene-file/scene-document.js';

/** Components that say who and where an entity is, which the file does, whatever the prefab has. */
const OWN: ReadonlySet<Component> = new Set<Component>([Uuid, Parent, PrefabInstance, PrefabPart]);

/** Whether an instance gets a component of its prefab. */
export function comesFromPrefab(component: Component, { without }: InstanceBlock): boolean {
  return !OWN.has(component) && !(without?.includes(component.name) ?? false);
}
