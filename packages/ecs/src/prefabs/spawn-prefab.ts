import { Commands } from '../commands/commands.js';
import { INVALID_ENTITY, type EntityId } from '../entities/entity-id.js';
import { Parent } from '../hierarchy/parent.js';
import type { Component } from '../schema/component.js';
import type { Scene } from '../scene/scene.js';
import type { ComponentEntry } from './prefab-components.js';
import {
  childrenOf,
  invalidPrefab,
  overrideComponents,
  type Prefab,
  type PrefabOverrides,
  type PrefabValues,
} from './prefab.js';

/** Changes of a spawned copy, and where it goes. */
export interface SpawnOverrides<
  Entries extends readonly ComponentEntry[] = readonly ComponentEntry[],
> extends PrefabOverrides<Entries> {
  /** Entity that the copy becomes the last child of. */
  readonly parent?: EntityId;
}

/** An entity to be made, and those below it. */
interface Plan {
  readonly values: PrefabValues;
  readonly children: readonly Plan[];
}

const UNCHANGED: PrefabOverrides = {};

/** Works out everything before anything is made. */
function planOf(prefab: Prefab, overrides: PrefabOverrides): Plan {
  const changes = overrides.children ?? {};
  for (const name of Object.keys(changes)) {
    if (prefab.children.has(name)) continue;
    throw invalidPrefab(prefab.name, `has no child "${name}" to change`, childrenOf(prefab));
  }
  const children: Plan[] = [];
  for (const [name, child] of prefab.children) {
    const change = Object.hasOwn(changes, name) ? changes[name] : UNCHANGED;
    if (change !== null) children.push(planOf(child, change ?? UNCHANGED));
  }
  const values =
    overrides === UNCHANGED
      ? prefab.components
      : overrideComponents(prefab.name, prefab.components, overrides);
  return { values, children };
}

function make(target: Scene | Commands, { values }: Plan, parent: EntityId): EntityId {
  const inits: [Component, object][] = [...values];
  if (parent !== INVALID_ENTITY) inits.push([Parent as Component, { entity: parent }]);
  if (!(target instanceof Commands)) return target.createEntity(...inits);
  const entity = target.createEntity();
  for (const [component, value] of inits) target.addComponent(entity, component, value);
  return entity;
}

function makeAll(target: Scene | Commands, plan: Plan, parent: EntityId): EntityId {
  const entity = make(target, plan, parent);
  for (const child of plan.children) makeAll(target, child, entity);
  return entity;
}

/**
 * Makes an entity, and its children below it, from a template. Each entity goes into its table at once. O(entities ·
 * components).
 *
 * In a scene it is all or nothing: when a budget ends halfway, what was made is destroyed again (observers see both). Into
 * `Commands`, as inside a system, it is queued.
 *
 * @param overrides - components, children and shape of this copy where they differ; and its parent
 * @returns the topmost entity; from `Commands`, its placeholder
 * @throws EclipticError `ecs/invalid-prefab`, `ecs/invalid-value` for overrides that don't fit, and what `createEntity` throws
 *
 * @example
 * ```ts
 * const torch = spawnPrefab(scene, Torch, {
 *   components: [[Transform, { position: [5, 0, 3], scale: [0.5, 0.5, 0.5] }]],
 *   children: { flame: { components: [[Light, { intensity: 4 }]] } },
 * });
 * ```
 */
export function spawnPrefab<const Entries extends readonly ComponentEntry[]>(
  target: Scene | Commands,
  prefab: Prefab,
  overrides: SpawnOverrides<Entries> = {},
): EntityId {
  const plan = planOf(prefab, overrides as PrefabOverrides);
  const parent = overrides.parent ?? INVALID_ENTITY;
  if (target instanceof Commands) return makeAll(target, plan, parent);
  const root = make(target, plan, parent);
  try {
    for (const child of plan.children) makeAll(target, child, root);
  } catch (error) {
    if (target.isAlive(root)) target.destroyEntity(root);
    throw error;
  }
  return root;
}
