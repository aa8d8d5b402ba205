import type { Component } from '../schema/component.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { Table } from '../storage/table.js';
import { integersIn } from './check-snapshot.js';
import type { OpenedSnapshot } from './snapshot-bytes.js';
import type { TableEntry } from './snapshot-directory.js';
import type { SnapshotLayout, TableSections } from './snapshot-layout.js';

function equal(a: Int32Array | Uint32Array, b: Int32Array | Uint32Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Whether a scene has exactly the entities of a snapshot, in the same rows of the same tables: then only values differ, as
 * after most rollbacks, and rows need neither be checked nor indexed again. O(entities), and far cheaper than either.
 */
export function sameStructure(
  core: SceneCore,
  opened: OpenedSnapshot,
  layout: SnapshotLayout,
  components: readonly Component[],
): boolean {
  const { directory } = opened;
  const { entities, tables, sparse } = core;
  if (
    directory.tables.length !== tables.length ||
    directory.sparse.length !== sparse.length ||
    directory.slots !== entities.used ||
    directory.slots - directory.free !== entities.alive
  ) {
    return false;
  }
  const same = (table: Table, entry: TableEntry, sections: TableSections): boolean =>
    table.count === entry.rows &&
    table.types.length === entry.components.length &&
    table.types.every(({ component }, i) => component === components[entry.components[i] ?? -1]) &&
    equal(integersIn(opened, sections.entities), table.entities, table.count);
  const sameTables = (list: readonly (Table | undefined)[], kind: 'tables' | 'sparse'): boolean =>
    list.every((table, i) => {
      const entry = directory[kind][i];
      const sections = layout[kind][i];
      return (
        table !== undefined &&
        entry !== undefined &&
        sections !== undefined &&
        same(table, entry, sections)
      );
    });
  const sets = sparse.map((type) => type.sparse?.rows);
  if (!sameTables(tables, 'tables') || !sameTables(sets, 'sparse')) return false;
  const free = new Uint32Array(integersIn(opened, layout.free));
  return (
    equal(integersIn(opened, layout.ids), entities.ids, directory.slots) &&
    equal(free, entities.freeSlots(), free.length)
  );
}
