import { EclipticError } from '@ecliptic/core';
import {
  captureSnapshot,
  FieldKind,
  INVALID_ENTITY,
  restoreSnapshot,
  Scene,
  type Component,
  type EntityId,
  type Prefab,
} from '@ecliptic/ecs';
import { Parent, Uuid } from '@ecliptic/ecs/components';
import { persistentEntities } from '../identity/persistent-entities.js';
import { PrefabInstance, PrefabPart } from '../prefab/prefab-instance.js';
import { KEPT_DATA } from './kept-data.js';
import type { LoadReport } from './load-report.js';
import {
  planEntities,
  type PlannedEntity,
  type PlanOptions,
  type ScenePlan,
} from './plan-entities.js';
import type { SceneDocument } from './scene-document.js';

/** Options of {@link loadScene}. */
export interface LoadOptions extends PlanOptions {
  /** Components that documents may have, beside those that the scene has registered. */
  readonly components?: readonly Component[];
}

/**
 * Replaces what a scene has by what a document says: all or nothing. The document is read as a whole, then built beside the
 * running scene, then put in its place in one step; whatever goes wrong before, the scene is as it was. What belongs to the running
 * application only (`Transient`) stays. Ids of entities that go are dead afterwards, as after `destroyEntity`; observers are told, and
 * `changed` reports what came, so that render instances are bound anew by themselves.
 *
 * Not while systems run. O(bytes of the document and of the scene).
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
  const components = componentsOf(scene, options);
  const plan = planEntities(document, components, options);
  const staging = stagingOf(scene);
  let ids: ReadonlyMap<string, EntityId>;
  try {
    for (const entity of persistentEntities(staging)) {
      if (staging.isAlive(entity)) staging.destroyEntity(entity);
    }
    ids = build(staging, plan);
    restoreSnapshot(scene, captureSnapshot(staging), { components });
  } finally {
    staging.dispose();
  }
  scene.setResource(KEPT_DATA, plan.kept);
  setObjects(scene, plan.entities, ids);
  const { repairs, warnings } = plan.context;
  return { entities: plan.entities.length, repairs, warnings };
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

/** A scene with the same content and budgets, beside the running one. Ids given out there are new in the running one, too. */
function stagingOf(scene: Scene): Scene {
  const staging = new Scene({
    ...scene.limits,
    name: `${scene.name} (staging)`,
    rowOrder: scene.rowOrder,
    arenaBudget: scene.arena.budget,
    churnWarning: Number.MAX_SAFE_INTEGER,
    development: false,
  });
  try {
    restoreSnapshot(staging, captureSnapshot(scene), { components: scene.componentTypes });
  } catch (error) {
    staging.dispose();
    throw error;
  }
  return staging;
}

function build(staging: Scene, { entities, context }: ScenePlan): ReadonlyMap<string, EntityId> {
  const ids = new Map<string, EntityId>();
  for (const { uuid, parent, components } of entities) {
    if (parent !== undefined) {
      components.push([Parent, { entity: ids.get(parent) ?? INVALID_ENTITY }]);
    }
    if (ids.has(uuid)) throw duplicatePart(uuid);
    ids.set(uuid, staging.createEntity(...components));
  }
  for (const { from, component, field, to } of context.references) {
    staging.setComponent(ids.get(from) ?? INVALID_ENTITY, component, { [field]: ids.get(to) });
  }
  return ids;
}

function duplicatePart(uuid: string): EclipticError {
  return new EclipticError('authoring/duplicate-uuid', `Scene file: ${uuid} is there twice`, {
    subjects: { uuid },
    fix: 'A part of a prefab has the UUID of another entity: give one of them another.',
  });
}

/** Snapshots don't carry `object()` fields: they are set afterwards. */
function setObjects(
  scene: Scene,
  entities: readonly PlannedEntity[],
  ids: ReadonlyMap<string, EntityId>,
): void {
  for (const { uuid, components } of entities) {
    for (const [component, value] of components) {
      if (!component.hasObjects) continue;
      const objects = component.fields.filter(({ field }) => field.kind === FieldKind.object);
      const given = objects.map(({ name }) => [name, (value as Record<string, unknown>)[name]]);
      scene.setComponent(ids.get(uuid) ?? INVALID_ENTITY, component, Object.fromEntries(given));
    }
  }
}
