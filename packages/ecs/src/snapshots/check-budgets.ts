import { INDEX_MASK } from '../entities/entity-id.js';
import type { Component } from '../schema/component.js';
import type { SceneCore } from '../scene/scene-core.js';
import { integersIn } from './check-snapshot.js';
import type { OpenedSnapshot } from './snapshot-bytes.js';
import { SnapshotError } from './snapshot-error.js';
import type { SnapshotLayout, TableSections } from './snapshot-layout.js';

/**
 * Checks that what a snapshot brings fits into a scene beside what it has.
 *
 * @throws SnapshotError `ecs/snapshot-budget`
 */
export function checkBudgets(
  core: SceneCore,
  opened: OpenedSnapshot,
  layout: SnapshotLayout,
  components: readonly Component[],
): void {
  const { directory } = opened;
  const fresh = components.filter((component) => !core.components.find(component)).length;
  const types = core.components.types.length + fresh;
  if (types > core.limits.maxComponentTypes) {
    throw new SnapshotError(
      'ecs/snapshot-budget',
      `With the snapshot's, ${types} component types`,
      {
        subjects: { scene: core.name, types, most: core.limits.maxComponentTypes },
        fix: 'Restore into a new scene, or raise the option maxComponentTypes.',
      },
    );
  }
  const keyOf = (list: readonly Component[]): string =>
    list
      .map(({ name }) => name)
      .toSorted()
      .join('\0');
  const present = new Set(
    core.tables.map((table) => keyOf(table.types.map((type) => type.component))),
  );
  for (const { components: ids } of directory.tables) {
    present.add(keyOf(ids.map((id) => components[id] as Component)));
  }
  if (present.size - 1 > core.limits.maxArchetypes) {
    throw new SnapshotError(
      'ecs/snapshot-budget',
      `With the snapshot's, ${present.size - 1} archetypes`,
      {
        subjects: { scene: core.name, most: core.limits.maxArchetypes },
        fix: 'Restore into a new scene, or raise the option maxArchetypes.',
      },
    );
  }
  if (directory.sparse.length > 0) checkComponentCounts(core, opened, layout);
}

/** Components of one entity may be in its table and in sparse sets. */
function checkComponentCounts(
  core: SceneCore,
  opened: OpenedSnapshot,
  layout: SnapshotLayout,
): void {
  const held = new Uint16Array(opened.directory.slots);
  for (const [i, { components }] of opened.directory.tables.entries()) {
    const { entities } = layout.tables[i] as TableSections;
    for (const id of integersIn(opened, entities)) held[id & INDEX_MASK] = components.length;
  }
  for (const { entities } of layout.sparse) {
    for (const id of integersIn(opened, entities)) {
      const slot = id & INDEX_MASK;
      held[slot] = (held[slot] as number) + 1;
      if ((held[slot] as number) <= core.limits.maxComponentsPerEntity) continue;
      throw new SnapshotError(
        'ecs/snapshot-budget',
        `Entity ${id} of the snapshot has ${held[slot]} components`,
        {
          subjects: { scene: core.name, entity: id, most: core.limits.maxComponentsPerEntity },
          fix: 'Raise the option maxComponentsPerEntity when the scene is made.',
        },
      );
    }
  }
}
