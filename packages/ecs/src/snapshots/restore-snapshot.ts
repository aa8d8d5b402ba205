import { INDEX_MASK, type EntityId } from '../entities/entity-id.js';
import { Parent } from '../hierarchy/parent.js';
import type { Component } from '../schema/component.js';
import type { Scene } from '../scene/scene.js';
import type { SceneCore } from '../scene/scene-core.js';
import type { ComponentType } from '../storage/component-type.js';
import type { Table } from '../storage/table.js';
import { checkBudgets } from './check-budgets.js';
import { checkSnapshot, integersIn } from './check-snapshot.js';
import { ObjectValues } from './object-values.js';
import { requireOpenScene } from './require-open-scene.js';
import { resolveComponents } from './resolve-components.js';
import { RestoreWatch } from './restore-watch.js';
import { sameStructure } from './same-structure.js';
import { openSnapshot, type OpenedSnapshot } from './snapshot-bytes.js';
import { applyDelta } from './snapshot-delta.js';
import { invalidSnapshot, SnapshotError } from './snapshot-error.js';
import {
  layoutOf,
  SnapshotKind,
  type SnapshotLayout,
  type TableSections,
} from './snapshot-layout.js';

/** Options of {@link restoreSnapshot}. */
export interface RestoreOptions {
  /** The base of a delta. */
  readonly base?: Uint8Array;
  /** Components that the scene may not have registered yet; needed when a snapshot goes into a new scene. */
  readonly components?: readonly Component[];
}

/** A table or sparse set, and what goes into it. */
interface Target {
  readonly table: Table;
  readonly sections: TableSections;
  /** Field among the table's flat fields, for each section of a column. */
  readonly flat: readonly number[];
}

function flatFields(table: Table, components: readonly Component[]): number[] {
  const starts = new Map<Component, number>();
  let next = 0;
  for (const { component } of table.types) {
    starts.set(component, next);
    next += component.fields.filter(({ field }) => field.bytes > 0).length;
  }
  return components.flatMap((component) =>
    component.fields
      .filter(({ field }) => field.bytes > 0)
      .map((_, i) => (starts.get(component) ?? 0) + i),
  );
}

/** Registers components, makes tables, reserves their rows: all that may fail for want of memory. */
function reserve(
  core: SceneCore,
  opened: OpenedSnapshot,
  layout: SnapshotLayout,
  components: readonly Component[],
): Target[] {
  const { directory } = opened;
  const types = components.map((component) => core.typeOf(component));
  const tables = directory.tables.map(({ components: ids, rows }, i) => {
    const wanted = ids.map((id) => types[id] as ComponentType);
    const placement = wanted.reduce((at, type) => at.with(type), core.graph.root);
    return { table: core.graph.settle(placement), ids, rows, sections: layout.tables[i] };
  });
  const sparse = directory.sparse.map(({ components: ids, rows }, i) => {
    const set = types[ids[0] ?? -1]?.sparse;
    return { table: set?.rows as Table, ids, rows, sections: layout.sparse[i] };
  });
  return [...tables, ...sparse].map(({ table, ids, rows, sections }) => {
    if (rows > table.capacity) table.grow(rows);
    return {
      table,
      sections: sections as TableSections,
      flat: flatFields(
        table,
        ids.map((id) => components[id] as Component),
      ),
    };
  });
}

function checkRowOrder(core: SceneCore, opened: OpenedSnapshot, layout: SnapshotLayout): void {
  if (!core.ordered) return;
  for (const { entities } of layout.tables) {
    let last = -1;
    for (const id of integersIn(opened, entities)) {
      if ((id & INDEX_MASK) < last) {
        throw new SnapshotError(
          'ecs/snapshot-row-order',
          `Scene "${core.name}" keeps rows in order`,
          {
            subjects: { scene: core.name },
            fix: 'Restore a snapshot of a scene that was ordered too.',
          },
        );
      }
      last = id & INDEX_MASK;
    }
  }
}

function copyColumns(
  core: SceneCore,
  opened: OpenedSnapshot,
  { table, sections, flat }: Target,
): void {
  for (const [i, { offset, byteLength }] of sections.columns.entries()) {
    const base = table.flatBases[flat[i] as number] as number;
    core.heap.u8.set(opened.bytes.subarray(offset, offset + byteLength), base);
  }
}

