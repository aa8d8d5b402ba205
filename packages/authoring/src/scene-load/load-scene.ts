import type { Component, Prefab, Scene } from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { SavedState } from '../scene-state/saved-state.js';
import { persistentRoots } from '../identity/persistent-entities.js';
import { PrefabInstance, PrefabPart } from '../prefab/prefab-instance.js';
import { KEPT_DATA } from '../scene-file/kept-data.js';
import type { SceneDocument } from '../scene-file/scene-document.js';
import { buildEntities } from './build-entities.js';
import type { LoadReport } from './load-report.js';
import { planEntities, type PlanOptions } from './plan-entities.js';

/** Options of {@link loadScene}. */
export interface LoadOptions extends PlanOptions {
  /** Components that documents may have, beside those that the scene has registered. */
  readonly components?: readonly Component[];
}

/**
 * Replaces what a scene has by what a document says: all or nothing. The document is read and checked as a whole before anything is
 * touched; where making its entities fails after all, as for a budget, the scene is put back as it was, to the byte. What belongs to
 * the running application only (`Transient`) stays. Ids of entities that go are dead afterwards, as after `destroyEntity`; observers are told, and
 * `changed` reports what came, so that render instances are bound anew by themselves.
 *
 * Not while systems run or a query is iterated. O(bytes of the document and of the scene).
 *
 * @param document - from `parseScene` or `readScene`
 * @returns repairs and warnings, to be shown to the user
 * @throws EclipticError `authoring/asset-path`, `authoring/missing-asset`, `authoring/unknown-prefab`, `authoring/component-newer`,
 *   `authoring/migration-failed`, `authoring/duplicate-uuid`; `ecs/entity-budget` and other budgets; `ecs/structure-locked`,
 *   `ecs/structural-change-while-iterating`
 *
 * @example
 * ```ts
 * const report = loadScene(scene, parseScene(text), { components: [Transform, Name, Mesh] });
 * for (const { entity, component, field, kind } of report.repairs) console.warn(entity, component, field, kind);
 * ```
 */
export function loadScene(
  scene: Scene,
  document: SceneDocument,
  options: LoadOptions = {},
): LoadReport {
  const plan = planEntities(document, componentsOf(scene, options), options);
  // Halfway it would be too late: the scene could not be put back either.
  scene.requireUnlocked('loadScene()');
  const before = new SavedState(scene);
  try {
    for (const root of persistentRoots(scene)) {
      // Observers may have destroyed it.
      if (scene.isAlive(root)) scene.destroyEntity(root);
    }
    buildEntities(scene, plan.list);
  } catch (error) {
    before.restore(scene);
    throw error;
  }
  scene.setResource(KEPT_DATA, plan.kept);
  const { repairs, warnings } = plan.context;
  return { entities: plan.list.entities.length, repairs, warnings };
}

/** All components that the scene, the options and prefabs bring. */
function componentsOf(scene: Scene, options: LoadOptions): Component[] {
  const found = new Set([...scene.componentTypes, ...(options.components ?? [])]);
  for (const structural of [Uuid, Parent, PrefabInstance, PrefabPart]) found.add(structural);
  const addPrefab = (prefab: Prefab): void => {
    for (const component of prefab.components.keys()) found.add(component);
    for (const child of prefab.children.values()) addPrefab(child);
  };
  for (const prefab of options.prefabs ?? []) addPrefab(prefab);
  return [...found];
}
