import type { Component } from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { Transient } from '../identity/identity-components.js';
import { PrefabInstance, PrefabPart } from '../prefab/prefab-instance.js';

/** Names of components that files hold in another form, or not at all. */
const STRUCTURAL: ReadonlySet<string> = new Set(
  [Uuid, Parent, PrefabInstance, PrefabPart, Transient].map(({ name }) => name),
);

/** Whether files hold a component under its name. */
export function isSavedByName(component: Component): boolean {
  return !STRUCTURAL.has(component.name);
}