/** The part that can't fail. */
function commit(
  core: SceneCore,
  opened: OpenedSnapshot,
  layout: SnapshotLayout,
  targets: readonly Target[],
  same: boolean,
): void {
  if (same) for (const target of targets) copyColumns(core, opened, target);
  else replaceRows(core, opened, layout, targets);
  const children = integersIn(opened, layout.children);
  core.hierarchy?.restore(new Uint32Array(children.buffer, children.byteOffset, children.length));
}

function replaceRows(
  core: SceneCore,
  opened: OpenedSnapshot,
  layout: SnapshotLayout,
  targets: readonly Target[],
): void {
  const { entities } = core;
  const objects = new ObjectValues(core);
  for (const table of core.tables) table.clear();
  for (const { sparse } of core.sparse) sparse?.rows.clear();
  const free = integersIn(opened, layout.free);
  entities.restore(
    integersIn(opened, layout.ids),
    new Uint32Array(free.buffer, free.byteOffset, free.length),
  );
  for (const target of targets) {
    const { table } = target;
    table.count = target.sections.entities.byteLength / 4;
    table.entities.set(integersIn(opened, target.sections.entities));
    copyColumns(core, opened, target);
    const rowOf = table.id < 0 ? table.types[0]?.sparse?.index : entities.rows;
    for (let row = 0; row < table.count; row++) {
      const slot = (table.entities[row] as number) & INDEX_MASK;
      if (rowOf) rowOf[slot] = row;
      if (table.id >= 0) entities.tables[slot] = table.id;
    }
  }
  objects.restore();
}

function holdersAfter(
  opened: OpenedSnapshot,
  targets: readonly Target[],
): Map<ComponentType, Set<EntityId>> {
  const after = new Map<ComponentType, Set<EntityId>>();
  for (const { table, sections } of targets) {
    for (const type of table.types) {
      if (!type.hooks) continue;
      const holders = after.get(type) ?? new Set();
      for (const id of integersIn(opened, sections.entities)) holders.add(id);
      after.set(type, holders);
    }
  }
  return after;
}

/**
 * Puts a scene into the state of a snapshot, its own or another scene's: the same entities with the same ids, components, children
 * and reusable ids, so that a simulation runs on exactly as it did. All or nothing: the snapshot is checked as a whole
 * before anything is changed, and bytes that are damaged, cut off or made up leave the scene as it was, whatever they say. What may stay after a
 * failure are registered components, empty archetypes and reserved memory.
 *
 * Observers are told of what goes before it goes, and of what comes or is written afterwards; `changed` reports everything that a snapshot
 * brings, `added` and `removed` what differs. `object()` fields stay with the entities that had them, others take their default. Archetypes are
 * visited in the scene's own order of creation, which in a new scene is the snapshot's.
 *
 * About as fast as copying the columns.
 *
 * @param snapshot - what `captureSnapshot` returned; must not change meanwhile
 * @throws SnapshotError see there
 * @throws EclipticError `ecs/structure-locked`, `ecs/structural-change-while-iterating`; ArenaBudgetError `core/arena-budget`
 */
export function restoreSnapshot(
  scene: Scene,
  snapshot: Uint8Array | ArrayBufferLike,
  options: RestoreOptions = {},
): void {
  const { core } = scene;
  requireOpenScene(core);
  core.guard.checkAll('restoreSnapshot()');
  let opened = openSnapshot(snapshot, core.limits);
  const components = resolveComponents(core, opened.directory, [
    ...(options.components ?? []),
    Parent,
  ]);
  if (opened.kind === SnapshotKind.delta) {
    // What is greater than the arena and the index could not be restored anyway.
    const most = core.arena.budget + opened.bytes.byteLength + opened.directory.slots * 16;
    opened = applyDelta(opened, options.base, most, core.limits);
  }
  const layout = layoutOf(opened.directory, opened.directoryBytes);
  if (layout.byteLength !== opened.bytes.byteLength) {
    throw invalidSnapshot(`${opened.bytes.byteLength} of ${layout.byteLength} bytes`);
  }
  const same = sameStructure(core, opened, layout, components);
  checkSnapshot(opened, layout, components, components.indexOf(Parent as Component), same);
  checkRowOrder(core, opened, layout);
  checkBudgets(core, opened, layout, components);
  const targets = reserve(core, opened, layout, components);
  const watch = new RestoreWatch(core);
  watch.tellLosses(holdersAfter(opened, targets), integersIn(opened, layout.ids));
  core.guard.checkAll('restoreSnapshot()');
  // Where nothing is lost no observer was told, so what was the same still is.
  commit(core, opened, layout, targets, same);
  watch.mark();
  watch.tellGains();
}
