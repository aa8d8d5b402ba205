import type { Component } from '../schema/component.js';
import type { SceneCore } from '../scene/scene-core.js';
import {
  columnBytes,
  describeFields,
  type ComponentEntry,
  type SnapshotDirectory,
} from './snapshot-directory.js';
import { invalidSnapshot, SnapshotError } from './snapshot-error.js';

function checkSchema(entry: ComponentEntry, component: Component): void {
  const differs =
    entry.version !== component.version
      ? `version ${entry.version} instead of ${component.version}`
      : entry.storage !== component.storage
        ? `storage ${entry.storage} instead of ${component.storage}`
        : entry.fields !== describeFields(component)
          ? 'other fields'
          : undefined;
  if (differs !== undefined) {
    throw new SnapshotError(
      'ecs/snapshot-schema',
      `"${entry.name}" has ${differs} in the snapshot`,
      {
        subjects: { component: entry.name },
        fix: 'Snapshots are for the application that captured them; durable data belongs in documents.',
      },
    );
  }
  if (entry.bytes.join() !== columnBytes(component).join()) {
    throw invalidSnapshot(`the columns of "${entry.name}" have other sizes`);
  }
}

/**
 * What each component of a directory is here.
 *
 * @param known - components to take where the scene has none of that name
 * @throws SnapshotError `ecs/snapshot-component`, `ecs/snapshot-schema`, `ecs/snapshot-invalid`
 */
export function resolveComponents(
  core: SceneCore,
  directory: SnapshotDirectory,
  known: readonly Component[],
): Component[] {
  const components = directory.components.map((entry) => {
    const component =
      core.components.byName(entry.name)?.component ??
      known.find((candidate) => candidate.name === entry.name);
    if (component === undefined) {
      throw new SnapshotError(
        'ecs/snapshot-component',
        `Scene "${core.name}" has no component "${entry.name}"`,
        {
          subjects: { scene: core.name, component: entry.name },
          fix: 'Register it first, or pass it as the option components.',
        },
      );
    }
    checkSchema(entry, component);
    return component;
  });
  if (new Set(components).size !== components.length) {
    throw invalidSnapshot('it has a component twice');
  }
  checkSets(directory, components);
  return components;
}

/** Tables of table components, each set once, and none first; sparse sets of one sparse component each. */
function checkSets(directory: SnapshotDirectory, components: readonly Component[]): void {
  const keys = new Set<string>();
  for (const { components: ids } of directory.tables) {
    if (new Set(ids).size !== ids.length || ids.some((id) => components[id]?.storage !== 'table')) {
      throw invalidSnapshot('a table has components that can’t be in one');
    }
    keys.add(ids.toSorted((a, b) => a - b).join());
  }
  if (keys.size !== directory.tables.length || directory.tables[0]?.components.length !== 0) {
    throw invalidSnapshot('its tables are not those of a scene');
  }
  const sparse = directory.sparse.map(({ components: ids }) => (ids.length === 1 ? ids[0] : -1));
  const allSparse = sparse.every((id) => components[id ?? -1]?.storage === 'sparse');
  if (!allSparse || new Set(sparse).size !== sparse.length) {
    throw invalidSnapshot('its sparse sets are not those of a scene');
  }
}
