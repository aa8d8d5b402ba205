import { createUuid, EclipticError } from '@ecliptic/core';
import {
  spawnPrefab,
  type EntityId,
  type Prefab,
  type PrefabOverrides,
  type Scene,
  type SpawnOverrides,
} from '@ecliptic/ecs';
import { Uuid } from '@ecliptic/ecs/components';
import { v5 } from 'uuid';
import { PrefabInstance, PrefabPart } from './prefab-instance.js';

/** UUID of a part of a prefab's instance: the same each time, and another in each instance. */
export function partUuid(parent: string, name: string): string {
  return v5(name, parent);
}

/** The longest name of a prefab or of one of its children, in bytes of UTF-8. */
const MAX_NAME_BYTES = 128;

/** @throws EclipticError `authoring/prefab-name` for a name that is too long to be written down */
export function checkPrefabNames(prefab: Prefab): void {
  for (const name of [prefab.name, ...prefab.children.keys()]) {
    const bytes = new TextEncoder().encode(name).byteLength;
    if (bytes <= MAX_NAME_BYTES) continue;
    throw new EclipticError('authoring/prefab-name', `The name "${name}" has ${bytes} bytes`, {
      subjects: { prefab: prefab.name, name, bytes },
      fix: `Names of prefabs that scene files refer to have at most ${MAX_NAME_BYTES} bytes of UTF-8.`,
    });
  }
  for (const child of prefab.children.values()) checkPrefabNames(child);
}

/**
 * Spawns a prefab as an instance that scene files know: they hold its name and what differs from it, so that a later version of the
 * prefab reaches the instances that are saved. `spawnPrefab` of `ecs` makes plain entities instead.
 *
 * @param overrides - as for `spawnPrefab`
 * @param uuid - of the topmost entity; those of the others are derived from it
 * @returns the topmost entity
 * @throws EclipticError `authoring/prefab-name`; as `spawnPrefab`
 *
 * @example
 * ```ts
 * const torch = instantiatePrefab(scene, Torch, { components: [[Transform, { position: [5, 0, 3] }]] });
 * ```
 */
export function instantiatePrefab(
  scene: Scene,
  prefab: Prefab,
  overrides: SpawnOverrides = {},
  uuid: string = createUuid(),
): EntityId {
  checkPrefabNames(prefab);
  const root = spawnPrefab(scene, prefab, overrides);
  scene.setComponent(root, Uuid, { value: uuid });
  scene.setComponent(root, PrefabInstance, { prefab: prefab.name });
  markParts(scene, root, uuid, prefab, overrides as PrefabOverrides);
  return root;
}

/** Gives the children of a spawned prefab their names and UUIDs. */
function markParts(
  scene: Scene,
  parent: EntityId,
  uuid: string,
  prefab: Prefab,
  overrides: PrefabOverrides,
): void {
  const changes = new Map(Object.entries(overrides.children ?? {}));
  const spawned = scene.childrenOf(parent);
  for (const [name, child] of prefab.children) {
    const change = changes.get(name);
    if (change === null) continue;
    const entity = spawned.shift() as EntityId;
    const own = partUuid(uuid, name);
    scene.setComponent(entity, Uuid, { value: own });
    scene.setComponent(entity, PrefabPart, { name });
    markParts(scene, entity, own, child, change ?? {});
  }
}
