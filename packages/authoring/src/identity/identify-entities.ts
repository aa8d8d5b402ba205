import { createUuid, NIL_UUID } from '@ecliptic/core';
import type { Scene } from '@ecliptic/ecs';
import { Uuid } from '@ecliptic/ecs/components';
import { persistentEntities } from './persistent-entities.js';

/**
 * Gives each entity that belongs into scene files and has no UUID a new one. For scenes that code builds; entities of scene files and
 * of editor sessions have theirs. O(entities).
 *
 * @param mint - makes UUIDs; random ones by default
 * @returns how many entities got one
 * @throws EclipticError `ecs/structure-locked`, `ecs/structural-change-while-iterating`
 *
 * @example
 * ```ts
 * const scene = new Scene();
 * scene.createEntity([Name, { value: 'Sun' }]);
 * identifyEntities(scene); // 1
 * ```
 */
export function identifyEntities(scene: Scene, mint: () => string = createUuid): number {
  let count = 0;
  for (const entity of persistentEntities(scene)) {
    if ((scene.getComponent(entity, Uuid)?.value ?? NIL_UUID) !== NIL_UUID) continue;
    scene.setComponent(entity, Uuid, { value: mint() });
    count++;
  }
  return count;
}
